// Shows events in the output of commands. It reads everything leniently: a service may omit what we expect.
import { EVENT_TYPES, type EventType, type ReceivedEvent } from '../../api/contract/events.ts';
import type { ReceivedOf } from '../../api/contract/operations.ts';
import { nearest } from '../../common/nearest.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import type { Cell, Table } from '../command/outcome.ts';
import { invalidValue } from '../command/wrong-input.ts';
import { formatLocalTime } from '../terminal/local-time.ts';
import { safeText } from '../terminal/safe-text.ts';

export type EventItem = ReceivedOf<'event.list'>['items'][number];
export type EventDetail = ReceivedOf<'event.detail'>;

/** The part of an event that is delivered: the envelope of the specification, without our additions. */
export function eventEnvelope({ created, id, type, data }: ReceivedEvent): ReceivedEvent {
  return { created, id, type, data };
}

/** The same bytes that a webhook gets. */
export const bytesOfReceived = (event: ReceivedEvent): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(eventEnvelope(event)));

/** The transaction that an event is about. */
export function transactionOf({ data }: Pick<ReceivedEvent, 'data'>): string {
  return typeof data?.id === 'string' ? data.id : '';
}

/**
 * Counts the deliveries: `2 delivered, 1 waiting`; a dash where there are none.
 * @param forwarded how the receiver that this machine forwarded it to answered
 */
export function deliverySummary(
  { deliveries }: Pick<EventItem, 'deliveries'>,
  forwarded?: string | undefined,
): string {
  const counts = (['delivered', 'waiting', 'undelivered'] as const)
    .map((state) => [deliveries?.[state] ?? 0, state] as const)
    .filter(([count]) => count > 0);
  const states = counts.map(([count, state]) => `${count} ${state}`);
  if (forwarded !== undefined) states.push(`forwarded: ${forwarded}`);
  return states.join(', ') || '–';
}

/** Makes the table of events. The transaction, which the page of an event names, is omitted where two ids in a row do not fit. */
export const eventTable = (
  events: readonly EventItem[],
  forwarded: ReadonlyMap<string, string> = new Map(),
): Table => ({
  columns: ['TIME', 'TYPE', { name: 'TRANSACTION', leaveOut: 1 }, 'ID', 'DELIVERIES'],
  rows: events.map((event) => eventRow(event, forwarded.get(event.id))),
});

const eventRow = (event: EventItem, forwarded?: string): Cell[] => [
  { instant: event.created },
  event.type,
  transactionOf(event),
  event.id,
  deliverySummary(event, forwarded),
];

/** How an attempt ended, in a few words: `200`, or why it failed. */
export const resultOf = ({ status, why }: Result): string => why ?? String(status ?? '');

type Result = { status?: number | null | undefined; why?: string | null | undefined };

export const timeCell = (instant: string | null | undefined): Cell => (instant ? { instant } : '');

/** The column is as wide as the longest type. */
const TYPE_WIDTH = 21;

/**
 * `09:14:03  transaction_started    0199…  → 200 in 12 ms`
 * @param more text after the id
 */
export function lineOf({ created, type, id }: ReceivedEvent, more: readonly string[] = []): string {
  const time = /\d\d:\d\d:\d\d/.exec(formatLocalTime(created))?.[0] ?? created;
  return [time, type.padEnd(TYPE_WIDTH), id, ...more].map(safeText).join('  ');
}

/** Parses an event type. @param what the option or argument, for the error; @param more what else to say there, without a full stop */
export function eventTypeIn(what: string, text: string, more?: string): EventType {
  const type = EVENT_TYPES.find((candidate) => candidate === text);
  if (type) return type;
  throw invalidValue({
    name: what,
    value: text,
    problem: 'is not a valid event type',
    meant: nearest(text, EVENT_TYPES),
    use: `one of ${EVENT_TYPES.join(', ')}${more === undefined ? '' : `. ${more}`}`,
  });
}

/**
 * Takes the given type, or lets a person at a terminal choose one from a list.
 * @throws CliError exit 2 that lists the types, in a script
 */
export async function chooseEventType(
  { prompts }: Uses<'prompts'>,
  typed: string | undefined,
): Promise<string> {
  if (typed !== undefined) return typed;
  if (!prompts.canAsk)
    throw cliError('argument_missing', {
      sentence: 'No event type given.',
      hint: `Add one of ${EVENT_TYPES.join(', ')}.`,
    });
  return prompts.choose(
    'Event type',
    'TYPE',
    EVENT_TYPES.map((type) => ({ value: type, name: type })),
  );
}
