import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Sign as the current recipient in the sandbox',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'ID of the transaction' }],
  options: {
    as: {
      value: 'EMAIL',
      completes: 'recipient',
      summary: 'Email of the expected recipient; fails if it is not their turn',
    },
    value: {
      value: 'LABEL=TEXT',
      repeat: true,
      summary: 'Value of a field, by label or ID; other fields get generated values',
    },
  },
  json: '{id, status, recipient: {id, name, email}}',
  examples: [
    {
      line: 'esign sandbox sign @ --as ada@example.com --value "City=London"',
      about: 'Sign as Ada and fill in a field',
    },
  ],
  async check(_, { options: { value } }) {
    (await import('./act.ts')).parseFieldValues(value);
  },
  async run(context, { args, options }) {
    const { actInSandbox, parseFieldValues } = await import('./act.ts');
    const values = parseFieldValues(options.value);
    return actInSandbox(context, 'sandbox.sign', args.id, {
      ...(options.as !== undefined && { as: options.as }),
      values,
    });
  },
});
