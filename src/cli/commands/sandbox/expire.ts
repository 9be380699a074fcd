import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Make a started transaction of the sandbox expire now',
  details: 'To let it expire at its time instead, run `esign sandbox clock advance`.',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'ID of the transaction' }],
  options: {},
  json: '{id, status}',
  examples: [
    { line: 'esign sandbox expire @', about: 'Test what your program does when a transaction expires' },
  ],
  async run(context, { args }) {
    const { client } = await context.connections.sandbox();
    const params = { transactionId: args.id };
    const json = await client['sandbox.expire']({ params, body: {} });
    // Read so that `tx list` knows its state. An error of this request does not undo what was done.
    await client['transaction.detail']({ params }).catch(() => undefined);
    return {
      kind: 'record',
      headline: 'The transaction has expired.',
      json,
      entries: [
        { key: 'id', label: 'Transaction', value: json.id },
        { key: 'status', label: 'Status', value: json.status },
      ],
    };
  },
});
