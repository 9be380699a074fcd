import { sandboxOperations } from '../../../api/contract/operations.ts';
import { defineCommand } from '../../command/command.ts';
import { boolean, list, nullable, object, prints, secret, text } from '../../command/json-output.ts';
import { showRecord, time } from '../../command/record.ts';
import { listUsers, showAddedUser, USER_JSON } from '../../command/user-records.ts';
import { checkValue } from '../../input/check-value.ts';
import { readPassword } from '../../input/files.ts';
import { parsePerson, recognizeCompany } from '../../input/person.ts';

export const commands = {
  add: defineCommand({
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
    json: prints(
      object({
        ...USER_JSON,
        verified_at: nullable(text),
        is_new_company: boolean,
      }),
    ),
    examples: [
      {
        line: 'esign sandbox users add "Grace <grace@example.com>" --company Navy',
        about: 'Add a user of another company',
      },
    ],
    async run(context, { args, options }) {
      const body = {
        ...parsePerson(args.person, 'PERSON'),
        ...(options.company !== undefined && { company: options.company }),
        ...(options['password-file'] !== undefined && {
          password: await readPassword(options['password-file'], context),
        }),
      };
      checkValue(sandboxOperations['sandbox.add_user'].body, body, {
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
      return showAddedUser(
        { ...user, is_new_company },
        similar === undefined
          ? []
          : [`"${user.company}" is a new company. The one with a similar name is "${similar}".`],
      );
    },
  }),

  list: defineCommand({
    summary: 'List the users of the sandbox',
    arguments: [],
    options: {},
    json: prints(
      object({
        items: list(object({ ...USER_JSON, verified_at: nullable(text) })),
      }),
    ),
    examples: [{ line: 'esign sandbox users list', about: 'List the users of the sandbox' }],
    async run(context) {
      const { client } = await context.connections.sandbox();
      const { items } = await client['sandbox.list_users']();
      return listUsers(items, { VERIFIED: ({ verified_at }) => (verified_at ? 'yes' : 'no') });
    },
  }),

  verify: defineCommand({
    summary: 'Verify a user who registered, so that their emails are sent',
    details:
      'With a mail server, emails are sent in the name of the default user, of users added with ' +
      '`esign sandbox users add`, and of users verified with this command. Emails of other users, who ' +
      'registered in the dashboard, stay in the mailbox. Verify only users you know.',
    arguments: [{ name: 'email', completes: 'user', summary: 'Email of the user' }],
    options: {},
    json: prints(object({ id: text, email: text, verified_at: text })),
    examples: [{ line: 'esign sandbox users verify hopper@example.com', about: 'Verify a user' }],
    async run(context, { args }) {
      const body = { email: args.email };
      checkValue(sandboxOperations['sandbox.verify_user'].body, body, { email: 'EMAIL' });
      const { client } = await context.connections.sandbox();
      const json = await client['sandbox.verify_user']({ body });
      return showRecord(
        json,
        { id: 'User', email: 'Email', verified_at: time('Verified') },
        { headline: 'User verified.' },
      );
    },
  }),

  password: defineCommand({
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
    json: prints(
      object({ email: text, 'password?': secret('PASSWORD') }),
      '; password only if it was generated',
    ),
    secrets: { again: 'Run the command again.', excludes: 'password-file' },
    examples: [
      { line: 'esign sandbox users password', about: 'Generate a password for the default user' },
      {
        line: 'esign sandbox users password hopper@example.com --password-file -',
        about: 'Set a password of your own from standard input',
      },
    ],
    async run(context, { args, options }) {
      const file = options['password-file'];
      const body = {
        ...(args.email !== undefined && { email: args.email }),
        ...(file !== undefined && { password: await readPassword(file, context) }),
      };
      checkValue(sandboxOperations['sandbox.set_password'].body, body, {
        email: 'EMAIL',
        password: 'The password in --password-file',
      });
      const { client } = await context.connections.sandbox();
      const json = await client['sandbox.set_password']({ body });
      return showRecord(
        json,
        { email: 'Email', password: 'Password' },
        { headline: json.password === undefined ? 'Password set.' : 'Password set. It is not shown again.' },
      );
    },
  }),
};
