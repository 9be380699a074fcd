// Runs `esign tx show`: prints everything that the service returns for programs, and a page for a person with the status, the history, who is
// next, and the next commands. --watch keeps the page up to date until the transaction has ended or Ctrl-C comes.

import type { ReceivedTransaction } from '../../../api/contract/transactions.ts';
import { accessibilityOf } from '../../../config/environment.ts';
import type { EvidenceEntry } from '../../../pdf/write/certificate/evidence.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import {
  boolean,
  brief,
  list,
  mapOf,
  nameOnly,
  nullable,
  number,
  object,
  only,
  open,
  prints,
  text,
} from '../../command/json-output.ts';
import { type Cell, moment, type Outcome, type RecordOutcome, type Table } from '../../command/outcome.ts';
import { DOCUMENT, PREPARATION, RECIPIENT, REJECTED, WAITING_FOR } from '../../command/transaction-json.ts';
import { optionsConflict } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import { browseTo, dashboardUrlMissing, findUrlInDashboard } from '../../sending/browse.ts';
import { fetchEvidence } from '../../sending/download.ts';
import { readDocumentRemarks } from '../../sending/remarks.ts';
import {
  chooseTransaction,
  contentOfTransaction,
  currentRecipient,
  endReason,
  outcomeOf,
  peopleTables,
  person,
  shownJson,
  signingUrlOf,
  toneOf,
  transactionTables,
  undeliveredEmails,
  whoRejected,
  withSigningPages,
} from '../../sending/view.ts';
import { onStatusChange, statusText, waitUntil } from '../../sending/wait.ts';
import { formatLocalTime } from '../../terminal/local-time.ts';
import type { Streams } from '../../terminal/streams.ts';

/** Describes the evidence record (`pdf/write/certificate/evidence.ts`) that --evidence prints with --json. */
const EVIDENCE = object({
  format: text,
  version: number,
  transaction: nameOnly(
    object({
      id: text,
      name: text,
      company: text,
      service: text,
      created_at: text,
      sent_at: nullable(text),
      completed_at: nullable(text),
    }),
  ),
  documents: nameOnly(
    list(
      object({
        id: text,
        name: text,
        media_type: text,
        pages: number,
        original: object({ sha256: text, bytes: number }),
        'preparation?': PREPARATION,
        content: object({ sha256: text, bytes: number }),
        remarks: list(object({ code: text, 'page?': number, 'what?': text, 'text?': text })),
      }),
    ),
  ),
  people: nameOnly(list(object({ id: text, name: text, email: text, role: text, index: number }))),
  fields: nameOnly(
    list(
      object({
        id: text,
        document_id: text,
        recipient_id: text,
        type: text,
        label: text,
        page: number,
        x: number,
        y: number,
        width: number,
        height: number,
        'value?': nullable(text),
        'written?': text,
        'filled_in_by?': only('sender', 'service'),
        'picture_sha256?': text,
        'kind?': only('typed', 'drawn', 'uploaded'),
        'face?': only('handwriting', 'script'),
      }),
    ),
  ),
  entries: nameOnly(
    list(
      object({
        n: number,
        type: text,
        at: text,
        person_id: nullable(text),
        details: mapOf(nullable(text)),
        previous: text,
        hash: text,
      }),
    ),
  ),
  head: text,
});

export const command = defineCommand({
  summary: 'Show a transaction',
  details:
    'Shows who has opened, signed or rejected, whose turn it is, and the documents with their warnings. ' +
    'At a terminal without an ID, you choose from the transactions recently used on this machine.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: {
    watch: { summary: 'Stay and show every change until the transaction ends' },
    evidence: {
      summary: 'Show the evidence record of the sealed documents: each step, who did it and from where',
    },
    web: { summary: "Open the current recipient's signing page, or the dashboard, in the browser" },
  },
  json: prints(
    open(
      object({
        id: text,
        name: text,
        status: text,
        outcome: text,
        profile: text,
        ...WAITING_FOR,
        ...REJECTED,
        documents: list(brief(DOCUMENT)),
        recipients: list(brief(RECIPIENT)),
        template: brief(open(object({}))),
        expiration_days: nullable(number),
        created_at: text,
        updated_at: text,
      }),
    ),
    ', as in the other commands, with all properties of the response of the service; with --web ',
    object({ id: text, url: text, page: text, opened: boolean }),
    '; with --evidence ',
    EVIDENCE,
    ' as embedded in the documents',
  ),
  examples: [
    { line: 'esign tx show @', about: 'Show who has signed and whose turn it is' },
    { line: 'esign tx show @ --watch', about: 'Watch a transaction until it ends' },
    {
      line: 'esign tx show @ --select status,template.recipients.email',
      about: 'Print some properties for a script',
    },
  ],
  async run(context, { args, options }) {
    const [first, second] = (['watch', 'evidence', 'web'] as const).filter((name) => options[name]);
    if (second) throw optionsConflict(`--${first}`, `--${second}`);
    const id = await chooseTransaction(context, args.id);
    const connection = await context.connections.connect();
    if (options.watch) return watchTransaction(context, connection, id);
    const transaction = await connection.client['transaction.detail']({ params: { transactionId: id } });
    if (options.web) return openInWeb(context, connection, transaction);
    if (options.evidence) return showEvidence(context, connection, transaction);
    return transactionPage(transaction, await withSigningPages(connection, transaction));
  },
});

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
      ...readDocumentRemarks(documents).flatMap((document) =>
        document.remarks.map(({ message }) => `remark: ${document.name}: ${message}`),
      ),
      ...nextSteps(transaction),
    ],
  };
}

/** `key` is the name in a pipe; entries without a key are shown to a person only. */
type Happening = { key?: string; event: string; at: string; isToCome?: true };

/** Lists what happened, in its order, and what will happen to a started transaction. */
function happenings(transaction: ReceivedTransaction): Happening[] {
  const outcome = outcomeOf(transaction);
  const at = (key: string, event: string, time: string | null | undefined): Happening[] =>
    time ? [{ key, event, at: time }] : [];
  const ofRecipients = contentOfTransaction(transaction).recipients.flatMap(
    ({ name, opened_at, submitted_at }): Happening[] => [
      ...(opened_at ? [{ event: `${name} opened the signing page`, at: opened_at }] : []),
      ...(submitted_at ? [{ event: `${name} signed`, at: submitted_at }] : []),
    ],
  );
  const expires: Happening[] =
    outcome === 'started' && transaction.expires_at
      ? [{ key: 'expires_at', event: 'expires', at: transaction.expires_at, isToCome: true }]
      : [];
  return [
    ...at('created_at', 'created', transaction.created_at),
    ...at('sent_at', 'sent', transaction.sent_at),
    ...ofRecipients.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    ...at('completed_at', 'completed', transaction.completed_at),
    ...at('rejected_at', 'rejected', transaction.rejected_at),
    ...at('cancelled_at', 'cancelled', transaction.cancelled_at),
    ...at('expired_at', 'expired', outcome === 'cancelled' ? undefined : transaction.expired_at),
    ...expires,
  ];
}

const historyTable = (transaction: ReceivedTransaction): Table => ({
  columns: ['EVENT', 'TIME'],
  rows: happenings(transaction).map(({ event, at, isToCome }): Cell[] => [
    event,
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

async function showEvidence(
  context: Uses<'terminal'>,
  connection: Connection,
  transaction: ReceivedTransaction,
): Promise<Outcome> {
  const evidence = await fetchEvidence(context, connection, transaction);
  const names = new Map(evidence.people.map(({ id, name, email }) => [id, `${name} <${email}>`]));
  const row = ({ n, at, type, person_id, details }: EvidenceEntry): Cell[] => [
    n,
    { instant: at },
    type,
    (person_id === null ? details.by : names.get(person_id)) ?? null,
    details.address ?? null,
    detailOf(type, details),
  ];
  return {
    kind: 'list',
    json: evidence,
    table: {
      columns: ['N', 'TIME', 'EVENT', 'PERSON', 'IP ADDRESS', 'DETAIL'],
      rows: evidence.entries.map(row),
    },
    empty: 'No entries.',
    notes: [
      'To check that the documents are unchanged, run `esign tx download ID`, then `esign verify FILE`.',
    ],
  };
}

/** Returns what the type leaves open: which page or email, what a mail server answered, how a link was sent. */
function detailOf(
  type: string,
  { page, document, to, server, answer, reason, link }: EvidenceEntry['details'],
): string | null {
  if (type.startsWith('page_')) return `page ${page} of ${document}`;
  if (type.startsWith('email_'))
    return [to, server, answer, reason].filter((part) => typeof part === 'string' && part !== '').join(' · ');
  return link ? `link by ${link}` : null;
}

const OWN_SCREEN = '\u001b[?1049h\u001b[?25l';
const LEAVE_SCREEN = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

async function watchTransaction(
  context: Uses<'history' | 'process' | 'settings' | 'terminal'>,
  connection: Connection,
  transactionId: string,
): Promise<Outcome> {
  const params = { transactionId };
  const read = () => connection.client['transaction.detail']({ params });
  const first = await read();
  await context.history.saveRecent();
  const { out } = context.terminal.streams;
  const watch = (onAnswer: (transaction: ReceivedTransaction) => void) =>
    waitUntil(context.process, read, { target: 'any', timeoutMs: undefined }, onAnswer);
  const { waitsInLines } = accessibilityOf(context.process.environment.variables);
  if (!out.isTerminal || context.settings.json || waitsInLines) {
    const printing: Promise<void>[] = [];
    const print = async (transaction: ReceivedTransaction) =>
      context.terminal.print(
        statusLine(
          transaction,
          await withSigningPages(connection, transaction),
          out.isTerminal && !context.settings.json,
        ),
      );
    await watch(onStatusChange((transaction) => void printing.push(print(transaction))));
    await Promise.all(printing);
    return { kind: 'text', text: '', json: undefined };
  }
  const { transaction } = await runOnOwnScreen(out, async (draw) => {
    const show = async (transaction: ReceivedTransaction) =>
      draw(
        await context.terminal.draw(
          transactionPage(transaction, await withSigningPages(connection, transaction)),
        ),
      );
    await show(first);
    return watch((transaction) => void show(transaction));
  });
  return transactionPage(transaction, connection);
}

type Screen = Streams['out'];

async function runOnOwnScreen<T>(
  out: Screen,
  work: (draw: (page: string) => void) => Promise<T>,
): Promise<T> {
  let isLeft = false;
  out.write(OWN_SCREEN);
  try {
    return await work((page) => {
      if (isLeft) return;
      // Overwrites the last page in one write without clearing it first, so that nothing flickers.
      const lines = page
        .trimEnd()
        .split('\n')
        .slice(0, Math.max(1, (out.rows ?? 24) - 1));
      out.write(`${HOME}${lines.map((line) => line + REST_OF_LINE).join('\r\n')}${REST_OF_SCREEN}`);
    });
  } finally {
    isLeft = true;
    out.write(LEAVE_SCREEN);
  }
}

/** Makes one line for a pipe, and a sentence for a person; `--json` prints one object. */
function statusLine(transaction: ReceivedTransaction, connection: Connection, isForPerson: boolean): Outcome {
  if (isForPerson) {
    const time = transaction.updated_at ? `${formatLocalTime(transaction.updated_at)}  ` : '';
    return { kind: 'text', json: undefined, text: `${time}${statusText(transaction)}` };
  }
  const current = currentRecipient(transaction);
  return {
    kind: 'list',
    json: undefined,
    lines: [shownJson(transaction, connection)],
    empty: '',
    table: {
      columns: [],
      rows: [[transaction.updated_at, transaction.id, outcomeOf(transaction), current?.email]],
    },
  };
}

/** Opens the signing page while a recipient is asked to sign, otherwise the dashboard of the service. */
async function openInWeb(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  transaction: ReceivedTransaction,
): Promise<Outcome> {
  const { appUrl } = await withSigningPages(connection, transaction);
  const signing = signingUrlOf(transaction, appUrl);
  const url = signing ?? (await findUrlInDashboard(connection, transaction));
  if (url === undefined) throw dashboardUrlMissing();
  const { opened, notes } = await browseTo(context, connection, url);
  return {
    kind: 'record',
    json: { id: transaction.id, url, page: signing ? 'signing' : 'dashboard', opened },
    entries: [
      { key: 'id', value: transaction.id },
      { key: 'url', label: signing ? 'Signing URL' : 'Dashboard', value: url },
    ],
    notes,
  };
}
