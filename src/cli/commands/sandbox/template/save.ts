import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'save a transaction as a reusable template',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'id of the transaction' }],
  options: {
    name: { value: 'TEXT', summary: 'name of the template' },
    description: { value: 'TEXT', summary: 'description' },
  },
  json: '{id, name}',
  examples: [
    {
      line: 'esign sandbox template save ID --name "Maintenance agreement"',
      about: 'use it again with --template',
    },
  ],
  async run(context, { args, options }) {
    const { askFor } = await import('../../../input/ask-for.ts');
    const { value } = await askFor(context, {
      value: { what: 'Name of the template', flag: '--name TEXT', given: options.name },
    });
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { checked } = await import('../../../input/checked.ts');
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
      headline: 'Saved.',
      json: { id, name: value },
      entries: [
        { key: 'id', label: 'Template', value: id },
        { key: 'name', label: 'Name', value },
      ],
    };
  },
});
