import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Open the mailbox, or one of its emails, in the browser',
  details:
    'Opens the dashboard page with all emails, or with one. The URL is always printed; the browser opens ' +
    'only when you are at a terminal. The page is available while `esign sandbox serve` is running, to ' +
    'users who have logged in; `esign sandbox users password` sets a password.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the email (default: all emails)' }],
  options: {},
  json: '{id, url, opened: false}; id is null if none was given',
  examples: [{ line: 'esign sandbox mailbox open', about: 'Open the mailbox in the browser' }],
  async run(context, { args }) {
    const { browseTo } = await import('../../../transactions/browse.ts');
    const connection = await context.connections.sandbox();
    const id = args.id ?? null;
    // One that does not exist is said here, and not by a page.
    if (id !== null) await connection.client['sandbox.mail_detail']({ params: { mailId: id } });
    const url = `${connection.origin}/mailbox${id === null ? '' : `/${id}`}`;
    const { opened, notes } = await browseTo(context, connection, url);
    return {
      kind: 'record',
      json: { id, url, opened },
      entries: [{ key: 'url', label: 'Mailbox', value: url }],
      notes,
    };
  },
});
