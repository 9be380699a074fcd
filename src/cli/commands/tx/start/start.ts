import { defineCommand } from '../../../command/command.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { browseServed } from '../../../transactions/browse.ts';
import { serveUntilSigned } from '../../../transactions/serve-until-signed.ts';
import { withSigningPages } from '../../../transactions/signing-pages.ts';
import { startOnce } from '../../../transactions/start-once.ts';
import { currentRecipient, person, signingUrlOf, summaryOutcome } from '../../../transactions/view.ts';
import { chooseTransaction } from '../../../transactions/which-transaction.ts';

export const command = defineCommand({
  summary: 'Start a draft',
  details: 'Asks the first recipient to sign. A started transaction can no longer be edited.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: { open: { summary: "Open the first recipient's signing page; see `esign tx open`" } },
  json: '{id, name, status, outcome, profile, url?, recipient?: {name, email}, documents: […], recipients: […]}',
  examples: [{ line: 'esign tx start @', about: 'Start a draft and ask the first recipient to sign' }],
  async run(context, { args, options }) {
    const id = await chooseTransaction(context, args.id, ['draft']);
    return startTransactionDraft(context, id, options.open);
  },
});

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
  return serveUntilSigned(context, connection, { transaction, serving: browsed.serving, shown });
}
