import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Save the state of the sandbox',
  details:
    'Saves everything: transactions, users, events, emails, and the clock. A snapshot with this name is replaced. The sandbox may be served meanwhile.',
  arguments: [{ name: 'name', summary: 'Name of the snapshot, in lowercase letters, digits and hyphens' }],
  options: {},
  json: '{name}',
  examples: [
    { line: 'esign sandbox snapshot save before-signing', about: 'Save a state that tests begin with' },
  ],
  async check(_, { args: { name } }) {
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    checked(sandboxOperations['sandbox.save_snapshot'].params, { name }, { name: 'NAME' });
  },
  async run(context, { args }) {
    const { client } = await context.connections.sandbox();
    await client['sandbox.save_snapshot']({ params: { name: args.name }, body: {} });
    return {
      kind: 'record',
      headline: 'Saved the state of the sandbox.',
      json: { name: args.name },
      entries: [{ key: 'name', label: 'Snapshot', value: args.name }],
    };
  },
});
