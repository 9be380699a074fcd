import { defineCommand } from '../../command/command.ts';
import { WEBHOOK_JSON } from './webhook-json.ts';

export const command = defineCommand({
  summary: 'Show a webhook and its recent deliveries',
  details:
    'Shows whether the webhook is enabled, how many deliveries are waiting, delivered or undelivered, ' +
    'and the results of the last attempts. If the webhook was disabled, the reason is shown; a receiver ' +
    'that responds with 410 disables it.',
  arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
  options: {},
  json: WEBHOOK_JSON,
  examples: [{ line: 'esign webhooks show ID', about: 'Check whether events arrive' }],
  async run(context, { args }) {
    const { webhookPage } = await import('./webhook-page.ts');
    const { client } = await context.connections.connect();
    return webhookPage(await client['webhook.detail']({ params: { webhookId: args.id } }));
  },
});
