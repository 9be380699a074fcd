import type { Client } from '../../../api/client.ts';
import { eventOperations } from '../../../api/contract/events.ts';
import type { ReceivedOf } from '../../../api/contract/operations.ts';
import { epochMsOf, instantOf } from '../../../common/instant.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError, PartialFailure } from '../../command/errors.ts';
import { EXIT } from '../../command/exit-codes.ts';
import { list, nullable, number, object, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { forPipes, showRecord } from '../../command/record.ts';
import { optionsConflict } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import {
  type ForwardAttempt,
  forwardSigned,
  listenSecret,
  postTo,
  receiverUrl,
} from '../../events/forward.ts';
import { findEvents, type StoredEvent } from '../../events/stored-events.ts';
import { type EventDetail, resultOf } from '../../events/view.ts';
import { checkValue } from '../../input/check-value.ts';
import { parseDuration } from '../../input/parse-input.ts';

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
  json: prints(
    object({ events: number, deliveries: number }),
    '; with --forward-to ',
    object({
      events: number,
      arrived: number,
      results: list(
        object({ id: text, type: text, status: nullable(number), why: nullable(text), duration_ms: number }),
      ),
    }),
  ),
  examples: [
    {
      line: 'esign events replay --since 1d --undelivered',
      about: 'Send what a receiver missed in the last day',
    },
    { line: 'esign events replay --transaction @', about: 'Send all events of a transaction again' },
  ],
  async check(context, { args, options }) {
    replayRequest(context, args.id, options);
  },
  async run(context, { args, options }) {
    return requestReplay(context, args.id, options);
  },
});

export type ReplayOptions = {
  transaction: string | undefined;
  since: string | undefined;
  undelivered: boolean;
  webhook: string | undefined;
  'forward-to': string | undefined;
};

type Parts = Uses<'connections' | 'process' | 'program' | 'terminal'>;

type ReplayRequest = Parameters<Client['event.replay']>[0]['body'];

const FLAGS = { ids: 'ID', transaction_id: '--transaction', since: '--since', webhook_id: '--webhook' };

export async function requestReplay(
  context: Parts,
  ids: readonly string[],
  options: ReplayOptions,
): Promise<Outcome> {
  const body = replayRequest(context, ids, options);
  checkValue(eventOperations['event.replay'].body, body, FLAGS);
  if (options['forward-to'] !== undefined) return forwardAgain(context, body, options['forward-to']);
  const { client } = await context.connections.connect();
  return replayOutcome(await client['event.replay']({ body }));
}

/** Makes the request from the options. @throws CliError when they name no events, or contradict each other */
export function replayRequest(
  { process }: Pick<Parts, 'process'>,
  ids: readonly string[],
  options: ReplayOptions,
): ReplayRequest {
  const { transaction, since, undelivered, webhook } = options;
  if (ids.length === 0 && transaction === undefined && since === undefined)
    throw cliError('argument_missing', {
      sentence: 'No events given.',
      hint: 'Add IDs of events, --transaction ID or --since TIME. List the events with `esign events list`.',
    });
  if (ids.length > 0 && (transaction !== undefined || since !== undefined))
    throw optionsConflict('IDs of events', `--${transaction === undefined ? 'since' : 'transaction'}`);
  if (options['forward-to'] !== undefined && (undelivered || webhook !== undefined))
    throw optionsConflict('--forward-to', `--${undelivered ? 'undelivered' : 'webhook'}`, {
      why: 'With --forward-to, this machine sends the events itself.',
    });
  return {
    ...(ids.length > 0 && { ids: [...ids] }),
    ...(transaction !== undefined && { transaction_id: transaction }),
    ...(since !== undefined && { since: instantIn(since, process.clock()) }),
    ...(undelivered && { undelivered: true }),
    ...(webhook !== undefined && { webhook_id: webhook }),
  };
}

/** Reads a time, or a duration such as `2h` before now. The contract refuses a time without a zone, which differs on each machine. */
const instantIn = (text: string, nowMs: number): string =>
  text.includes(':') || text.includes('-') ? text : instantOf(nowMs - parseDuration('--since', text));

function replayOutcome({ events: told, deliveries }: ReceivedOf<'event.replay'>): Outcome {
  const events = told ?? 0;
  const isNothing = deliveries === 0;
  return showRecord(
    { events, deliveries },
    { events: 'Events', deliveries: 'Deliveries' },
    {
      headline: isNothing
        ? 'No events were sent. They have no receivers, or all receivers already have them.'
        : 'Scheduled the events to be sent again.',
      ...(!isNothing && { notes: ['To see the result, run `esign events show ID`.'] }),
    },
  );
}

// ── to an address of the user's ─────────────────────────────────────────────────────────────────────────────────

/** This command forwards at most so many events to a URL of the user. The service can send more. */
const MOST_FORWARDED = 1000;

async function forwardAgain(context: Parts, body: ReplayRequest, address: string): Promise<Outcome> {
  const url = receiverUrl('--forward-to', address);
  const connection = await context.connections.connect();
  const { selected, events } = await selectEvents(connection, body);
  const { secret } = listenSecret(context.process, connection);
  const post = await postTo(context, connection, url);
  const { clock } = context.process;
  const { version } = context.program;
  const results: ForwardResult[] = [];
  try {
    for await (const event of events) {
      context.process.checkpoint();
      const attempt = await forwardSigned(post, event, { secret, clock, version });
      results.push({ id: event.id, type: event.type, ...attempt });
    }
  } catch (error) {
    throw results.length === 0
      ? error
      : stoppedAfter(results, selected, { error, hasIds: body.ids !== undefined });
  }
  return forwardOutcome(results);
}

type ForwardResult = { id: string; type: string } & ForwardAttempt;

const countArrived = (results: readonly ForwardResult[]): number =>
  results.filter(({ why }) => why === null).length;

/** Says how far the command came, and how to send what has not arrived. @param selected in the order of the results */
function stoppedAfter(
  results: readonly ForwardResult[],
  selected: readonly StoredEvent[],
  { error, hasIds }: { error: unknown; hasIds: boolean },
): PartialFailure {
  const arrived = countArrived(results);
  const failed = results.length - arrived;
  const counts = `Before this error, ${arrived} of ${selected.length} events arrived, ${failed} failed and ${selected.length - results.length} were not sent.`;
  const remaining = selected.filter((_, index) => results[index]?.why !== null);
  const next = hasIds
    ? `To continue, run the command with these IDs: ${remaining.map(({ id }) => id).join(', ')}.`
    : `To continue, run the command with --since ${earliestOf(remaining)}, the earliest time of those that did not arrive. ` +
      'Events since then that did arrive are sent again with the same ID.';
  return new PartialFailure(error, {
    partial: { events: results.length, arrived, results },
    hint: `${counts} ${next}`,
  });
}

/** The order of the events need not be that of their times. */
const earliestOf = (events: readonly StoredEvent[]): string =>
  events.map(({ created }) => created).reduce((a, b) => (epochMsOf(b) < epochMsOf(a) ? b : a));

/** The events that are sent, in their order. Each of `events` is read when it is its turn. */
type Selection = {
  selected: readonly StoredEvent[];
  events: Iterable<EventDetail> | AsyncIterable<EventDetail>;
};

/** Finds the events. Those with IDs are all read before the first is forwarded, so that a wrong ID is refused in time. */
async function selectEvents(
  { client }: Connection,
  { ids, transaction_id, since }: ReplayRequest,
): Promise<Selection> {
  const readEvent = (eventId: string) => client['event.detail']({ params: { eventId } });
  if (ids) {
    const events: EventDetail[] = [];
    for (const id of ids) events.push(await readEvent(id));
    return { selected: events, events };
  }
  const selected = await findEvents(
    (query) => client['event.list']({ query }),
    {
      filter: transaction_id === undefined ? {} : { transaction_id },
      isMatch: ({ created }) => since === undefined || epochMsOf(created) >= epochMsOf(since),
    },
    MOST_FORWARDED,
  );
  if (selected === 'too_many')
    throw cliError('too_many_events', {
      sentence: `More than ${MOST_FORWARDED} events match. At most ${MOST_FORWARDED} can be forwarded at once.`,
      hint: 'Use a later --since, or add --transaction ID.',
    });
  return { selected, events: readEach(selected, readEvent) };
}

async function* readEach(
  selected: readonly StoredEvent[],
  readEvent: (id: string) => Promise<EventDetail>,
): AsyncGenerator<EventDetail> {
  for (const { id } of selected) yield await readEvent(id);
}

function forwardOutcome(results: readonly ForwardResult[]): Outcome {
  const arrived = countArrived(results);
  return showRecord(
    { events: results.length, arrived, results },
    { events: forPipes, arrived: forPipes },
    {
      headline:
        results.length === 0
          ? 'No events were forwarded. No event matches.'
          : `Forwarded ${arrived} of ${results.length} event${results.length === 1 ? '' : 's'}.`,
      tables: [
        {
          key: 'result',
          columns: ['TYPE', 'RESULT', 'MS', 'ID'],
          rows: results.map(({ id, type, status, why, duration_ms }) => [
            type,
            resultOf({ status, why }),
            duration_ms,
            id,
          ]),
        },
      ],
      exit: arrived === results.length ? EXIT.done : EXIT.network,
    },
  );
}
