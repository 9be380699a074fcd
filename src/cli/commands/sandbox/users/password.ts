import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'give a user a password for the dashboard',
  details:
    'Left out, the user is the own one of the sandbox, and the password is made up and shown this once. Whoever is ' +
    'signed in as that user is signed out. Sign in while `esign sandbox serve` runs, at the address it prints.',
  arguments: [{ name: 'email', summary: 'e-mail of the user', optional: true }],
  options: {
    'password-file': {
      value: 'FILE',
      completes: 'file',
      summary: 'its only line is the password; - is standard input',
    },
  },
  json: '{email, password}; the password is there only when it was made up',
  examples: [
    { line: 'esign sandbox users password', about: 'sign in as the own user of the sandbox' },
    {
      line: 'esign sandbox users password hopper@example.com --password-file -',
      about: 'choose it, and type it or pipe it in',
    },
  ],
  async run(context, { args, options }) {
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { checked } = await import('../../../input/checked.ts');
    const { readPassword } = await import('../../../input/password-file.ts');
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
      headline: json.password === undefined ? 'The password is set.' : 'The password is shown this once.',
      json,
      entries: [
        { key: 'email', label: 'E-mail', value: json.email },
        { key: 'password', label: 'Password', value: json.password },
      ],
    };
  },
});
