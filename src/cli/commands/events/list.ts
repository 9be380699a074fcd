import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { brief, list, number, object, open, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { PAGE_OPTIONS } from '../../command/page-options.ts';
import { PAGE_META } from '../../command/shared-json.ts';
import { optionsConflict } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import { endedBySignal, followEvents, pollInterval } from '../../events/follow.ts';
import { deliverySummary, type EventItem, eventTable, eventTypeIn, lineOf } from '../../events/view.ts';
import { type PageInput, readPages } from '../../input/parse-input.ts';

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
  json: prints(
    object({
      items: list(
        object({
          created: text,
          id: text,
          type: text,
          data: brief(open(object({}))),
          deliveries: object({ delivered: number, waiting: number, undelivered: number }),
        }),
      ),
      meta: PAGE_META,
    }),
    '; with --all or --follow one object per line',
  ),
  examples: [
    { line: 'esign events list', about: 'List recent events' },
    { line: 'esign events list --undelivered', about: 'List events that did not reach a receiver' },
    { line: 'esign events list --transaction @', about: 'List the events of a transaction' },
  ],
  async check(_, { options: { type } }) {
    if (type !== undefined) eventTypeIn('--type', type);
  },
  async run(context, { options }) {
    return showEventList(context, options);
  },
});

type ListOptions = PageInput & {
  transaction: string | undefined;
  type: string | undefined;
  undelivered: boolean;
  follow: boolean;
};

export async function showEventList(
  context: Uses<'connections' | 'history' | 'process' | 'settings' | 'terminal'>,
  options: ListOptions,
): Promise<Outcome> {
  if (options.follow && options.all) throw optionsConflict('--follow', '--all');
  const filter = {
    ...(options.transaction !== undefined && { transaction_id: options.transaction }),
    ...(options.type !== undefined && { type: eventTypeIn('--type', options.type) }),
    ...(options.undelivered && { undelivered: 'true' as const }),
  };
  const { items, json, lines } = await readPages(options, async (query) => {
    const { client } = await context.connections.connect();
    return client['event.list']({ query: { ...filter, ...query } });
  });
  const listed = listWith(await readForwarded(context));
  if (!options.follow) return listed(items, json, lines);
  const connection = await context.connections.connect();
  const shown = [...items].reverse();
  await context.terminal.print(listed(shown, { items: shown }, shown));
  return follow(context, connection, filter, shown.at(-1));
}

/** Reads how receivers answered that `events listen` on this machine forwarded events to. The service does not know of them. */
async function readForwarded({ history }: Uses<'history'>): Promise<ReadonlyMap<string, string>> {
  const { things } = await history.recentItems();
  return new Map(things.flatMap(({ id, forwarded }) => (forwarded === undefined ? [] : [[id, forwarded]])));
}

const listWith =
  (forwarded?: ReadonlyMap<string, string>) =>
  (items: readonly EventItem[], json: unknown, lines?: readonly EventItem[]): Outcome => ({
    kind: 'list',
    json,
    ...(lines && { lines }),
    empty: 'No events.',
    table: eventTable(items, forwarded),
  });

async function follow(
  context: Uses<'process' | 'settings' | 'terminal'>,
  connection: Connection,
  filter: object,
  last: EventItem | undefined,
): Promise<Outcome> {
  const { client } = connection;
  const { progress, streams, print } = context.terminal;
  const isForPeople = streams.out.isTerminal && !context.settings.json;
  try {
    await followEvents(
      context.process,
      (query) => client['event.list']({ query }),
      { filter, after: last?.id, pauseMs: pollInterval(connection) },
      {
        take: (event) =>
          print(
            isForPeople
              ? { kind: 'text', text: lineOf(event, [deliverySummary(event)]), json: undefined }
              : listWith()([event], undefined, [event]),
          ),
        onDisconnected: (why) => progress.warn(`${why} Waiting until the service responds again.`),
        onReconnected: () => progress.note('The service responds again.'),
        isOver: () => streams.out.isGone === true,
      },
    );
    return { kind: 'text', text: '', json: undefined };
  } catch (error) {
    return endedBySignal(error);
  }
}
