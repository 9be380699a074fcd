import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Delete a snapshot of the sandbox',
  arguments: [
    {
      name: 'name',
      completes: 'snapshot',
      summary: 'Name of the snapshot, in lowercase letters, digits and hyphens',
    },
  ],
  options: {},
  json: '{name}',
  examples: [{ line: 'esign sandbox snapshot delete before-signing', about: 'Delete a snapshot' }],
  async check(_, { args: { name } }) {
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    checked(sandboxOperations['sandbox.delete_snapshot'].params, { name }, { name: 'NAME' });
  },
  async run(context, { args }) {
    const { client } = await context.connections.sandbox();
    await client['sandbox.delete_snapshot']({ params: { name: args.name } });
    return {
      kind: 'record',
      headline: 'Deleted the snapshot.',
      json: { name: args.name },
      entries: [{ key: 'name', label: 'Snapshot', value: args.name }],
    };
  },
});
