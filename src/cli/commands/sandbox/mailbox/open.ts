import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Open the mailbox, or one of its emails, in the browser',
  details:
    'Opens the dashboard page with all emails, or with one, and signs you in. The browser opens only when you are at a ' +
    'terminal. Otherwise a sign-in URL is printed: it works once, within two minutes, on this machine. The page ' +
    'is available while `esign sandbox serve` is running.',
  arguments: [
    { name: 'id', optional: true, completes: 'mail', summary: 'ID of the email (default: all emails)' },
  ],
  options: {},
  json: '{id, url, sign_in_url, opened: false}; id is null if none was given',
  examples: [{ line: 'esign sandbox mailbox open', about: 'Open the mailbox in the browser' }],
  async run(context, { args }) {
    const { openDashboard } = await import('../../../sending/browse.ts');
    const id = args.id ?? null;
    const opened = await openDashboard(
      context,
      'Mailbox',
      id === null ? { page: 'mailbox' } : { mail_id: id },
    );
    return { ...opened, json: { id, ...opened.json } };
  },
});
