import { transactionOperations } from '../../../api/contract/transactions.ts';
import { defineCommand } from '../../command/command.ts';
import { prints, text } from '../../command/json-output.ts';
import { transaction } from '../../command/transaction-json.ts';
import { checkValue } from '../../input/check-value.ts';
import { mustBeAsShown, mustBeStarted, sendOnce } from '../../sending/start.ts';
import { chooseTransaction, summaryOutcome } from '../../sending/view.ts';
import { notConfirmed } from '../../terminal/prompts.ts';

export const command = defineCommand({
  summary: 'Cancel a started transaction',
  details:
    'Recipients who have not signed yet can no longer sign. At a terminal, you are prompted for the reason ' +
    'and a confirmation.',
  arguments: [{ name: 'id', optional: true, completes: 'transaction', summary: 'ID of the transaction' }],
  options: { reason: { value: 'TEXT', summary: 'Reason for cancelling; recipients may see it (required)' } },
  json: prints(transaction({ 'reason?': text })),
  examples: [
    {
      line: 'esign tx cancel @ --reason "Wrong contract"',
      about: 'Cancel a transaction and state the reason',
    },
  ],
  async run(context, { args, options }) {
    const accept = (text: string, name = 'This') =>
      checkValue(
        transactionOperations['transaction.cancel'].body,
        { cancelled_reason: text },
        { cancelled_reason: name },
      );
    if (options.reason !== undefined) accept(options.reason, '--reason');
    const { prompts } = context;
    const { transactionId, reason } = await prompts.series(async () => {
      const transactionId = await chooseTransaction(context, args.id, ['started']);
      // Nobody is asked for the reason of what the service would refuse.
      if (prompts.canAsk) {
        const { client } = await context.connections.connect();
        mustBeStarted(await client['transaction.detail']({ params: { transactionId } }), 'cancelled');
      }
      const reason = options.reason ?? (await prompts.ask('Reason', '--reason TEXT', { accept }));
      // A script that gives a reason needs no confirmation; a person is asked.
      if (prompts.canAsk && !(await prompts.confirm(`Cancel transaction ${transactionId}?`)))
        throw notConfirmed();
      return { transactionId, reason };
    });
    const params = { transactionId };
    const connection = await context.connections.connect();
    await mustBeAsShown(context, connection, transactionId);
    await sendOnce(connection, {
      transactionId,
      send: () => connection.client['transaction.cancel']({ params, body: { cancelled_reason: reason } }),
      before: ['started'],
      // A service that cannot tell the two apart shows a cancelled one as expired (assumed: A10).
      after: ['cancelled', 'expired'],
      next: [{ command: `esign tx show ${transactionId}`, when: 'to see whether it was cancelled' }],
    });
    const transaction = await connection.client['transaction.detail']({ params });
    // The service has confirmed it, even where the detail cannot show it (assumed: A10).
    const outcome = summaryOutcome(
      { ...transaction, cancelled_at: transaction.cancelled_at ?? transaction.updated_at },
      connection,
    );
    return { ...outcome, headline: 'Cancelled the transaction.' };
  },
});
