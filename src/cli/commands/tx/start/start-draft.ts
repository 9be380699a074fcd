// Starts a draft and prints who is asked to sign.
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { browseServed } from '../../../transactions/browse.ts';
import { withSigningPages } from '../../../transactions/signing-pages.ts';
import { startOnce } from '../../../transactions/start-once.ts';
import { currentRecipient, person, signingUrlOf, summaryOutcome } from '../../../transactions/view.ts';

export async function startTransactionDraft(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  transactionId: string,
  isToBeOpened: boolean,
): Promise<Outcome> {
  const connection = await context.connections.connect();
  const { note } = context.terminal.progress;
  const answered = await startOnce(connection, transactionId, note);
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const current = currentRecipient(transaction);
  const url = answered ?? signingUrlOf(transaction, (await withSigningPages(connection, transaction)).appUrl);
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
