import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'list the client applications',
  arguments: [],
  options: {},
  json: '{items: [{id, name, callback_url, client_id, created_at}]}',
  examples: [{ line: 'esign sandbox apps list', about: 'client ids' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { items } = await client['sandbox.list_clients']();
    return {
      kind: 'list',
      json: { items },
      empty: 'No client applications.',
      table: {
        columns: ['ID', 'NAME', 'CLIENT ID', 'CALLBACK'],
        rows: items.map((one) => [one.id, one.name, one.client_id, one.callback_url]),
      },
    };
  },
});
