import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Reject as the current recipient in the sandbox',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'ID of the transaction' }],
  options: {
    as: {
      value: 'EMAIL',
      completes: 'recipient',
      summary: 'Email of the expected recipient; fails if it is not their turn',
    },
    reason: { value: 'TEXT', summary: 'Reason for rejecting (required)' },
  },
  json: '{id, status, recipient: {id, name, email}}',
  examples: [
    {
      line: 'esign sandbox reject @ --reason "The amount is wrong"',
      about: 'Reject a transaction and state the reason',
    },
  ],
  async run(context, { args, options }) {
    const { askFor } = await import('../../input/ask-for.ts');
    const { sandboxOperations } = await import('../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../input/parse-input.ts');
    if (options.reason === undefined && context.prompts.canAsk) {
      const { client } = await context.connections.sandbox();
      const { mustBeStarted } = await import('../../sending/start.ts');
      const params = { transactionId: args.id };
      mustBeStarted(await client['transaction.detail']({ params }), 'rejected');
    }
    const { value } = await askFor(context, {
      value: {
        what: 'Reason',
        flag: '--reason TEXT',
        given: options.reason,
        accept: (text) =>
          checked(sandboxOperations['sandbox.reject'].body, { reason: text }, { reason: 'This' }),
      },
    });
    const { actInSandbox } = await import('./act.ts');
    return actInSandbox(context, 'sandbox.reject', args.id, {
      ...(options.as !== undefined && { as: options.as }),
      reason: value,
    });
  },
});
