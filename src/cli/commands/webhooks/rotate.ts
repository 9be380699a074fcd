import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Replace the secret of a webhook',
  details:
    'The new secret is shown only once. For one day, deliveries are signed with both the old and the new ' +
    'secret, so that the receiver can switch at any time.',
  arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
  options: {},
  json: '{id, secret, previous_valid_until}',
  examples: [{ line: 'esign webhooks rotate ID', about: 'Replace a secret that may have leaked' }],
  async run(context, { args }) {
    const { client } = await context.connections.connect();
    const rotated = await client['webhook.rotate']({ params: { webhookId: args.id }, body: {} });
    const until = rotated.previous_valid_until;
    return {
      kind: 'record',
      headline: 'Replaced the secret of the webhook. The new secret is not shown again.',
      json: rotated,
      entries: [
        { key: 'id', label: 'Webhook', value: rotated.id },
        { key: 'secret', label: 'Secret', value: rotated.secret },
        {
          key: 'previous_valid_until',
          label: 'Previous secret valid until',
          value: until ? { instant: until } : undefined,
        },
      ],
    };
  },
});
