import { defineCommand } from '../../command/command.ts';
import { WEBHOOK_JSON } from './webhook-json.ts';

export const command = defineCommand({
  summary: 'Disable a webhook',
  details:
    'Stops sending events to the webhook. Waiting deliveries become undelivered; they are kept and can ' +
    'be replayed.',
  arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
  options: {},
  json: WEBHOOK_JSON,
  examples: [{ line: 'esign webhooks disable ID', about: 'Stop sending events while the receiver is down' }],
  async run(context, { args }) {
    const { webhookPage } = await import('./webhook-page.ts');
    const { client } = await context.connections.connect();
    const params = { webhookId: args.id };
    const before = await client['webhook.detail']({ params });
    const waiting = before.deliveries?.waiting ?? 0;
    const headline =
      waiting === 0
        ? 'Disabled the webhook. No deliveries were waiting.'
        : `Disabled the webhook. ${waiting} waiting ${waiting === 1 ? 'delivery is' : 'deliveries are'} undelivered now.`;
    return webhookPage(await client['webhook.disable']({ params }), headline);
  },
});
