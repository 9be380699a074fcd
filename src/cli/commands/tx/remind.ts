import type { ApiError } from '../../../api/codec.ts';
import { defineCommand } from '../../command/command.ts';
import { boolean, object, prints, text } from '../../command/json-output.ts';
import { mustBeAsShown } from '../../sending/start.ts';
import { chooseTransaction, person } from '../../sending/view.ts';

export const command = defineCommand({
  summary: 'Send a reminder to the current recipient',
  details:
    'Emails the signing URL again to the recipient whose turn it is. Each recipient can be reminded ' +
    'once an hour.',
  arguments: [{ name: 'id', optional: true, completes: 'transaction', summary: 'ID of the transaction' }],
  options: {},
  json: prints(
    object({ id: text, reminded: boolean, recipient: object({ id: text, name: text, email: text }) }),
  ),
  examples: [{ line: 'esign tx remind @', about: 'Remind the current recipient' }],
  async run(context, { args }) {
    const transactionId = await chooseTransaction(context, args.id, ['started']);
    const connection = await context.connections.connect();
    const { client, isSandbox } = connection;
    await mustBeAsShown(context, connection, transactionId);
    const { reminded, recipient } = await client['transaction.remind']({ params: { transactionId } }).catch(
      (error: ApiError) => {
        if (isSandbox && error.code === 'reminded_recently')
          context.terminal.progress.note(
            `\`esign sandbox clock advance ${Math.ceil((error.waitMs ?? 0) / 1000)}s\` moves the clock of the sandbox there.`,
          );
        throw error;
      },
    );
    const { name, email } = recipient ?? {};
    return {
      kind: 'record',
      // Another service may not say who it was.
      headline: name && email ? `Reminded ${person({ name, email })}.` : 'Reminded the current recipient.',
      json: { id: transactionId, reminded, recipient },
      entries: [
        { key: 'id', label: 'Transaction', value: transactionId },
        { key: 'recipient', value: email },
      ],
    };
  },
});
