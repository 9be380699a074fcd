// Waits until a transaction has come as far as somebody wants. The service cannot tell by itself here, so it is asked
// again and again, less and less often. Never asks after the time is up, and never gives up for one lost answer.
import type { Transaction } from '../../api/contract/transactions.ts';
import type { ProcessContext, Uses } from '../command/context.ts';
import { EXIT, reportOf, StoppedOnTheWay } from '../command/errors.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { parseDuration } from '../input/duration.ts';
import { currentRecipient, outcomeOf, person, signingUrlOf, summaryOutcome } from './view.ts';

/** `any` is any end, good or bad. */
export type Target = 'completed' | 'started' | 'any';

export type WaitWish = { target: Target; timeoutMs: number | undefined };

export type Waited = { transaction: Transaction; verdict: 'reached' | 'pending' | 'ended_badly' };

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;
const GROWTH = 1.5;

/** After so many lost answers in a row the network is the news. */
const FAILURES_IN_A_ROW = 5;

const ENDED_BADLY = new Set(['rejected', 'expired', 'cancelled']);

export function verdictOn(transaction: Transaction, target: Target): Waited['verdict'] {
  const outcome = outcomeOf(transaction);
  if (outcome === 'completed') return 'reached';
  if (ENDED_BADLY.has(outcome)) return target === 'any' ? 'reached' : 'ended_badly';
  return target === 'started' && outcome === 'started' ? 'reached' : 'pending';
}

export type Waiting = Pick<ProcessContext, 'clock' | 'pause'>;

/**
 * @param read asks the service where the transaction stands
 * @param seen told each answer, the first included
 * @throws what `read` threw when it failed {@link FAILURES_IN_A_ROW} times, or at once when asking again is no use
 */
export async function waitUntil(
  { clock, pause }: Waiting,
  read: () => Promise<Transaction>,
  { target, timeoutMs }: WaitWish,
  seen: (transaction: Transaction) => void = () => undefined,
): Promise<Waited> {
  const endMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock() + timeoutMs;
  let last: Transaction | undefined;
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
      const isOver = clock() >= endMs && last === undefined;
      if (reportOf(error).exit !== EXIT.network || failures >= FAILURES_IN_A_ROW || isOver) throw error;
    }
    const leftMs = endMs - clock();
    if (leftMs <= 0 && last) return { transaction: last, verdict: 'pending' };
    await pause(Math.max(0, Math.min(delayMs, leftMs)));
  }
}

const EXITS: Record<Waited['verdict'], number> = {
  reached: EXIT.done,
  pending: EXIT.pending,
  ended_badly: EXIT.endedBadly,
};

export const timeoutOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseDuration('--timeout', text);

/** `tx wait`, and the end of `tx send --wait`. @param more what the command adds to its object */
export async function waitFor(
  context: Uses<'process' | 'terminal'>,
  connection: Connection,
  transactionId: string,
  wish: WaitWish,
  more: { plan?: string; url?: string | undefined } = {},
): Promise<Outcome> {
  const params = { transactionId };
  const { plan } = more;
  try {
    const { transaction, verdict } = await context.terminal.progress.waiting(
      `waiting for transaction ${transactionId}`,
      (say) =>
        waitUntil(
          context.process,
          () => connection.client['transaction.detail']({ params }),
          wish,
          changed((transaction) => say(`waiting: ${standing(transaction)}`)),
        ),
    );
    const outcome = summaryOutcome(transaction, connection, {
      url: verdict === 'pending' ? (more.url ?? signingUrlOf(transaction, connection.appUrl)) : undefined,
      headline: headlineOf(transaction, verdict),
      ...(plan !== undefined && { entries: [{ key: 'plan', value: plan }], json: { plan } }),
    });
    return {
      ...outcome,
      exit: EXITS[verdict],
      ...(verdict === 'pending' && { notes: [`wait on: esign tx wait ${transactionId}`] }),
    };
  } catch (error) {
    // Of a transaction that is not there nothing was done by then, and waiting on does not help.
    if (plan === undefined && reportOf(error).exit === EXIT.notFound) throw error;
    throw new StoppedOnTheWay(error, {
      partial: { id: transactionId, ...(plan !== undefined && { plan }) },
      next: [
        { command: `esign tx wait ${transactionId}`, when: 'to wait on; the transaction is not affected' },
      ],
    });
  }
}

/** Told once for every change of who is asked, of whether they have opened their page, and of the outcome. */
export function changed(tell: (transaction: Transaction) => void): (transaction: Transaction) => void {
  let before: string | undefined;
  return (transaction) => {
    const now = standing(transaction);
    if (now !== before) tell(transaction);
    before = now;
  };
}

/** `started, Ada <ada@example.com> is asked to sign now`, and later `… has opened the signing page` */
export function standing(transaction: Transaction): string {
  const outcome = outcomeOf(transaction);
  const current = currentRecipient(transaction);
  if (outcome !== 'started' || !current) return outcome;
  return `started, ${person(current)} ${current.opened_at ? 'has opened the signing page' : 'is asked to sign now'}`;
}

function headlineOf(transaction: Transaction, verdict: Waited['verdict']): string {
  const outcome = outcomeOf(transaction);
  if (verdict === 'pending') return `Still ${standing(transaction)}.`;
  if (outcome === 'completed') return 'Everybody has signed.';
  return outcome === 'started' ? 'It is started.' : `It was ${outcome}, and nobody can sign any more.`;
}
