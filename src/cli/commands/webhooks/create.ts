import { defineCommand } from '../../command/command.ts';

const named = (type: string) => ({ value: type, name: type });

export const command = defineCommand({
  summary: 'Create a webhook',
  details:
    'Creates a webhook, which sends every event of the given types to the endpoint, signed with the ' +
    'secret. The secret is shown only once. Receivers check the headers webhook-id, webhook-timestamp and webhook-signature as ' +
    'described by Standard Webhooks. A delivery without a 2xx response within 15 seconds is retried, up ' +
    'to ten attempts over three days; see `esign help events`. The endpoint must be an https URL; in the ' +
    'sandbox it has a public address, or is on this machine with a certificate from `esign sandbox ca ' +
    'issue`. You usually do not need a webhook to test a receiver on this machine: use `esign events ' +
    'listen --forward-to URL`.',
  arguments: [],
  options: {
    name: { value: 'TEXT', short: 'n', summary: 'Name of the webhook, up to 255 characters (required)' },
    endpoint: { value: 'URL', summary: 'HTTPS URL that receives the events (required)' },
    event: {
      value: 'TYPE',
      repeat: true,
      summary: 'Event type to subscribe to; see `esign help events` (required)',
      completes: 'event_type',
    },
  },
  json: '{id, secret?}; secret only if the service returns one',
  examples: [
    {
      line: 'esign webhooks create --name Orders --endpoint https://hooks.example.com/esign --event transaction_completed',
      about: 'Send an event to your server when everyone has signed',
    },
  ],
  async run(context, { options }) {
    const { EVENT_TYPES } = await import('../../../api/contract/events.ts');
    const { webhookOperations } = await import('../../../api/contract/webhooks.ts');
    const { parseWith: checked } = await import('../../input/parse-input.ts');
    const { askFor } = await import('../../input/ask-for.ts');
    const { body: shape } = webhookOperations['webhook.create'];
    const noEvent = options.event.length === 0;
    const { name, endpoint, events } = await context.prompts.series(async () => {
      const answers = await askFor(
        context,
        {
          name: {
            what: 'Name',
            flag: '--name TEXT',
            given: options.name,
            accept: (text) =>
              checked(
                shape,
                { name: text, endpoint: 'https://example.com/', events: [EVENT_TYPES[0]] },
                { name: 'This' },
              ),
          },
          endpoint: {
            what: 'Endpoint (an https URL)',
            flag: '--endpoint URL',
            given: options.endpoint,
            accept: (text) =>
              checked(shape, { name: 'x', endpoint: text, events: [EVENT_TYPES[0]] }, { endpoint: 'This' }),
          },
        },
        noEvent ? [{ what: 'An event', flag: '--event TYPE' }] : [],
      );
      const events = noEvent
        ? await context.prompts.chooseSeveral('Events', '--event TYPE', EVENT_TYPES.map(named))
        : options.event;
      return { ...answers, events };
    });
    const { eventTypeIn } = await import('../../events/event-type.ts');
    for (const type of options.event) eventTypeIn('--event', type, 'Repeat --event for several');
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
      headline:
        'Created the webhook. The receiver verifies signatures with the secret, which is not shown again.',
      json: answer,
      entries: [
        { key: 'id', label: 'Webhook', value: answer.id },
        { key: 'secret', label: 'Secret', value: answer.secret },
      ],
    };
  },
});
