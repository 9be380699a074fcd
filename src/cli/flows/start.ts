// Starts a draft and says who is asked. A lost answer is looked into before anything is said.
import type { ConnectionError } from '../../api/transport.ts';
import type { App, Connection } from '../app.ts';
import { EXIT, StoppedOnTheWay } from '../errors.ts';
import type { Outcome } from '../outcome.ts';
import { currentRecipient, person, signingUrlOf, summaryOutcome } from '../views/transaction.ts';
import { browseTo } from './browse.ts';

export async function startDraft(app: App, transactionId: string, isToBeOpened: boolean): Promise<Outcome> {
  const connection = await app.connect();
  const answered = await start(connection, transactionId);
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const current = currentRecipient(transaction);
  const url = answered ?? signingUrlOf(transaction, connection.appUrl);
  const headline = current ? `${person(current)} is asked to sign now.` : 'Started.';
  const browsed = isToBeOpened && url !== undefined ? await browseTo(app, connection, url) : undefined;
  return {
    ...summaryOutcome(transaction, connection, { url, headline }),
    ...(browsed && { notes: browsed.notes }),
  };
}

async function start({ client }: Connection, transactionId: string): Promise<string | undefined> {
  try {
    return (await client['transaction.start']({ params: { transactionId } })).url;
  } catch (error) {
    const isLost =
      error instanceof Error &&
      error.name === 'ConnectionError' &&
      (error as ConnectionError).delivery === 'unknown';
    if (!isLost) throw error;
    throw new StoppedOnTheWay(error, {
      partial: { id: transactionId },
      exit: EXIT.partly,
      next: [{ command: `esign tx show ${transactionId}`, when: 'to see whether it was started' }],
    });
  }
}
