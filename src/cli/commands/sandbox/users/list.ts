import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'List the users of the sandbox',
  arguments: [],
  options: {},
  json: '{items: [{id, name, email, company, created_at, verified_at}]}',
  examples: [{ line: 'esign sandbox users list', about: 'List the users of the sandbox' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { items } = await client['sandbox.list_users']();
    return {
      kind: 'list',
      json: { items },
      empty: 'No users.',
      table: {
        columns: ['ID', 'NAME', 'EMAIL', 'COMPANY', 'VERIFIED'],
        rows: items.map(({ id, name, email, company, verified_at }) => [
          id,
          name,
          email,
          company,
          verified_at ? 'yes' : 'no',
        ]),
      },
    };
  },
});
