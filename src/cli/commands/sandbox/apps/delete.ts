import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Delete an OAuth application',
  details: 'All tokens issued to the OAuth application stop working.',
  arguments: [{ name: 'id', completes: 'application', summary: 'ID of the OAuth application' }],
  options: {},
  json: '{id, removed}',
  examples: [{ line: 'esign sandbox apps delete ID', about: 'Delete an OAuth application and its tokens' }],
  async run(context, { args }) {
    const { client } = await context.connections.sandbox();
    const { removed } = await client['sandbox.delete_client']({ params: { clientId: args.id } });
    return {
      kind: 'record',
      headline: 'Deleted the OAuth application.',
      json: { id: args.id, removed },
      entries: [
        { key: 'id', label: 'Application', value: args.id },
        { key: 'removed', value: removed },
      ],
    };
  },
});
