import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Show the URL of the sandbox and what it contains',
  arguments: [],
  options: {},
  json: '{origin, now, transactions: {draft, started, completed, rejected, expired, cancelled}, templates, users, clients, events, mails}',
  examples: [{ line: 'esign sandbox status', about: 'Show the URL, and count what the sandbox contains' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const status = await client['sandbox.status']();
    const counts = Object.entries(status.transactions);
    return {
      kind: 'record',
      json: status,
      entries: [
        { key: 'origin', label: 'URL', value: status.origin },
        { key: 'now', label: 'Sandbox clock', value: { instant: status.now } },
        ...counts.map(([state, count]) => ({ key: state, label: `Transactions ${state}`, value: count })),
        { key: 'templates', label: 'Templates', value: status.templates },
        { key: 'users', label: 'Users', value: status.users },
        { key: 'clients', label: 'OAuth applications', value: status.clients },
        { key: 'events', label: 'Events', value: status.events },
        { key: 'mails', label: 'Emails', value: status.mails },
      ],
    };
  },
});
