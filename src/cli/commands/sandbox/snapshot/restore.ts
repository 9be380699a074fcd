import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Restore a saved state of the sandbox',
  details:
    'What happened after the snapshot is lost. The URL and the keys stay. The sandbox may be served meanwhile.',
  arguments: [
    {
      name: 'name',
      completes: 'snapshot',
      summary: 'Name of the snapshot, in lowercase letters, digits and hyphens',
    },
  ],
  options: {},
  json: '{name}',
  examples: [
    {
      line: 'esign sandbox snapshot restore before-signing',
      about: 'Begin the next test with the same state',
    },
  ],
  async check(_, { args: { name } }) {
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    checked(sandboxOperations['sandbox.restore_snapshot'].params, { name }, { name: 'NAME' });
  },
  async run(context, { args }) {
    const { client } = await context.connections.sandbox();
    await client['sandbox.restore_snapshot']({ params: { name: args.name }, body: {} });
    return {
      kind: 'record',
      headline: 'Restored the state of the sandbox.',
      json: { name: args.name },
      entries: [{ key: 'name', label: 'Snapshot', value: args.name }],
    };
  },
});
