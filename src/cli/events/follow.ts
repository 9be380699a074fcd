// Follows the events of a service by polling for those after the last one. Events that happened while the service was
// unreachable come afterwards, in order. It must never return an event twice, and never stop because of a lost answer.

import type { EventType } from '../../api/contract/events.ts';
import type { ReceivedPages } from '../../api/contract/values.ts';
import type { ProcessContext } from '../command/context.ts';
import { reportOf } from '../command/error-report.ts';
import type { Interrupted } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import type { EventItem } from './view.ts';

export type ListEventsQuery = {
  transaction_id?: string;
  type?: EventType;
  undelivered?: 'true';
  after?: string;
  limit: string;
  page?: string;
};

type ListedEvents = {
  items: EventItem[];
  meta?: ReceivedPages | undefined;
};

export type EventsReader = (query: ListEventsQuery) => Promise<ListedEvents>;

export type FollowOptions = {
  /** The filter of the request, where the service has one. */
  filter: Pick<ListEventsQuery, 'transaction_id' | 'type' | 'undelivered'>;
  /** Begins after this event; absent: with events from now on. */
  after?: string | undefined;
  /** Between two requests. */
  pauseMs: number;
};

export type Follower = {
  /** Called with each event in its order. No request is sent until it resolves. */
  take(event: EventItem): Promise<void> | void;
  /** Called once at the beginning. */
  onStart?(): void;
  /** Called when the service cannot be reached any more. `back` is called when it can be reached again. */
  onDisconnected?(why: string): void;
  onReconnected?(): void;
  isOver?(): boolean;
};

/** Between two requests. The sandbox is in this process. */
const PAUSE_MS = { sandbox: 250, remote: 1000 } as const;

export const pollInterval = ({ isSandbox }: Pick<Connection, 'isSandbox'>): number =>
  isSandbox ? PAUSE_MS.sandbox : PAUSE_MS.remote;

/** Ends following after a signal, which is the normal end. @throws any other error */
export function endedBySignal(error: unknown): Outcome {
  const { name, signal } = error as Partial<Interrupted>;
  if (name !== 'Interrupted') throw error;
  const exit = signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  return { kind: 'text', text: '', json: undefined, exit };
}

const PAGE = 100;

/** The pauses after failures: at first a second, in the end half a minute. */
const AWAY_MS = { first: 1000, longest: 30_000, growth: 2 } as const;

/** More events than can come between two requests, for services that do not know `after`. */
const REMEMBERED = 10_000;

/** Follows events. @throws the error of the first request, and later any error that is not temporary */
export async function followEvents(
  { pause }: Pick<ProcessContext, 'pause'>,
  read: EventsReader,
  { filter, after, pauseMs }: FollowOptions,
  follower: Follower,
): Promise<void> {
  const seen = new Set<string>();
  const pageSize = String(PAGE);
  let last = after ?? (await readNewestId(read));
  const take = async (events: readonly EventItem[]) => {
    for (const event of events) {
      if (seen.has(event.id)) continue;
      if (follower.isOver?.()) return;
      await follower.take(event);
      last = event.id;
      remember(seen, event.id);
    }
  };
  const ask = async (): Promise<EventItem[]> =>
    last === undefined
      ? readAllEvents(read, filter)
      : (await read({ ...filter, after: last, limit: pageSize })).items;
  if (after !== undefined) await take(await ask());
  follower.onStart?.();
  let awayMs = 0;
  while (!follower.isOver?.()) {
    await pause(awayMs || pauseMs);
    try {
      let events = await ask();
      if (awayMs > 0) follower.onReconnected?.();
      awayMs = 0;
      // A full page may not be all there is.
      while (events.length === PAGE && events.some(({ id }) => !seen.has(id))) {
        await take(events);
        events = await ask();
      }
      await take(events);
    } catch (error) {
      const { code, exit, message } = reportOf(error);
      if (code === 'event_not_found') {
        // The store was reset: the events that it has now happened afterwards.
        last = undefined;
        continue;
      }
      if (exit !== EXIT.network) throw error;
      if (awayMs === 0) follower.onDisconnected?.(message);
      awayMs = Math.min(awayMs === 0 ? AWAY_MS.first : awayMs * AWAY_MS.growth, AWAY_MS.longest);
    }
  }
}

async function readNewestId(read: EventsReader): Promise<string | undefined> {
  return (await read({ limit: '1' })).items[0]?.id;
}

/** Oldest first. */
async function readAllEvents(read: EventsReader, filter: FollowOptions['filter']): Promise<EventItem[]> {
  const events: EventItem[] = [];
  for await (const items of readEventPages(read, filter)) events.push(...items);
  return events.reverse();
}

/** Reads the pages of the list, newest first. */
export async function* readEventPages(
  read: EventsReader,
  filter: FollowOptions['filter'],
): AsyncGenerator<EventItem[]> {
  for (let number = 1; ; ) {
    const { items, meta } = await read({ ...filter, limit: String(PAGE), page: String(number) });
    yield items;
    const next = meta?.next_page;
    // A service that always returns the same page must not keep the command running for ever.
    if (!meta || meta.is_last_page || !next || next <= number) return;
    number = next;
  }
}

/** Adds an id, and removes the oldest one of a full set. A set keeps the order of insertion. */
function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  if (seen.size <= REMEMBERED) return;
  for (const oldest of seen) {
    seen.delete(oldest);
    return;
  }
}
