import { sandboxOperations } from '../../../api/contract/operations.ts';
import { INSTALLATION_OPTIONS } from '../../../config/serve-settings.ts';
import { defineCommand } from '../../command/command.ts';
import { cliError } from '../../command/errors.ts';
import { boolean, list, number, object, prints, secret, text } from '../../command/json-output.ts';
import { showRecord } from '../../command/record.ts';
import { listUsers, showAddedUser, USER_JSON } from '../../command/user-records.ts';
import { checkValue } from '../../input/check-value.ts';
import { readPassword } from '../../input/files.ts';
import { parsePerson, recognizeCompany, unknownUser } from '../../input/person.ts';
import { notConfirmed } from '../../terminal/prompts.ts';

export const commands = {
  add: defineCommand({
    summary: 'Add a user to a team server',
    details:
      'Adds a user directly in the database, without an email. The user signs in at the dashboard with the password, and can ' +
      'create OAuth applications and tokens there. A company begins with its first user; its users share its transactions, OAuth ' +
      'applications and webhooks.',
    arguments: [{ name: 'person', summary: 'User as "Name <email>"' }],
    options: {
      ...INSTALLATION_OPTIONS,
      company: { value: 'NAME', required: true, summary: "Name of the user's company" },
      'new-company': { summary: 'Make a new company even if its name is similar to that of another one' },
      'password-file': {
        value: 'FILE',
        completes: 'file',
        required: true,
        summary: 'File whose only line is the password; - reads standard input',
      },
    },
    json: prints(
      object({
        ...USER_JSON,
        is_new_company: boolean,
      }),
    ),
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
      const person = parsePerson(args.person, 'PERSON');
      const password = await readPassword(file, context);
      checkValue(
        sandboxOperations['sandbox.add_user'].body,
        { ...person, company, password },
        { company: '--company', password: 'The password in --password-file' },
      );
      const team = await context.connections.openTeamServer({ ...options, migrates: 'where empty' });
      const companies = (await team.users.list()).map((user) => user.company);
      const { isNew: is_new_company, similar } = recognizeCompany(company, companies);
      if (similar !== undefined && !isMeant)
        throw cliError('company_unknown', {
          sentence: `There is no company "${company}", but one with a similar name. No user was added.`,
          hint: `Did you mean --company ${similar.includes(' ') ? `"${similar}"` : similar}? Users see only what belongs to their own company. To make another company, add --new-company.`,
        });
      const user = await team.users.add({ ...person, company, password });
      if (!user)
        throw cliError('user_known', {
          sentence: `A user with the email address ${person.email} exists already.`,
          hint: 'Use another email address.',
        });
      return showAddedUser({ ...user, is_new_company });
    },
  }),

  list: defineCommand({
    summary: 'List the users of a team server',
    details:
      'A user who has no password, or whose access was ended with `esign serve user disable`, cannot sign in.',
    arguments: [],
    options: INSTALLATION_OPTIONS,
    json: prints(
      object({
        items: list(object({ ...USER_JSON, can_sign_in: boolean })),
      }),
    ),
    examples: [
      {
        line: 'esign serve user list',
        about: 'List all users; the database and the key come from ESIGN_SERVE_*',
      },
    ],
    async run(context, { options }) {
      const { users } = await context.connections.openTeamServer({ ...options, migrates: false });
      const items = await users.list();
      return listUsers(items, { 'SIGN-IN': ({ can_sign_in }) => (can_sign_in ? 'yes' : 'no') });
    },
  }),

  password: defineCommand({
    summary: 'Set the password of a user of a team server',
    details:
      'Without --password-file, a password is generated and shown only once. The dashboard sessions of the user are ended; ' +
      'access tokens stay valid. Gives access again to a user whose access was ended with `esign serve user disable`.',
    arguments: [{ name: 'email', completes: 'user', summary: 'Email of the user' }],
    options: {
      ...INSTALLATION_OPTIONS,
      'password-file': {
        value: 'FILE',
        completes: 'file',
        summary: 'File whose only line is the password; - reads standard input',
      },
    },
    json: prints(
      object({ email: text, 'password?': secret('PASSWORD') }),
      '; password only if it was generated',
    ),
    secrets: { again: 'Run the command again.', excludes: 'password-file' },
    examples: [
      { line: 'esign serve user password ada@example.com', about: 'Generate a new password' },
      {
        line: 'esign serve user password ada@example.com --password-file -',
        about: 'Set a password from standard input',
      },
    ],
    async run(context, { args: { email }, options: { 'password-file': file, ...options } }) {
      const password = file === undefined ? undefined : await readPassword(file, context);
      checkValue(
        sandboxOperations['sandbox.set_password'].body,
        { email, ...(password !== undefined && { password }) },
        { email: 'EMAIL', password: 'The password in --password-file' },
      );
      const { users } = await context.connections.openTeamServer({ ...options, migrates: false });
      const json = await users.setPassword(email, password);
      if (!json) throw await unknownUser(email, users);
      return showRecord(
        json,
        { email: 'Email', password: 'Password' },
        { headline: json.password === undefined ? 'Password set.' : 'Password set. It is not shown again.' },
      );
    },
  }),

  disable: defineCommand({
    summary: 'Disable a user of a team server, and end all access',
    details:
      "Removes the user's password, ends the dashboard sessions and revokes the access tokens, also those of scripts. What the user " +
      'created stays: transactions go on, and OAuth applications and webhooks belong to the company. To give access again, run ' +
      '`esign serve user password`.',
    arguments: [{ name: 'email', completes: 'user', summary: 'Email of the user' }],
    options: INSTALLATION_OPTIONS,
    json: prints(
      object({ id: text, email: text, sessions: number, tokens: number }),
      '; the number of sessions and tokens that were ended',
    ),
    examples: [
      {
        line: 'esign serve user disable ada@example.com --yes',
        about: 'Disable a user who leaves the team, without confirmation',
      },
    ],
    async run(context, { args: { email }, options }) {
      checkValue(sandboxOperations['sandbox.verify_user'].body, { email }, { email: 'EMAIL' });
      const { users } = await context.connections.openTeamServer({ ...options, migrates: false });
      const question = `End all access of ${email}, including the access tokens of scripts?`;
      if (!(await context.prompts.confirm(question))) throw notConfirmed();
      const json = await users.disable(email);
      if (!json) throw await unknownUser(email, users);
      return showRecord(
        json,
        { id: 'User', email: 'Email', sessions: 'Sessions ended', tokens: 'Tokens revoked' },
        { headline: 'Disabled the user.' },
      );
    },
  }),
};
