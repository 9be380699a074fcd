import { defineCommand } from '../../command/command.ts';
import { WEBHOOK_JSON } from './webhook-json.ts';

export const command = defineCommand({
  summary: 'Enable a disabled webhook',
  details:
    'The webhook receives events that happen from now on. To send events it missed, use `esign events ' +
    'replay`.',
  arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
  options: {},
  json: WEBHOOK_JSON,
  examples: [{ line: 'esign webhooks enable ID', about: 'Resume sending events to a webhook' }],
  async run(context, { args }) {
    const { webhookPage } = await import('./webhook-page.ts');
    const { client } = await context.connections.connect();
    const webhook = await client['webhook.enable']({ params: { webhookId: args.id } });
    const missed = webhook.deliveries?.undelivered ?? 0;
    return {
      ...webhookPage(webhook, 'Enabled the webhook. It receives events that happen from now on.'),
      ...(missed > 0 && {
        notes: [
          `${missed === 1 ? '1 event was' : `${missed} events were`} not delivered. To send ${missed === 1 ? 'it' : 'them'}, run \`esign events replay --since 7d --undelivered --webhook ${webhook.id}\`.`,
        ],
      }),
    };
  },
});
