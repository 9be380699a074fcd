// `tx show`: prints everything that the service returns for programs, and a page for a person: the status, the history, who is
// next, and the next commands.
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import { type Cell, moment, type Outcome, type RecordOutcome, type Table } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { readDocumentRemarks } from '../../../transactions/remarks.ts';
import {
  contentOfTransaction,
  currentRecipient,
  endReason,
  outcomeOf,
  peopleTables,
  person,
  signingUrlOf,
  toneOf,
  transactionJson,
  transactionTables,
  undeliveredEmails,
  whoRejected,
} from '../../../transactions/view.ts';

export function transactionPage(
  transaction: ReceivedTransaction,
  connection: Pick<Connection, 'profile' | 'appUrl'>,
): RecordOutcome & Outcome {
  const { name, documents, fields } = contentOfTransaction(transaction);
  const outcome = outcomeOf(transaction);
  const current = currentRecipient(transaction);
  const rejecter = whoRejected(transaction);
  return {
    kind: 'record',
    json: shownJson(transaction, connection),
    headline: name || 'Untitled',
    entries: [
      { key: 'id', label: 'Transaction', value: transaction.id },
      { key: 'name', value: name },
      { key: 'status', value: transaction.status },
      {
        key: 'outcome',
        label: 'Status',
        value: outcome,
        shown: current && outcome === 'started' ? `started, waiting for ${current.name}` : outcome,
        tone: toneOf(outcome),
      },
      { key: 'rejected_by', label: 'Rejected by', value: rejecter && person(rejecter) },
      {
        key: 'reason',
        label: 'Reason',
        value: endReason(transaction),
      },
      { key: 'sealing', label: 'Not sealed', value: transaction.sealing_failed_reason },
      ...happenings(transaction).flatMap(({ key, at }) => (key ? [{ key, value: moment(at) }] : [])),
      { key: 'current', value: current && person(current) },
      { key: 'url', label: 'Signing URL', value: signingUrlOf(transaction, connection.appUrl) },
      { key: 'fields', value: fields.length },
    ],
    tables: transactionTables(transaction),
    pageTables: [...peopleTables(transaction), historyTable(transaction)],
    notes: [
      ...undeliveredEmails(transaction).map((sentence) => `warning: ${sentence}`),
      ...readDocumentRemarks(documents).flatMap((one) =>
        one.remarks.map(({ message }) => `remark: ${one.name}: ${message}`),
      ),
      ...nextSteps(transaction),
    ],
  };
}

/** Joins everything that the service returns and what every command prints of a transaction. */
export const shownJson = (
  transaction: ReceivedTransaction,
  connection: Pick<Connection, 'profile' | 'appUrl'>,
) => ({ ...transaction, ...transactionJson(transaction, connection) });

/** `key` is the name in a pipe; entries without a key are shown to a person only. */
type Happening = { key?: string; what: string; at: string; isToCome?: true };

/** Lists what happened, in its order, and what will happen to a started transaction. */
function happenings(transaction: ReceivedTransaction): Happening[] {
  const outcome = outcomeOf(transaction);
  const at = (key: string, what: string, time: string | null | undefined): Happening[] =>
    time ? [{ key, what, at: time }] : [];
  const done = contentOfTransaction(transaction).recipients.flatMap(
    ({ name, opened_at, submitted_at }): Happening[] => [
      ...(opened_at ? [{ what: `${name} opened the signing page`, at: opened_at }] : []),
      ...(submitted_at ? [{ what: `${name} signed`, at: submitted_at }] : []),
    ],
  );
  const expires: Happening[] =
    outcome === 'started' && transaction.expires_at
      ? [{ key: 'expires_at', what: 'expires', at: transaction.expires_at, isToCome: true }]
      : [];
  return [
    ...at('created_at', 'created', transaction.created_at),
    ...at('sent_at', 'sent', transaction.sent_at),
    ...done.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    ...at('completed_at', 'completed', transaction.completed_at),
    ...at('rejected_at', 'rejected', transaction.rejected_at),
    ...at('cancelled_at', 'cancelled', transaction.cancelled_at),
    ...at('expired_at', 'expired', outcome === 'cancelled' ? undefined : transaction.expired_at),
    ...expires,
  ];
}

const historyTable = (transaction: ReceivedTransaction): Table => ({
  columns: ['EVENT', 'TIME'],
  rows: happenings(transaction).map(({ what, at, isToCome }): Cell[] => [
    what,
    isToCome ? { instant: at, until: true } : { instant: at },
  ]),
});

/** Lists the next commands, one a line; short enough for 60 columns. */
function nextSteps(transaction: ReceivedTransaction): string[] {
  const { id } = transaction;
  const { documents, recipients } = contentOfTransaction(transaction);
  switch (outcomeOf(transaction)) {
    case 'draft':
      if (documents.length === 0) return [`add:   esign tx upload ${id} FILE`];
      if (!recipients.some(({ role }) => role !== 'sender'))
        return [`ask:   esign tx update ${id} --to "Name <email>"`];
      return [`start: esign tx start ${id}`];
    case 'started':
      return [`open:  esign tx open ${id}`, `wait:  esign tx wait ${id}`];
    case 'completed':
      return [`get:   esign tx download ${id}`];
    default:
      return [];
  }
}
