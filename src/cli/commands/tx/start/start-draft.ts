// Starts a draft and prints who is asked to sign. After a lost answer it first finds out whether the draft was started.
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { browseServed } from '../../../transactions/browse.ts';
import { sendOnce } from '../../../transactions/send-once.ts';
import { startWhenChecked } from '../../../transactions/start-when-checked.ts';
import { currentRecipient, person, signingUrlOf, summaryOutcome } from '../../../transactions/view.ts';

export async function startTransactionDraft(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  transactionId: string,
  isToBeOpened: boolean,
): Promise<Outcome> {
  const connection = await context.connections.connect();
  const { note } = context.terminal.progress;
  const answered = await start(connection, transactionId, note);
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const current = currentRecipient(transaction);
  const url = answered ?? signingUrlOf(transaction, connection.appUrl);
  const headline = current
    ? `Started the transaction and sent it to ${person(current)}.`
    : 'Started the transaction.';
  const browsed =
    isToBeOpened && url !== undefined ? await browseServed(context, connection, url) : undefined;
  const shown: Outcome = {
    ...summaryOutcome(transaction, connection, { url, headline }),
    ...(browsed && { notes: browsed.notes }),
  };
  if (!browsed?.serving) return shown;
  const { serveUntilSigned } = await import('../../../transactions/serve-until-signed.ts');
  return serveUntilSigned(context, connection, { transaction, serving: browsed.serving, shown });
}

async function start(
  connection: Connection,
  transactionId: string,
  note: (sentence: string) => void,
): Promise<string | undefined> {
  const answer = await sendOnce(connection, {
    transactionId,
    send: () => startWhenChecked(connection, transactionId, { note }),
    before: ['draft'],
    after: ['started', 'completed', 'rejected', 'expired', 'cancelled'],
    next: [
      { command: `esign tx show ${transactionId}`, when: 'to see whether it was started' },
      { command: `esign tx start ${transactionId}`, when: 'when it is still a draft' },
    ],
  });
  return answer?.url;
}
