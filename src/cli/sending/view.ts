// Shows transactions in the output of commands, and lets a person choose one of those that this machine has seen. It reads everything leniently: a
// service may omit what we expect.

import type { ReceivedField } from '../../api/contract/fields.ts';
import type { ReceivedRecipient } from '../../api/contract/recipients.ts';
import type { ReceivedDocument, ReceivedTransaction } from '../../api/contract/transactions.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import type { Cell, Entry, RecordOutcome, Table, Tone } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { readDocumentRemarks, remarksIn, remarkTable, SIGNED_IN } from './remarks.ts';

type TransactionOutcome = 'draft' | 'started' | 'completed' | 'rejected' | 'expired' | 'cancelled';

/** The outcome of a transaction: "cancelled" wherever it can be known (assumed: A10); an unknown status is shown unchanged. */
export const outcomeOf = (transaction: ReceivedTransaction): TransactionOutcome | (string & {}) =>
  transaction.cancelled_at ? 'cancelled' : transaction.status;

/** Words that follow `is` in a sentence: a draft, started. */
export const outcomePhrase = (outcome: string): string => (outcome === 'draft' ? 'a draft' : outcome);

type ShownContent = {
  name: string | undefined;
  recipients: ReceivedRecipient[];
  documents: ReceivedDocument[];
  fields: ReceivedField[];
};

/** Reads the content of a transaction, with documents and recipients in their order. */
export function contentOfTransaction(transaction: ReceivedTransaction): ShownContent {
  const { template } = transaction;
  return {
    name: template?.name ?? undefined,
    recipients: inOrder(template?.recipients),
    documents: inOrder(template?.documents),
    fields: template?.fields ?? [],
  };
}

/** Sorts items by their index. Without one they stay in the order of the response. */
const inOrder = <T extends { index?: number | null | undefined }>(items: readonly T[] = []): T[] =>
  items
    .map((item, at) => ({ item, index: item.index ?? at }))
    .sort((a, b) => a.index - b.index)
    .map(({ item }) => item);

export const currentRecipient = (transaction: ReceivedTransaction): ReceivedRecipient | undefined =>
  contentOfTransaction(transaction).recipients.find((recipient) => recipient.is_current);

/** Finds the recipient who rejected it: by id, or the current one where the service does not tell the id. */
export function whoRejected(transaction: ReceivedTransaction): ReceivedRecipient | undefined {
  if (outcomeOf(transaction) !== 'rejected') return undefined;
  const { recipients } = contentOfTransaction(transaction);
  const { rejected_by_id: id } = transaction;
  return recipients.find((recipient) => (id ? recipient.id === id : recipient.is_current));
}

/** Lists the recipients who still had to sign when it ended, in their order. */
export const notSigned = (transaction: ReceivedTransaction): ReceivedRecipient[] => {
  const { recipients, fields } = contentOfTransaction(transaction);
  return recipients.filter(
    ({ id, role, submitted_at }) =>
      !submitted_at && (role !== 'sender' || fields.some((field) => field.recipient_id === id)),
  );
};

/** Lists the recipients who act, but have nothing to sign in: they enter values, or approve the documents as they are. */
export const withoutSignature = (transaction: ReceivedTransaction): ReceivedRecipient[] => {
  const { recipients, fields } = contentOfTransaction(transaction);
  return recipients.filter(
    ({ id, role }) =>
      role !== 'sender' &&
      !fields.some(({ type, recipient_id }) => recipient_id === id && SIGNED_IN.has(type ?? '')),
  );
};

export const withoutSignatureSentence = (people: readonly ReceivedRecipient[]): string =>
  `${people.map(nameAndEmail).join(', ')} ${people.length === 1 ? 'has' : 'have'} no field for a signature.`;

const nameAndEmail = ({ name, email }: ReceivedRecipient): string =>
  email ? person({ name: name || email, email }) : (name ?? '');

/** The reason that the person who ended it gave. */
export const endReason = ({ cancelled_reason, rejected_reason }: ReceivedTransaction): string | null =>
  cancelled_reason ?? rejected_reason ?? null;

/** The email of the recipient who is asked to sign now. */
export const pendingIn = (transaction: ReceivedTransaction): string | null =>
  outcomeOf(transaction) === 'started' ? (currentRecipient(transaction)?.email ?? null) : null;

/** Builds the signing URL of the current recipient from their token (assumed: A38). */
export function signingUrlOf(
  transaction: ReceivedTransaction,
  appUrl: string | undefined,
): string | undefined {
  const token = transaction.status === 'started' ? currentRecipient(transaction)?.token : undefined;
  return token && appUrl
    ? `${appUrl.replace(/\/+$/, '')}/sign?token=${encodeURIComponent(token)}`
    : undefined;
}

export const documentName = (document: ReceivedDocument): string =>
  document.file?.original_name ?? document.id;

/** A transaction as JSON, the same in all commands. A command may add properties. */
export type TransactionJson = ReturnType<typeof transactionJson>;

/** Makes the JSON of a transaction. @param url of the signing page, from the response of this command */
export function transactionJson(
  transaction: ReceivedTransaction,
  { profile, appUrl }: Pick<Connection, 'profile' | 'appUrl'>,
  url = signingUrlOf(transaction, appUrl),
) {
  const { name, recipients, documents } = contentOfTransaction(transaction);
  const current = currentRecipient(transaction);
  const reason = endReason(transaction);
  const rejecter = whoRejected(transaction);
  return {
    id: transaction.id,
    name,
    status: transaction.status,
    outcome: outcomeOf(transaction),
    profile,
    ...(url !== undefined && { url }),
    ...(current && { recipient: { name: current.name, email: current.email } }),
    ...(reason !== null && { reason }),
    ...(rejecter && { rejected_by: { name: rejecter.name, email: rejecter.email } }),
    documents: documents.map((document) => ({
      id: document.id,
      name: documentName(document),
      pages: document.pages?.length ?? null,
      remarks: remarksIn(document),
    })),
    recipients: recipients.map(
      ({
        id,
        role,
        name,
        email,
        index,
        is_current,
        opened_at = null,
        submitted_at,
        undelivered_email = null,
      }) => ({
        id,
        role,
        name,
        email,
        index,
        is_current,
        opened_at,
        submitted_at,
        ...(undelivered_email && { undelivered_email }),
      }),
    ),
  };
}

/** Joins everything that the service returns and what every command prints of a transaction. */
export const shownJson = (
  transaction: ReceivedTransaction,
  connection: Pick<Connection, 'profile' | 'appUrl'>,
) => ({
  ...transaction,
  ...transactionJson(transaction, connection),
});

export const person = ({ name, email }: { name: string; email: string }): string => `${name} <${email}>`;

/** Makes a sentence with a hint for each recipient whose last email could not be delivered. */
export function undeliveredEmails(transaction: ReceivedTransaction): string[] {
  const { recipients } = contentOfTransaction(transaction);
  return recipients.flatMap((recipient) => {
    const { kind, reason } = recipient.undelivered_email ?? {};
    if (!kind) return [];
    const sentence = `The email (${kind}) to ${person(recipient)} could not be delivered: ${reason || 'unknown reason'}.`;
    return [isAsked(recipient, transaction) ? `${sentence} ${tryAgain(transaction.id)}` : sentence];
  });
}

const isAsked = ({ is_current }: ReceivedRecipient, transaction: ReceivedTransaction): boolean =>
  is_current === true && outcomeOf(transaction) === 'started';

const tryAgain = (id: string): string =>
  `To send it again, run \`esign tx remind ${id}\`. If the address is wrong, cancel the transaction and send a new one.`;

type RecipientStatus = { words: string; mark: string; tone: Tone };

/** Describes the status of a recipient: done, asked now, still to come, not going to happen. The marks differ without color as well. */
function recipientStatusOf(
  recipient: ReceivedRecipient,
  transaction: ReceivedTransaction,
  fields: readonly ReceivedField[],
): RecipientStatus {
  const outcome = outcomeOf(transaction);
  if (recipient.submitted_at) return { words: 'signed', mark: '✓', tone: 'good' };
  if (recipient.is_current && outcome === 'started')
    return { words: currentStatus(recipient), mark: '›', tone: 'now' };
  const acts = recipient.role !== 'sender' || fields.some((field) => field.recipient_id === recipient.id);
  if (!acts) return { words: 'sends', mark: '·', tone: 'quiet' };
  if (outcome === 'draft') return { words: 'not started', mark: '·', tone: 'quiet' };
  if (outcome === 'started') return { words: 'waiting', mark: '·', tone: 'quiet' };
  return recipient.id === whoRejected(transaction)?.id
    ? { words: 'rejected', mark: '✗', tone: 'bad' }
    : { words: 'not signed', mark: '✗', tone: 'bad' };
}

/** Describes the current recipient. Whether the page was opened is unknown for some services. */
const currentStatus = ({ opened_at, undelivered_email }: ReceivedRecipient): string => {
  if (opened_at) return 'asked to sign now, link opened';
  return undelivered_email ? 'asked to sign now, email not delivered' : 'asked to sign now';
};

/** Writes a time for a pipe: `2026-11-20T10:00:00.000Z` → `2026-11-20 10:00:00 UTC`. */
const utc = (instant: string): string => instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

function statusForPipe(recipient: ReceivedRecipient, outcome: string): string {
  if (recipient.submitted_at) return `signed ${utc(recipient.submitted_at)}`;
  if (recipient.is_current)
    return `${currentStatus(recipient)}${recipient.opened_at ? ` ${utc(recipient.opened_at)}` : ''}`;
  const standing: Record<string, string> = { draft: 'not started', started: 'waiting' };
  return recipient.role === 'sender' ? '' : (standing[outcome] ?? '');
}

/** Makes the tables about a transaction for a pipe. */
export function transactionTables(transaction: ReceivedTransaction): NonNullable<RecordOutcome['tables']> {
  const { recipients, documents } = contentOfTransaction(transaction);
  const outcome = outcomeOf(transaction);
  return [
    {
      key: 'recipient',
      columns: ['RECIPIENT', 'EMAIL', 'ROLE', 'STATUS'],
      rows: recipients.map((recipient) => [
        recipient.name,
        recipient.email,
        recipient.role,
        statusForPipe(recipient, outcome),
      ]),
    },
    {
      key: 'document',
      columns: ['DOCUMENT', 'PAGES', 'ID'],
      rows: documents.map((document) => [documentName(document), document.pages?.length, document.id]),
    },
    remarkTable(readDocumentRemarks(documents)),
  ];
}

/** Makes the tables for a person: who has signed and who is asked, in their order; what is signed. */
export function peopleTables(transaction: ReceivedTransaction): Table[] {
  const { recipients, documents, fields } = contentOfTransaction(transaction);
  const standings = recipients.map((recipient) => recipientStatusOf(recipient, transaction, fields));
  const hasProxy = recipients.some(({ role }) => role === 'proxy');
  const has = (id: string) => fields.filter((field) => field.recipient_id === id).length;
  return [
    {
      columns: ['', 'RECIPIENT', 'EMAIL', 'STATUS', 'FIELDS', ...(hasProxy ? ['ROLE'] : [])],
      rows: recipients.map(({ id, name, email, role }, index): Cell[] => [
        standings[index]?.mark,
        name,
        email,
        standings[index]?.words,
        has(id) || '',
        ...(hasProxy ? [role] : []),
      ]),
      tones: standings.map(({ tone }) => tone),
    },
    {
      columns: ['DOCUMENT', 'PAGES', 'ID'],
      rows: documents.map((document) => [documentName(document), document.pages?.length, document.id]),
    },
  ];
}

const TONES: Record<string, Tone> = {
  draft: 'quiet',
  started: 'now',
  completed: 'good',
  rejected: 'bad',
  expired: 'bad',
  cancelled: 'bad',
};

export const toneOf = (outcome: string): Tone | undefined => TONES[outcome];

type SummaryOptions = {
  url?: string | undefined;
  headline?: string;
  entries?: readonly Entry[];
  json?: object;
};

/** Makes the outcome about a transaction that a command has just changed. */
export function summaryOutcome(
  transaction: ReceivedTransaction,
  connection: Connection,
  options: SummaryOptions = {},
): RecordOutcome {
  const { url, headline, entries = [], json } = options;
  const current = currentRecipient(transaction);
  return {
    kind: 'record',
    json: { ...transactionJson(transaction, connection, url), ...json },
    ...(headline !== undefined && { headline }),
    entries: [
      { key: 'id', label: 'Transaction', value: transaction.id },
      { key: 'name', label: 'Name', value: contentOfTransaction(transaction).name },
      { key: 'status', value: transaction.status },
      {
        key: 'outcome',
        label: 'Status',
        value: outcomeOf(transaction),
        tone: toneOf(outcomeOf(transaction)),
      },
      { key: 'profile', value: connection.profile },
      ...entries,
      { key: 'current', label: 'Current recipient', value: current && person(current) },
      { key: 'url', label: 'Signing URL', value: url },
    ],
    tables: transactionTables(transaction),
    pageTables: peopleTables(transaction),
  };
}

/** More would hide the rest of the sentence. */
const MOST_NAMED = 6;

export type NamedField = {
  type?: string | null | undefined;
  label?: string | null | undefined;
  page?: number | null | undefined;
  document_id?: string | null | undefined;
};

/** @param documents all of the transaction; a single one is not named */
export function describeFields(
  fields: readonly NamedField[],
  documents: readonly ReceivedDocument[] = [],
): string {
  const named = fields.slice(0, MOST_NAMED).map((field) => describeField(field, documents));
  const rest = fields.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function describeField(
  { type, label, page, document_id: id }: NamedField,
  documents: readonly ReceivedDocument[],
): string {
  const text = label && label !== type ? ` "${label}"` : '';
  const document = documents.length > 1 ? documents.find((candidate) => candidate.id === id) : undefined;
  const where = typeof page === 'number' ? ` on page ${page + 1}` : '';
  return `${type ?? 'field'}${text}${where}${document ? ` of ${documentName(document)}` : ''}`;
}

/**
 * Returns the connection with the URL of the signing pages. It asks the service, once in a command, and only about a transaction whose current
 * recipient has a signing URL.
 */
export async function withSigningPages(
  connection: Connection,
  transaction: ReceivedTransaction,
): Promise<Connection> {
  const hasUrl = transaction.status === 'started' && Boolean(currentRecipient(transaction)?.token);
  if (connection.appUrl !== undefined || !hasUrl) return connection;
  return { ...connection, appUrl: (await connection.requestAddresses?.())?.app_url };
}

const OFFERED = 30;

/** @param accepted the statuses to offer, as last seen; all where it is undefined, and always those whose status was never seen */
export async function chooseTransaction(
  context: Uses<'history' | 'prompts'>,
  id: string | undefined,
  accepted?: readonly TransactionOutcome[],
): Promise<string> {
  if (id !== undefined) return id;
  if (!context.prompts.canAsk)
    throw cliError('argument_missing', {
      sentence: 'No transaction ID given.',
      hint: 'Add an ID. List the transactions of this machine with `esign tx list`.',
    });
  const { things } = await context.history.recentItems();
  const isAccepted = (outcome: string | undefined) =>
    accepted === undefined || outcome === undefined || accepted.some((status) => status === outcome);
  const choices = things
    .filter(({ kind, outcome }) => kind === 'transaction' && isAccepted(outcome))
    .slice(0, OFFERED)
    .map(({ id, name, outcome, people = [] }) => ({
      value: id,
      name: [name || 'untitled', outcome].filter(Boolean).join(' · '),
      description: [id, ...people.slice(0, 3)].join('  '),
    }));
  if (choices.length === 0)
    throw cliError('argument_missing', {
      sentence: 'No transaction ID given.',
      hint:
        accepted === undefined
          ? 'This machine has seen no transactions with this profile. Add an ID, or send one with `esign tx send`.'
          : `This machine has seen no transactions with this profile and the status ${accepted.join(' or ')}. Add an ID, or send one with \`esign tx send\`.`,
    });
  return context.prompts.choose('Transaction', 'ID', choices);
}
