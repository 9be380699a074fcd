import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Replace the secret that signs the notifications of an OAuth application',
  details:
    'The new secret is shown only once. For one day, events are signed with both the old and the new ' +
    'secret, so that the receiver can switch at any time.',
  arguments: [{ name: 'id', completes: 'application', summary: 'ID of the OAuth application' }],
  options: {},
  json: '{client_id, notification_secret, previous_valid_until}',
  examples: [{ line: 'esign sandbox apps rotate ID', about: 'Replace a secret that may have leaked' }],
  async run(context, { args }) {
    const { client } = await context.connections.sandbox();
    const rotated = await client['sandbox.rotate_notification_secret']({
      params: { clientId: args.id },
      body: {},
    });
    const until = rotated.previous_valid_until;
    return {
      kind: 'record',
      headline: 'Replaced the notification secret. The new secret is not shown again.',
      json: rotated,
      entries: [
        { key: 'client_id', label: 'Client ID', value: rotated.client_id },
        { key: 'notification_secret', label: 'Notification secret', value: rotated.notification_secret },
        { key: 'previous_valid_until', label: 'Previous secret valid until', value: { instant: until } },
      ],
    };
  },
});
