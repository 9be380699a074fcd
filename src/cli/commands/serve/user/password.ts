import { defineCommand } from '../../../command/command.ts';
import { DATABASE_OPTIONS } from '../../../input/serve-options.ts';

export const command = defineCommand({
  summary: 'Set the password of a user of a team server',
  details:
    'Without --password-file, a password is generated and shown only once. The dashboard sessions of the user are ended; ' +
    'access tokens stay valid. Gives access again to a user whose access was ended with `esign serve user disable`.',
  arguments: [{ name: 'email', completes: 'user', summary: 'Email of the user' }],
  options: {
    ...DATABASE_OPTIONS,
    'password-file': {
      value: 'FILE',
      completes: 'file',
      summary: 'File whose only line is the password; - reads standard input',
    },
  },
  json: '{email, password?}; password only if it was generated',
  examples: [
    { line: 'esign serve user password ada@example.com', about: 'Generate a new password' },
    {
      line: 'esign serve user password ada@example.com --password-file -',
      about: 'Set a password from standard input',
    },
  ],
  async run(context, { args: { email }, options: { 'password-file': file, ...options } }) {
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    const { readPassword } = await import('../../../input/files.ts');
    const { unknownUser } = await import('../../../input/person.ts');
    const password = file === undefined ? undefined : await readPassword(file, context);
    checked(
      sandboxOperations['sandbox.set_password'].body,
      { email, ...(password !== undefined && { password }) },
      { email: 'EMAIL', password: 'The password in --password-file' },
    );
    const { users } = await context.connections.openTeamServer({ ...options, migrates: false });
    const json = await users.setPassword(email, password);
    if (!json) throw await unknownUser(email, users);
    return {
      kind: 'record',
      headline: json.password === undefined ? 'Password set.' : 'Password set. It is not shown again.',
      json,
      entries: [
        { key: 'email', label: 'Email', value: json.email },
        { key: 'password', label: 'Password', value: json.password },
      ],
    };
  },
});
