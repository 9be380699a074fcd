import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Send events again',
  details:
    'Sends events again to the webhooks that subscribe to them now and to the notification URL of their ' +
    'transaction, with the same IDs and bytes, so that receivers can recognize events they already have. ' +
    'With --forward-to, events are sent from this machine to your URL only, signed as `esign events ' +
    'listen` signs them.',
  arguments: [{ name: 'id', optional: true, repeat: true, completes: 'event', summary: 'IDs of the events' }],
  options: {
    transaction: {
      value: 'ID',
      completes: 'transaction',
      summary: 'ID of the transaction whose events are sent',
    },
    since: {
      value: 'TIME',
      summary: 'Time from which events are sent: 2h, 1d, or 2026-03-01T09:00:00Z',
    },
    undelivered: { summary: 'Send only to receivers that have not received the event' },
    webhook: { value: 'ID', completes: 'webhook', summary: 'ID of the only webhook to send to' },
    'forward-to': { value: 'URL', summary: 'HTTP or HTTPS URL to send to from this machine' },
  },
  json: '{events, deliveries}; with --forward-to {events, arrived, results: [{id, type, status, why, duration_ms}]}',
  examples: [
    {
      line: 'esign events replay --since 1d --undelivered',
      about: 'Send what a receiver missed in the last day',
    },
    { line: 'esign events replay --transaction @', about: 'Send all events of a transaction again' },
  ],
  async check(context, { args, options }) {
    (await import('./replay-events.ts')).replayRequest(context, args.id, options);
  },
  async run(context, { args, options }) {
    const { requestReplay } = await import('./replay-events.ts');
    return requestReplay(context, args.id, options);
  },
});
