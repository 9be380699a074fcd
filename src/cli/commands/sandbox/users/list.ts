import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'list the users',
  arguments: [],
  options: {},
  json: '{items: [{id, name, email, company, created_at}]}',
  examples: [{ line: 'esign sandbox users list', about: 'who there is' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { items } = await client['sandbox.list_users']();
    return {
      kind: 'list',
      json: { items },
      empty: 'No users.',
      table: {
        columns: ['ID', 'NAME', 'E-MAIL', 'COMPANY'],
        rows: items.map(({ id, name, email, company }) => [id, name, email, company]),
      },
    };
  },
});
