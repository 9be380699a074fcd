import { defineCommand } from '../../command/command.ts';

const named = (type: string) => ({ value: type, name: type });

export const command = defineCommand({
  summary: 'create a webhook',
  details:
    'The sandbox stores webhooks, but does not send events to them. Read its events at /_sandbox/events (`esign help sandbox`).',
  arguments: [],
  options: {
    name: { value: 'TEXT', summary: 'name, up to 255 characters' },
    endpoint: { value: 'URL', summary: 'https address for the events' },
    event: {
      value: 'TYPE',
      repeat: true,
      summary: 'event type; see `esign help events`',
      completes: 'event',
    },
  },
  json: '{id, secret}; the secret only where the service has one',
  examples: [
    {
      line: 'esign webhooks create --name Orders --endpoint https://hooks.example.com/esign --event transaction_completed',
      about: 'be told when everybody has signed',
    },
  ],
  async run(context, { options }) {
    const { EVENT_TYPES } = await import('../../../api/contract/events.ts');
    const { webhookOperations } = await import('../../../api/contract/webhooks.ts');
    const { checked } = await import('../../input/checked.ts');
    const { askFor } = await import('../../input/ask-for.ts');
    const { body: shape } = webhookOperations['webhook.create'];
    const noEvent = options.event.length === 0;
    const { name, endpoint } = await askFor(
      context,
      {
        name: { what: 'Name', flag: '--name TEXT', given: options.name },
        endpoint: {
          what: 'Endpoint (an https address)',
          flag: '--endpoint URL',
          given: options.endpoint,
          accept: (text) =>
            checked(shape, { name: 'x', endpoint: text, events: [EVENT_TYPES[0]] }, { endpoint: 'This' }),
        },
      },
      noEvent ? [{ what: 'An event', flag: '--event TYPE' }] : [],
    );
    const events = noEvent
      ? await context.prompts.chooseSeveral('Which events', '--event TYPE', EVENT_TYPES.map(named))
      : options.event;
    const body = { name, endpoint, events };
    checked(webhookOperations['webhook.create'].body, body, {
      name: '--name',
      endpoint: '--endpoint',
      events: '--event',
    });
    const { client } = await context.connections.connect();
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
