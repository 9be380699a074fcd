import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'delete a client application',
  details: 'Everything issued to it stops working.',
  arguments: [{ name: 'id', summary: 'id of the application' }],
  options: {},
  json: '{id, removed}',
  examples: [{ line: 'esign sandbox apps delete ID', about: 'its tokens are refused from now on' }],
  async run(context, { args }) {
    const { client } = await context.connections.sandbox();
    const { removed } = await client['sandbox.delete_client']({ params: { clientId: args.id } });
    return {
      kind: 'record',
      headline: 'Deleted.',
      json: { id: args.id, removed },
      entries: [
        { key: 'id', label: 'Application', value: args.id },
        { key: 'removed', value: removed },
      ],
    };
  },
});
