import { defineCommand } from '../../command/command.ts';
import { PAGE_OPTIONS } from '../../command/page-options.ts';

export const command = defineCommand({
  summary: 'List events, newest first',
  details:
    'The DELIVERIES column counts the webhooks and notification URLs an event is delivered to: ' +
    'delivered, waiting and undelivered. For an event that `esign events listen` on this machine has ' +
    'forwarded, it also shows how the receiver responded.',
  arguments: [],
  options: {
    transaction: {
      value: 'ID',
      completes: 'transaction',
      summary: 'ID of the transaction whose events are listed (default: all transactions)',
    },
    type: {
      value: 'TYPE',
      completes: 'event_type',
      summary: 'Event type to list; see `esign help events` (default: all types)',
    },
    undelivered: { summary: 'List only events that a receiver has not received' },
    follow: { summary: 'Stay and print new events as they happen; with --json, one object per line' },
    ...PAGE_OPTIONS,
  },
  json: '{items: [{created, id, type, data: {…}, deliveries: {delivered, waiting, undelivered}}], meta}; with --all or --follow one object per line',
  examples: [
    { line: 'esign events list', about: 'List recent events' },
    { line: 'esign events list --undelivered', about: 'List events that did not reach a receiver' },
    { line: 'esign events list --transaction @', about: 'List the events of a transaction' },
  ],
  async check(_, { options: { type } }) {
    if (type !== undefined) (await import('../../events/event-type.ts')).eventTypeIn('--type', type);
  },
  async run(context, { options }) {
    const { showEventList } = await import('./list-events.ts');
    return showEventList(context, options);
  },
});
