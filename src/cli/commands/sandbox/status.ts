import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'count what is in the sandbox',
  arguments: [],
  options: {},
  json: '{origin, now, transactions: {draft, started, completed, rejected, expired, cancelled}, templates, users, clients, events}',
  examples: [{ line: 'esign sandbox status', about: 'what there is' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const status = await client['sandbox.status']();
    const counts = Object.entries(status.transactions);
    return {
      kind: 'record',
      json: status,
      entries: [
        { key: 'origin', label: 'Address', value: status.origin },
        { key: 'now', label: 'Its time', value: status.now },
        ...counts.map(([state, count]) => ({ key: state, label: `Transactions ${state}`, value: count })),
        { key: 'templates', label: 'Templates', value: status.templates },
        { key: 'users', label: 'Users', value: status.users },
        { key: 'clients', label: 'Applications', value: status.clients },
        { key: 'events', label: 'Events', value: status.events },
      ],
    };
  },
});
