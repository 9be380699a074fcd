// Reads stored events in the order in which they happened, a page at a time. The service lists its events newest first, so the oldest one
// that matches is searched for, and those after it are read from there on.
import type { EventsReader, ListEventsQuery } from './follow.ts';
import type { EventItem } from './view.ts';

export type StoredEventsQuery = {
  filter: Pick<ListEventsQuery, 'transaction_id'>;
  /** Events that happened earlier are left out. */
  isMatch(event: EventItem): boolean;
};

/** The first and the last of the events that match. What happens after the last one was found does not belong to them. */
export type EventRange = { oldest: EventItem; newestId: string };

const PAGE = 100;

/**
 * Finds the events that match without keeping them.
 * @returns undefined where there are none; `too_many` where there are more than `most`, which is a multiple of 100
 */
export async function findRange(
  read: EventsReader,
  { filter, isMatch }: StoredEventsQuery,
  most: number,
): Promise<EventRange | 'too_many' | undefined> {
  const pageAfterMost = most / PAGE + 1;
  let range: EventRange | undefined;
  let [number, lastWithMatch, step] = [1, 0, 1];
  let isOvershot = false;
  // The steps grow until a page has no match. From there on they are single, so that the page behind the last match is read after it:
  // events that happen meanwhile move the others to later pages.
  for (;;) {
    const { items } = await read({ ...filter, limit: String(PAGE), page: String(number) });
    const oldest = items.findLast(isMatch);
    if (oldest === undefined) {
      if (step === 1) return range;
      isOvershot = true;
    } else {
      if (number === pageAfterMost) return 'too_many';
      range = { oldest, newestId: range?.newestId ?? items[0]?.id ?? oldest.id };
      if (oldest !== items.at(-1) || items.length < PAGE) return range;
      lastWithMatch = number;
    }
    step = isOvershot ? 1 : step * 2;
    number = Math.min(lastWithMatch + step, pageAfterMost);
  }
}

/** Reads the events of a range, oldest first. No page is requested before the events of the page before were taken. */
export async function* readRange(
  read: EventsReader,
  { filter, isMatch }: StoredEventsQuery,
  { oldest, newestId }: EventRange,
): AsyncGenerator<EventItem> {
  yield oldest;
  for (let last = oldest.id; last !== newestId; ) {
    const { items } = await read({ ...filter, after: last, limit: String(PAGE) });
    if (items.length === 0) return;
    for (const event of items) {
      if (isMatch(event)) yield event;
      last = event.id;
      if (last === newestId) return;
    }
  }
}
