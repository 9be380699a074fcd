// Waits until a transaction has reached a status. It polls the service, which cannot notify a command, at growing
// intervals. It sends no request after the time is up, and does not fail because of one lost answer. For a person who opened a signing page
// of the sandbox, it serves the page meanwhile.
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import type { ProcessContext, Uses } from '../command/context.ts';
import { reportOf } from '../command/error-report.ts';
import { PartialFailure } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Entry, Outcome } from '../command/outcome.ts';
import type { Connection, SandboxServer } from '../connection/connection.ts';
import { endedBySignal } from '../events/follow.ts';
import { parseDuration } from '../input/parse-input.ts';
import type { FieldWarning } from './remarks.ts';
import {
  currentRecipient,
  endReason,
  notSigned,
  outcomeOf,
  person,
  signingUrlOf,
  summaryOutcome,
  undeliveredEmails,
  whoRejected,
  withSigningPages,
} from './view.ts';

/** `any` means any end, good or bad. */
export type WaitTarget = 'completed' | 'started' | 'any';

type WaitOptions = { target: WaitTarget; timeoutMs: number | undefined };

type WaitResult = { transaction: ReceivedTransaction; verdict: 'reached' | 'pending' | 'ended_badly' };

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;
const GROWTH = 1.5;

/** After so many failures in a row the error is reported. */
const FAILURES_IN_A_ROW = 5;

const ENDED_BADLY = new Set(['rejected', 'expired', 'cancelled']);

export function verdictOn(transaction: ReceivedTransaction, target: WaitTarget): WaitResult['verdict'] {
  const outcome = outcomeOf(transaction);
  if (outcome === 'completed') return 'reached';
  if (ENDED_BADLY.has(outcome)) return target === 'any' ? 'reached' : 'ended_badly';
  return target === 'started' && outcome === 'started' ? 'reached' : 'pending';
}

type WaitClock = Pick<ProcessContext, 'monotonicMs' | 'pause'>;

/**
 * Polls until the target or the timeout is reached.
 * @param read requests the transaction
 * @param seen called with each answer, the first included
 * @throws the error of `read` when it failed {@link FAILURES_IN_A_ROW} times, or at once when repeating it is useless
 */
export async function waitUntil(
  { monotonicMs, pause }: WaitClock,
  read: () => Promise<ReceivedTransaction>,
  { target, timeoutMs }: WaitOptions,
  seen: (transaction: ReceivedTransaction) => void = () => undefined,
): Promise<WaitResult> {
  const endMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : monotonicMs() + timeoutMs;
  let last: ReceivedTransaction | undefined;
  let failures = 0;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * GROWTH, LONGEST_DELAY_MS)) {
    try {
      last = await read();
      failures = 0;
      seen(last);
      const verdict = verdictOn(last, target);
      if (verdict !== 'pending') return { transaction: last, verdict };
    } catch (error) {
      failures += 1;
      const isOver = monotonicMs() >= endMs && last === undefined;
      if (reportOf(error).exit !== EXIT.network || failures >= FAILURES_IN_A_ROW || isOver) throw error;
    }
    const leftMs = endMs - monotonicMs();
    if (leftMs <= 0 && last) return { transaction: last, verdict: 'pending' };
    await pause(Math.max(0, Math.min(delayMs, leftMs)));
  }
}

const EXITS: Record<WaitResult['verdict'], number> = {
  reached: EXIT.done,
  pending: EXIT.pending,
  ended_badly: EXIT.endedBadly,
};

export const timeoutOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseDuration('--timeout', text);

/** Waits for `tx wait` and `tx send --wait`. @param more what the command adds to its object */
export async function waitFor(
  context: Uses<'history' | 'process' | 'terminal'>,
  connection: Connection,
  transactionId: string,
  options: WaitOptions,
  more: { plan?: string; url?: string | undefined; warnings?: readonly FieldWarning[] } = {},
): Promise<Outcome> {
  const params = { transactionId };
  const { plan, warnings } = more;
  const warnOfEmails = undeliveredWarner(context);
  try {
    const { transaction, verdict } = await context.terminal.progress.showWaiting(
      `Waiting for transaction ${transactionId}`,
      (say) =>
        waitUntil(
          context.process,
          () => connection.client['transaction.detail']({ params }),
          options,
          onStatusChange((transaction) => {
            warnOfEmails(transaction);
            say(`status: ${statusText(transaction)}`);
            void context.history.saveRecent();
          }),
        ),
    );
    const connected = await withSigningPages(connection, transaction);
    const outcome = summaryOutcome(transaction, connected, {
      url: verdict === 'pending' ? (more.url ?? signingUrlOf(transaction, connected.appUrl)) : undefined,
      headline: headlineOf(transaction, verdict),
      entries: [...(plan === undefined ? [] : [{ key: 'plan', value: plan }]), ...endingEntries(transaction)],
      json: { ...(plan !== undefined && { plan }), ...(warnings && { warnings }) },
    });
    return {
      ...outcome,
      exit: EXITS[verdict],
      ...(verdict === 'pending' && { notes: [`To keep waiting, run \`esign tx wait ${transactionId}\`.`] }),
    };
  } catch (error) {
    // The transaction does not exist, so nothing has been done and waiting again is useless.
    if (plan === undefined && reportOf(error).exit === EXIT.notFound) throw error;
    throw new PartialFailure(error, {
      partial: { id: transactionId, ...(plan !== undefined && { plan }) },
      next: [{ command: `esign tx wait ${transactionId}`, when: 'to keep waiting' }],
    });
  }
}

/** Warns of each undelivered email once, however often the transaction is read. */
function undeliveredWarner({ terminal }: Uses<'terminal'>): (transaction: ReceivedTransaction) => void {
  const warned = new Set<string>();
  return (transaction) => {
    for (const sentence of undeliveredEmails(transaction)) {
      if (warned.has(sentence)) continue;
      warned.add(sentence);
      terminal.warnAlways('email_undelivered', sentence);
    }
  };
}

/** Calls back once for every change of the current recipient, of whether they have opened their page, and of the outcome. */
export function onStatusChange(
  tell: (transaction: ReceivedTransaction) => void,
): (transaction: ReceivedTransaction) => void {
  let before: string | undefined;
  return (transaction) => {
    const now = statusText(transaction);
    if (now !== before) tell(transaction);
    before = now;
  };
}

/** Describes the status: `started, waiting for Ada <ada@example.com>`, and later `… the signing link of Ada <ada@example.com> was opened`. */
export function statusText(transaction: ReceivedTransaction): string {
  const outcome = outcomeOf(transaction);
  const current = currentRecipient(transaction);
  if (outcome !== 'started' || !current) return `${outcome}${whyEnded(transaction)}`;
  if (current.opened_at) return `started, the signing link of ${person(current)} was opened`;
  const isUndelivered = current.undelivered_email ? ', but the email could not be delivered' : '';
  return `started, waiting for ${person(current)}${isUndelivered}`;
}

function headlineOf(transaction: ReceivedTransaction, verdict: WaitResult['verdict']): string {
  const outcome = outcomeOf(transaction);
  if (verdict === 'pending') return `Still ${statusText(transaction)}.`;
  if (outcome === 'completed') return 'Everyone has signed.';
  if (outcome === 'started') return 'The transaction is started.';
  return `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}${whyEnded(transaction)}.`;
}

/**
 * Says who ended it, why, and who had not signed: ` by Bob <bob@example.com>: The price is wrong`,
 * ` before Bob <bob@example.com> had signed: Wrong contract`
 */
function whyEnded(transaction: ReceivedTransaction): string {
  if (!ENDED_BADLY.has(outcomeOf(transaction))) return '';
  const rejecter = whoRejected(transaction);
  const unsigned = notSigned(transaction).map(person).join(', ');
  const who = rejecter ? ` by ${person(rejecter)}` : unsigned === '' ? '' : ` before ${unsigned} had signed`;
  const reason = endReason(transaction);
  return reason === null ? who : `${who}: ${reason.replace(/[.\s]+$/, '')}`;
}

/** Entries for a pipe about a transaction that ended without being completed. */
function endingEntries(transaction: ReceivedTransaction): Entry[] {
  if (!ENDED_BADLY.has(outcomeOf(transaction))) return [];
  return [
    { key: 'reason', value: endReason(transaction) ?? undefined },
    { key: 'rejected_by', value: whoRejected(transaction)?.email },
  ];
}

const LOOK_EVERY_MS = 500;

/** How long the browser may take to load the page that follows the signature, and what belongs to it. */
const LAST_PAGE_MS = 2000;

type ServeContext = Uses<'history' | 'process' | 'terminal'>;

/** Serves the page. @param shown the outcome of the command so far, which is printed at once */
export async function serveUntilSigned(
  context: ServeContext,
  connection: Connection,
  {
    transaction,
    serving,
    shown,
  }: { transaction: ReceivedTransaction; serving: SandboxServer; shown: Outcome },
): Promise<Outcome> {
  const { history, process, terminal } = context;
  const recipient = currentRecipient(transaction);
  const name = recipient?.name || recipient?.email || 'the recipient';
  const params = { transactionId: transaction.id };
  try {
    await terminal.print(shown);
    await history.saveRecent();
    const last = await terminal.progress.showWaiting(
      `Serving the signing page until ${name} has signed; Ctrl-C stops it`,
      async () => {
        for (;;) {
          const now = await connection.client['transaction.detail']({ params });
          if (outcomeOf(now) !== 'started' || currentRecipient(now)?.id !== recipient?.id) return now;
          await process.pause(LOOK_EVERY_MS);
        }
      },
    );
    terminal.progress.note(`${transaction.id}: ${statusText(last)}.`);
    await process.pause(LAST_PAGE_MS);
    return { kind: 'text', text: '', json: undefined, notes: nextSteps(last) };
  } catch (error) {
    return endedBySignal(error);
  } finally {
    await serving.close();
  }
}

/** Keeps the pages served while `work` runs, and a moment longer for the last one. */
export async function serveWhile(
  { process }: Uses<'process'>,
  serving: SandboxServer | undefined,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!serving) return work();
  try {
    const outcome = await work();
    await process.pause(LAST_PAGE_MS);
    return outcome;
  } finally {
    await serving.close();
  }
}

function nextSteps(transaction: ReceivedTransaction): string[] {
  const { id } = transaction;
  if (outcomeOf(transaction) === 'completed')
    return [`To download the sealed documents, run \`esign tx download ${id}\`.`];
  return currentRecipient(transaction) ? [`To open the next signing page, run \`esign tx open ${id}\`.`] : [];
}
