import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Save a transaction as a template',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'ID of the transaction' }],
  options: {
    name: { value: 'TEXT', short: 'n', summary: 'Name of the template (required)' },
    description: { value: 'TEXT', summary: 'Description of the template' },
  },
  json: '{id, name}',
  examples: [
    {
      line: 'esign sandbox template save @ --name "Maintenance agreement"',
      about: 'Save a transaction for use with --template',
    },
  ],
  async run(context, { args, options }) {
    const { askFor } = await import('../../../input/ask-for.ts');
    const { value } = await askFor(context, {
      value: { what: 'Name of the template', flag: '--name TEXT', given: options.name },
    });
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    const { description } = options;
    const body = { name: value, ...(description !== undefined && { description }) };
    checked(sandboxOperations['sandbox.save_template'].body, body, {
      name: '--name',
      description: '--description',
    });
    const { client } = await context.connections.sandbox();
    const { id } = await client['sandbox.save_template']({ params: { transactionId: args.id }, body });
    return {
      kind: 'record',
      headline: 'Saved the template.',
      json: { id, name: value },
      entries: [
        { key: 'id', label: 'Template', value: id },
        { key: 'name', label: 'Name', value },
      ],
    };
  },
});
