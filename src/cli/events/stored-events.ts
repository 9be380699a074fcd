// Selects stored events by their time. The service lists its events newest first, in the order in which it stored them. Their times need
// not follow this order: the clock of a sandbox can be set back, and nodes of a service have clocks of their own. So every page is read, and
// only the ids and times of the events that match are kept.
import { type EventsReader, type ListEventsQuery, readEventPages } from './follow.ts';
import type { EventItem } from './view.ts';

export type StoredEventsQuery = {
  filter: Pick<ListEventsQuery, 'transaction_id' | 'type' | 'undelivered'>;
  /** Other events are left out. */
  isMatch(event: EventItem): boolean;
};

export type StoredEvent = Pick<EventItem, 'id' | 'created'>;

/**
 * Finds the events that match, oldest first. Events that happen meanwhile are not among them.
 * @returns `too_many` where there are more than `most`
 */
export async function findEvents(
  read: EventsReader,
  { filter, isMatch }: StoredEventsQuery,
  most: number,
): Promise<StoredEvent[] | 'too_many'> {
  // Events that happen meanwhile move others to a later page, where they are read again.
  const matches = new Map<string, StoredEvent>();
  for await (const items of readEventPages(read, filter)) {
    for (const { id, created } of items.filter(isMatch)) matches.set(id, { id, created });
    if (matches.size > most) return 'too_many';
  }
  return [...matches.values()].reverse();
}
