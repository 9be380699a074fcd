import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'add a user',
  arguments: [{ name: 'person', summary: '"Name <email>"' }],
  options: {
    company: { value: 'NAME', summary: 'company of that name; left out, the one of the sandbox' },
    'password-file': {
      value: 'FILE',
      completes: 'file',
      summary: 'its only line is a password for the dashboard; - is standard input',
    },
  },
  json: '{id, name, email, company, created_at}',
  examples: [
    {
      line: 'esign sandbox users add "Grace <grace@example.com>" --company Navy',
      about: 'somebody of another company',
    },
  ],
  async run(context, { args, options }) {
    const { parsePerson } = await import('../../../input/person.ts');
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { checked } = await import('../../../input/checked.ts');
    const { readPassword } = await import('../../../input/password-file.ts');
    const body = {
      ...parsePerson(args.person, 'PERSON'),
      ...(options.company !== undefined && { company: options.company }),
      ...(options['password-file'] !== undefined && {
        password: await readPassword(options['password-file'], context),
      }),
    };
    checked(sandboxOperations['sandbox.add_user'].body, body, {
      company: '--company',
      password: 'The password in --password-file',
    });
    const { client } = await context.connections.sandbox();
    const user = await client['sandbox.add_user']({ body });
    return {
      kind: 'record',
      headline: 'Added.',
      json: user,
      entries: [
        { key: 'id', label: 'User', value: user.id },
        { key: 'name', label: 'Name', value: user.name },
        { key: 'email', label: 'E-mail', value: user.email },
        { key: 'company', label: 'Company', value: user.company },
      ],
    };
  },
});
