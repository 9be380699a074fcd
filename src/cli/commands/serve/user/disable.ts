import { defineCommand } from '../../../command/command.ts';
import { DATABASE_OPTIONS } from '../../../input/serve-options.ts';

export const command = defineCommand({
  summary: 'Disable a user of a team server, and end all access',
  details:
    "Removes the user's password, ends the dashboard sessions and revokes the access tokens, also those of scripts. What the user " +
    'created stays: transactions go on, and OAuth applications and webhooks belong to the company. To give access again, run ' +
    '`esign serve user password`.',
  arguments: [{ name: 'email', completes: 'user', summary: 'Email of the user' }],
  options: DATABASE_OPTIONS,
  json: '{id, email, sessions, tokens}; the number of sessions and tokens that were ended',
  examples: [
    {
      line: 'esign serve user disable ada@example.com --yes',
      about: 'Disable a user who leaves the team, without confirmation',
    },
  ],
  async run(context, { args: { email }, options }) {
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    const { cliError } = await import('../../../command/errors.ts');
    const { unknownUser } = await import('../../../input/person.ts');
    checked(sandboxOperations['sandbox.verify_user'].body, { email }, { email: 'EMAIL' });
    const { users } = await context.connections.openTeamServer({ ...options, migrates: false });
    const question = `End all access of ${email}, including the access tokens of scripts?`;
    if (!(await context.prompts.confirm(question))) throw cliError('not_confirmed');
    const json = await users.disable(email);
    if (!json) throw await unknownUser(email, users);
    return {
      kind: 'record',
      headline: 'Disabled the user.',
      json,
      entries: [
        { key: 'id', label: 'User', value: json.id },
        { key: 'email', label: 'Email', value: json.email },
        { key: 'sessions', label: 'Sessions ended', value: json.sessions },
        { key: 'tokens', label: 'Tokens revoked', value: json.tokens },
      ],
    };
  },
});
