import { defineCommand } from '../../../command/command.ts';
import { DATABASE_OPTIONS } from '../../../input/serve-options.ts';

export const command = defineCommand({
  summary: 'List the users of a team server',
  details:
    'A user who has no password, or whose access was ended with `esign serve user disable`, cannot sign in.',
  arguments: [],
  options: DATABASE_OPTIONS,
  json: '{items: [{id, name, email, company, created_at, can_sign_in}]}',
  examples: [
    {
      line: 'esign serve user list',
      about: 'List all users; the database and the key come from ESIGN_SERVE_*',
    },
  ],
  async run(context, { options }) {
    const { users } = await context.connections.openTeamServer({ ...options, migrates: false });
    const items = await users.list();
    return {
      kind: 'list',
      json: { items },
      empty: 'No users.',
      table: {
        columns: ['ID', 'NAME', 'EMAIL', 'COMPANY', 'SIGN-IN'],
        rows: items.map(({ id, name, email, company, can_sign_in }) => [
          id,
          name,
          email,
          company,
          can_sign_in ? 'yes' : 'no',
        ]),
      },
    };
  },
});
