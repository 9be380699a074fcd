// Serves the signing page of the sandbox from the command that opened it, until the recipient has signed.
import type { ReceivedTransaction } from '../../api/contract/received.ts';
import type { Uses } from '../command/context.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Connection, SandboxServer } from '../connection/connection.ts';
import { endedBySignal } from '../events/follow.ts';
import { currentRecipient, outcomeOf } from './view.ts';
import { statusText } from './wait.ts';

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
