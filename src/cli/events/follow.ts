// Follows the events of a service: asks for what happened after the last one, again and again. What happened while the
// service was away comes after it, in order. Must never hand out an event twice, and never give up for a lost answer.
import type { EventType } from '../../api/contract/events.ts';
import type { ReceivedPages } from '../../api/contract/received.ts';
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

export type FollowWish = {
  /** Asked of the service, where it can. */
  filter: Pick<ListEventsQuery, 'transaction_id' | 'type' | 'undelivered'>;
  /** Begins behind this event; left out, with what happens from now on. */
  after?: string | undefined;
  /** Between two questions. */
  pauseMs: number;
};

export type Follower = {
  /** Told of each event in its order. While it works nothing is asked. */
  take(event: EventItem): Promise<void> | void;
  /** Told once that it begins. */
  begun?(): void;
  /** Told when the service is away, and when it is back. */
  away?(why: string): void;
  back?(): void;
  isOver?(): boolean;
};

/** Between two questions. The sandbox is in this process. */
const PAUSE_MS = { sandbox: 250, remote: 1000 } as const;

export const pauseOf = ({ isSandbox }: Pick<Connection, 'isSandbox'>): number =>
  isSandbox ? PAUSE_MS.sandbox : PAUSE_MS.remote;

/** A signal is how following ends. @throws any other error */
export function endedBySignal(error: unknown): Outcome {
  const { name, signal } = error as Partial<Interrupted>;
  if (name !== 'Interrupted') throw error;
  const exit = signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  return { kind: 'text', text: '', json: undefined, exit };
}

const PAGE = 100;

/** After a failure: at first a second, in the end half a minute. */
const AWAY_MS = { first: 1000, longest: 30_000, growth: 2 } as const;

/** More than can come between two questions; for services that do not know `after`. */
const REMEMBERED = 10_000;

/** @throws what `read` threw the first time, and later whatever another try does not help against */
export async function followEvents(
  { pause }: Pick<ProcessContext, 'pause'>,
  read: EventsReader,
  { filter, after, pauseMs }: FollowWish,
  follower: Follower,
): Promise<void> {
  const seen = new Set<string>();
  const pageSize = String(PAGE);
  let last = after ?? (await newest(read));
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
      ? everything(read, filter)
      : (await read({ ...filter, after: last, limit: pageSize })).items;
  if (after !== undefined) await take(await ask());
  follower.begun?.();
  let awayMs = 0;
  while (!follower.isOver?.()) {
    await pause(awayMs || pauseMs);
    try {
      let events = await ask();
      if (awayMs > 0) follower.back?.();
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
        // The store was emptied: what is there now happened afterwards.
        last = undefined;
        continue;
      }
      if (exit !== EXIT.network) throw error;
      if (awayMs === 0) follower.away?.(message);
      awayMs = Math.min(awayMs === 0 ? AWAY_MS.first : awayMs * AWAY_MS.growth, AWAY_MS.longest);
    }
  }
}

async function newest(read: EventsReader): Promise<string | undefined> {
  return (await read({ limit: '1' })).items[0]?.id;
}

/** Oldest first. */
async function everything(read: EventsReader, filter: FollowWish['filter']): Promise<EventItem[]> {
  const events: EventItem[] = [];
  for (let number = 1; ; ) {
    const { items, meta } = await read({ ...filter, limit: String(PAGE), page: String(number) });
    events.push(...items);
    const next = meta?.next_page;
    if (!meta || meta.is_last_page || !next || next <= number) return events.reverse();
    number = next;
  }
}

/** A set keeps the order in which things were added. */
function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  if (seen.size <= REMEMBERED) return;
  for (const oldest of seen) {
    seen.delete(oldest);
    return;
  }
}
