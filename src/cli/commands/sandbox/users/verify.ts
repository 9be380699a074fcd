import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Verify a user who registered, so that their emails are sent',
  details:
    'With a mail server, emails are sent in the name of the default user, of users added with ' +
    '`esign sandbox users add`, and of users verified with this command. Emails of other users, who ' +
    'registered in the dashboard, stay in the mailbox. Verify only users you know.',
  arguments: [{ name: 'email', completes: 'user', summary: 'Email of the user' }],
  options: {},
  json: '{id, email, verified_at}',
  examples: [{ line: 'esign sandbox users verify hopper@example.com', about: 'Verify a user' }],
  async run(context, { args }) {
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    const body = { email: args.email };
    checked(sandboxOperations['sandbox.verify_user'].body, body, { email: 'EMAIL' });
    const { client } = await context.connections.sandbox();
    const json = await client['sandbox.verify_user']({ body });
    return {
      kind: 'record',
      headline: 'User verified.',
      json,
      entries: [
        { key: 'id', label: 'User', value: json.id },
        { key: 'email', label: 'Email', value: json.email },
        { key: 'verified_at', label: 'Verified', value: { instant: json.verified_at } },
      ],
    };
  },
});
