import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'reject as the recipient whose turn it is',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'id of the transaction' }],
  options: {
    as: { value: 'EMAIL', completes: 'recipient', summary: 'refuse when it is not their turn' },
    reason: { value: 'TEXT', summary: 'why' },
  },
  json: '{id, status, recipient: {id, name, email}}',
  examples: [{ line: 'esign sandbox reject ID --reason "The amount is wrong"', about: 'it ends here' }],
  async run(context, { args, options }) {
    const { askFor } = await import('../../input/ask-for.ts');
    const { value } = await askFor(context, {
      value: { what: 'Reason', flag: '--reason TEXT', given: options.reason },
    });
    const { actInSandbox } = await import('./act.ts');
    return actInSandbox(context, 'sandbox.reject', args.id, {
      ...(options.as !== undefined && { as: options.as }),
      reason: value,
    });
  },
});
