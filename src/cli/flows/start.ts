// Starts a draft and says who is asked. A lost answer is looked into before anything is said.
import type { App, Connection } from '../app.ts';
import type { Outcome } from '../outcome.ts';
import { currentRecipient, person, signingUrlOf, summaryOutcome } from '../views/transaction.ts';
import { browseTo } from './browse.ts';
import { sentOnce } from './unknown-outcome.ts';

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

async function start(connection: Connection, transactionId: string): Promise<string | undefined> {
  const answer = await sentOnce(connection, {
    transactionId,
    send: () => connection.client['transaction.start']({ params: { transactionId } }),
    before: ['draft'],
    after: ['started', 'completed', 'rejected', 'expired', 'cancelled'],
    next: [
      { command: `esign tx show ${transactionId}`, when: 'to see whether it was started' },
      { command: `esign tx start ${transactionId}`, when: 'when it is still a draft' },
    ],
  });
  return answer?.url;
}
