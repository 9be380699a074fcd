import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Show an event and its delivery attempts',
  arguments: [{ name: 'id', completes: 'event', summary: 'ID of the event' }],
  options: {},
  json: '{created, id, type, data: {…}, deliveries: [{id, kind, webhook_id, endpoint, state, reason, created, next_at, attempts: [{at, ok, status, why, answer, duration_ms, next_at}]}]}',
  examples: [
    { line: 'esign events show ID', about: 'Show each attempt, the response and the time of the next retry' },
  ],
  async run(context, { args }) {
    const { eventPage } = await import('./event-page.ts');
    const { client } = await context.connections.connect();
    return eventPage(await client['event.detail']({ params: { eventId: args.id } }));
  },
});
