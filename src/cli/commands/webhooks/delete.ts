import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Delete a webhook',
  arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
  options: {},
  json: '{id, removed}',
  examples: [{ line: 'esign webhooks delete ID', about: 'Delete a webhook and stop its events' }],
  async run(context, { args }) {
    const { client } = await context.connections.connect();
    const { removed } = await client['webhook.delete']({ params: { webhookId: args.id } });
    return {
      kind: 'record',
      headline: 'Deleted the webhook.',
      json: { id: args.id, removed },
      entries: [
        { key: 'id', label: 'Webhook', value: args.id },
        { key: 'removed', value: removed },
      ],
    };
  },
});
