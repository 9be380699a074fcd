import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Add a user to the sandbox',
  arguments: [{ name: 'person', summary: 'User as "Name <email>"' }],
  options: {
    company: { value: 'NAME', summary: "Name of the user's company (default: the company of the sandbox)" },
    'password-file': {
      value: 'FILE',
      completes: 'file',
      summary: 'File whose only line is the dashboard password; - reads standard input',
    },
  },
  json: '{id, name, email, company, created_at, verified_at, is_new_company}',
  examples: [
    {
      line: 'esign sandbox users add "Grace <grace@example.com>" --company Navy',
      about: 'Add a user of another company',
    },
  ],
  async run(context, { args, options }) {
    const { parsePerson } = await import('../../../input/person.ts');
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    const { recognizeCompany } = await import('../../../input/person.ts');
    const { readPassword } = await import('../../../input/files.ts');
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
    const { items } = await client['sandbox.list_users']();
    const user = await client['sandbox.add_user']({ body });
    const { isNew: is_new_company, similar } = recognizeCompany(
      user.company,
      items.map(({ company }) => company),
    );
    return {
      kind: 'record',
      headline: is_new_company ? 'Added the user and a new company.' : 'Added the user.',
      json: { ...user, is_new_company },
      entries: [
        { key: 'id', label: 'User', value: user.id },
        { key: 'name', label: 'Name', value: user.name },
        { key: 'email', label: 'Email', value: user.email },
        { key: 'company', label: 'Company', value: user.company },
      ],
      ...(similar !== undefined && {
        notes: [`"${user.company}" is a new company. The one with a similar name is "${similar}".`],
      }),
    };
  },
});
