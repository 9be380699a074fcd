import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: "Set a user's dashboard password",
  details:
    'Without an email, sets the password of the default user of the sandbox. Without --password-file, a ' +
    'password is generated and shown only once. Existing dashboard sessions of the user are ended. ' +
    'The dashboard is available while `esign sandbox serve` is running, at the URL it prints.',
  arguments: [{ name: 'email', completes: 'user', summary: 'Email of the user', optional: true }],
  options: {
    'password-file': {
      value: 'FILE',
      completes: 'file',
      summary: 'File whose only line is the password; - reads standard input',
    },
  },
  json: '{email, password?}; password only if it was generated',
  examples: [
    { line: 'esign sandbox users password', about: 'Generate a password for the default user' },
    {
      line: 'esign sandbox users password hopper@example.com --password-file -',
      about: 'Set a password of your own from standard input',
    },
  ],
  async run(context, { args, options }) {
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    const { readPassword } = await import('../../../input/files.ts');
    const file = options['password-file'];
    const body = {
      ...(args.email !== undefined && { email: args.email }),
      ...(file !== undefined && { password: await readPassword(file, context) }),
    };
    checked(sandboxOperations['sandbox.set_password'].body, body, {
      email: 'EMAIL',
      password: 'The password in --password-file',
    });
    const { client } = await context.connections.sandbox();
    const json = await client['sandbox.set_password']({ body });
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
