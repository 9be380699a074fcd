import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'List the OAuth applications',
  arguments: [],
  options: {},
  json: '{items: [{id, name, callback_url, is_public, client_id, created_at}]}',
  examples: [{ line: 'esign sandbox apps list', about: 'List the OAuth applications with their client IDs' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { items } = await client['sandbox.list_clients']();
    return {
      kind: 'list',
      json: { items },
      empty: 'No OAuth applications.',
      table: {
        columns: ['ID', 'NAME', 'TYPE', 'CLIENT ID', 'CALLBACK'],
        rows: items.map((app) => [
          app.id,
          app.name,
          app.is_public === true ? 'public' : 'with secret',
          app.client_id,
          app.callback_url,
        ]),
      },
    };
  },
});
