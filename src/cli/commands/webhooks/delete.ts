import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'delete a webhook',
  arguments: [{ name: 'id', completes: 'webhook', summary: 'id of the webhook' }],
  options: {},
  json: '{id, removed}',
  examples: [{ line: 'esign webhooks delete ID', about: 'no events are sent there any more' }],
  async run(context, { args }) {
    const { client } = await context.connections.connect();
    const { removed } = await client['webhook.delete']({ params: { webhookId: args.id } });
    return {
      kind: 'record',
      headline: 'Deleted.',
      json: { id: args.id, removed },
      entries: [
        { key: 'id', label: 'Webhook', value: args.id },
        { key: 'removed', value: removed },
      ],
    };
  },
});
