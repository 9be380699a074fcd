import { defineCommand } from '../../command/command.ts';
import { prints } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { transaction, WAITING_FOR } from '../../command/transaction-json.ts';
import { browseServed } from '../../sending/browse.ts';
import { mustBeAsShown, startOnce } from '../../sending/start.ts';
import {
  chooseTransaction,
  currentRecipient,
  person,
  signingUrlOf,
  summaryOutcome,
  withSigningPages,
} from '../../sending/view.ts';
import { serveUntilSigned } from '../../sending/wait.ts';

export const command = defineCommand({
  summary: 'Start a draft',
  details: 'Asks the first recipient to sign. A started transaction can no longer be edited.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: { open: { summary: "Open the first recipient's signing page; see `esign tx open`" } },
  json: prints(transaction({ ...WAITING_FOR })),
  examples: [{ line: 'esign tx start @', about: 'Start a draft and ask the first recipient to sign' }],
  async run(context, { args, options }) {
    const transactionId = await chooseTransaction(context, args.id, ['draft']);
    const connection = await context.connections.connect();
    await mustBeAsShown(context, connection, transactionId);
    const answeredUrl = await startOnce(connection, transactionId, context.terminal.progress.note);
    const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
    const url =
      answeredUrl ?? signingUrlOf(transaction, (await withSigningPages(connection, transaction)).appUrl);
    const current = currentRecipient(transaction);
    const headline = current
      ? `Started the transaction and sent it to ${person(current)}.`
      : 'Started the transaction.';
    const browsed =
      options.open && url !== undefined ? await browseServed(context, connection, url) : undefined;
    const shown: Outcome = {
      ...summaryOutcome(transaction, connection, { url, headline }),
      ...(browsed && { notes: browsed.notes }),
    };
    if (!browsed?.serving) return shown;
    return serveUntilSigned(context, connection, { transaction, serving: browsed.serving, shown });
  },
});
