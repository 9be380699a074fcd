// Shows events in the output of commands. It reads everything leniently: a service may omit what we expect.
import type { ReceivedEvent } from '../../api/contract/event-log.ts';
import type { ReceivedOf } from '../../api/contract/operations.ts';
import type { Cell, Table } from '../command/outcome.ts';

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

export const eventRow = (event: EventItem, forwarded?: string): Cell[] => [
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
