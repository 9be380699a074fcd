import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'sign as the recipient whose turn it is',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'id of the transaction' }],
  options: {
    as: { value: 'EMAIL', completes: 'recipient', summary: 'refuse when it is not their turn' },
    value: {
      value: 'LABEL=TEXT',
      repeat: true,
      summary: 'value of a field, by label or id; the rest is made up',
    },
  },
  json: '{id, status, recipient: {id, name, email}}',
  examples: [
    { line: 'esign sandbox sign ID --as ada@example.com --value "City=London"', about: 'Ada signs' },
  ],
  async run(context, { args, options }) {
    const { actInSandbox, valuesOf } = await import('./act.ts');
    const values = valuesOf(options.value);
    return actInSandbox(context, 'sandbox.sign', args.id, {
      ...(options.as !== undefined && { as: options.as }),
      values,
    });
  },
});
