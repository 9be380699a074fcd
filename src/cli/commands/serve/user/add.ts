import { defineCommand } from '../../../command/command.ts';
import { DATABASE_OPTIONS } from '../../../input/serve-options.ts';

export const command = defineCommand({
  summary: 'Add a user to a team server',
  details:
    'Adds a user directly in the database, without an email. The user signs in at the dashboard with the password, and can ' +
    'create OAuth applications and tokens there. A company begins with its first user; its users share its transactions, OAuth ' +
    'applications and webhooks.',
  arguments: [{ name: 'person', summary: 'User as "Name <email>"' }],
  options: {
    ...DATABASE_OPTIONS,
    company: { value: 'NAME', required: true, summary: "Name of the user's company" },
    'new-company': { summary: 'Make a new company even if its name is similar to that of another one' },
    'password-file': {
      value: 'FILE',
      completes: 'file',
      required: true,
      summary: 'File whose only line is the password; - reads standard input',
    },
  },
  json: '{id, name, email, company, created_at, is_new_company}',
  examples: [
    {
      line: 'esign serve user add "Ada <ada@example.com>" --company Engines --password-file -',
      about: 'Add the first user; the database and the key come from ESIGN_SERVE_*',
    },
  ],
  async run(
    context,
    { args, options: { company, 'password-file': file, 'new-company': isMeant, ...options } },
  ) {
    const { parsePerson } = await import('../../../input/person.ts');
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    const { readPassword } = await import('../../../input/files.ts');
    const { cliError } = await import('../../../command/errors.ts');
    const { recognizeCompany } = await import('../../../input/person.ts');
    const person = parsePerson(args.person, 'PERSON');
    const password = await readPassword(file, context);
    checked(
      sandboxOperations['sandbox.add_user'].body,
      { ...person, company, password },
      { company: '--company', password: 'The password in --password-file' },
    );
    const team = await context.connections.openTeamServer({ ...options, migrates: 'where empty' });
    const companies = (await team.users.list()).map((user) => user.company);
    const { isNew: is_new_company, similar } = recognizeCompany(company, companies);
    if (similar !== undefined && !isMeant) throw cliError('company_unknown', { company, meant: similar });
    const user = await team.users.add({ ...person, company, password });
    if (!user) throw cliError('user_known', { email: person.email });
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
    };
  },
});
