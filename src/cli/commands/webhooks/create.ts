import { defineCommand } from '../../command.ts';

export const command = defineCommand({
  summary: 'create a webhook',
  arguments: [],
  options: {
    name: { value: 'TEXT', required: true, summary: 'name, up to 255 characters' },
    endpoint: { value: 'URL', required: true, summary: 'https address that events are sent to' },
    event: {
      value: 'TYPE',
      repeat: true,
      completes: 'event',
      summary: 'event type; see `esign help events`',
    },
  },
  json: '{id, secret}; the secret only where the service has one',
  examples: [
    {
      line: 'esign webhooks create --name Orders --endpoint https://hooks.example.com/esign --event transaction_completed',
      about: 'be told when everybody has signed',
    },
  ],
  async run(app, { options }) {
    const { webhookOperations } = await import('../../../api/contract/webhooks.ts');
    const { checked } = await import('../../input/checked.ts');
    const body = { name: options.name, endpoint: options.endpoint, events: options.event };
    checked(webhookOperations['webhook.create'].body, body, {
      name: '--name',
      endpoint: '--endpoint',
      events: '--event',
    });
    const { client } = await app.connect();
    const answer = await client['webhook.create']({
      body: body as Parameters<(typeof client)['webhook.create']>[0]['body'],
    });
    return {
      kind: 'record',
      headline: 'Webhook created. The secret is shown this once.',
      json: answer,
      entries: [
        { key: 'id', label: 'Webhook', value: answer.id },
        { key: 'secret', label: 'Secret', value: answer.secret },
      ],
    };
  },
});
