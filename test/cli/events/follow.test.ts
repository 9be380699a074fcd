// Following events: in order, none twice, none lost, whatever the service does meanwhile.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/codec.ts';
import { Interrupted } from '../../../src/cli/command/errors.ts';
import { type FollowOptions, followEvents, type ListEventsQuery } from '../../../src/cli/events/follow.ts';
import type { EventItem } from '../../../src/cli/events/view.ts';

const eventOf = (number: number): EventItem => ({
  created: '2026-03-01T09:00:00.000Z',
  id: `E${number}`,
  type: 'transaction_started',
  data: { id: 'T' },
  deliveries: { delivered: 0, waiting: 0, undelivered: 0 },
});

const CALLED = { operation: 'event.list', errors: [], requestId: 'R', method: 'GET', path: '/v1/event' };
const refusal = (status: number, code: string) => new ApiError(code, { ...CALLED, status, code });

/** A service with a list that grows, read as the contract has it. */
function serviceOf(events: EventItem[]) {
  const queries: ListEventsQuery[] = [];
  const read = async (query: ListEventsQuery) => {
    queries.push(query);
    const limit = Number(query.limit);
    if (query.after !== undefined) {
      const at = events.findIndex(({ id }) => id === query.after);
      if (at < 0) throw refusal(404, 'event_not_found');
      return { items: events.slice(at + 1, at + 1 + limit) };
    }
    const page = Number(query.page ?? 1);
    const newest = [...events].reverse();
    const items = newest.slice((page - 1) * limit, page * limit);
    const isLast = page * limit >= events.length;
    return { items, meta: { is_last_page: isLast, next_page: isLast ? null : page + 1 } };
  };
  return { read, queries };
}

type Happening = () => void;

/** Follows until what happens in the pauses has happened, and one pause more. */
async function following(
  read: ReturnType<typeof serviceOf>['read'],
  happenings: Happening[],
  wish: Partial<FollowOptions> = {},
) {
  const taken: string[] = [];
  const said: string[] = [];
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    const next = happenings.shift();
    if (!next) throw new Interrupted('SIGINT');
    next();
  };
  const follower = {
    take: (event: EventItem) => void taken.push(event.id),
    onStart: () => void said.push('begun'),
    onDisconnected: () => void said.push('away'),
    onReconnected: () => void said.push('back'),
  };
  const error = await followEvents({ pause }, read, { filter: {}, pauseMs: 5, ...wish }, follower).catch(
    (thrown: Error) => thrown,
  );
  return { taken, said, pauses, error };
}

const nothing = () => undefined;
const idsFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `E${from + index}`);

test('earlier events are omitted, and a burst larger than a page comes completely', async () => {
  const events = [eventOf(0), eventOf(1)];
  const { read } = serviceOf(events);
  const burst = () => events.push(...Array.from({ length: 250 }, (_, index) => eventOf(index + 2)));
  const { taken, error } = await following(read, [nothing, burst, nothing]);
  expect(taken).toEqual(idsFrom(2, 252));
  expect(error).toBeInstanceOf(Interrupted);
});

test('behind a named event at once, and from an empty store everything', async () => {
  const events = [eventOf(0), eventOf(1), eventOf(2)];
  expect((await following(serviceOf(events).read, [nothing], { after: 'E0' })).taken).toEqual(['E1', 'E2']);
  const empty: EventItem[] = [];
  const grow = () => empty.push(...Array.from({ length: 120 }, (_, index) => eventOf(index)));
  expect((await following(serviceOf(empty).read, [grow, nothing])).taken).toEqual(idsFrom(0, 120));
});

test('a store that was emptied begins anew', async () => {
  const events = [eventOf(0)];
  const reset = () => events.splice(0, events.length, eventOf(7), eventOf(8));
  expect((await following(serviceOf(events).read, [reset, nothing, nothing])).taken).toEqual(['E7', 'E8']);
});

test('a service that is away: longer and longer pauses, then everything that was missed', async () => {
  const events = [eventOf(0)];
  const { read } = serviceOf(events);
  let isAway = false;
  const flaky = async (query: ListEventsQuery) => {
    if (isAway) throw refusal(503, 'unavailable');
    return read(query);
  };
  const leave = () => {
    isAway = true;
    events.push(eventOf(1), eventOf(2));
  };
  const comeBack = () => {
    isAway = false;
  };
  const { taken, said, pauses } = await following(flaky, [leave, nothing, nothing, comeBack, nothing]);
  expect(taken).toEqual(['E1', 'E2']);
  expect(said).toEqual(['begun', 'away', 'back']);
  expect(pauses).toEqual([5, 1000, 2000, 4000, 5, 5]);
});

test('what another try does not help against ends it', async () => {
  const { read } = serviceOf([eventOf(0)]);
  let isRevoked = false;
  const guarded = async (query: ListEventsQuery) => {
    if (isRevoked) throw refusal(401, 'token_expired');
    return read(query);
  };
  const revoke = () => {
    isRevoked = true;
  };
  const { error } = await following(guarded, [revoke, nothing]);
  expect(error).toMatchObject({ code: 'token_expired', status: 401 });
  const first = await following(async () => Promise.reject(refusal(503, 'unavailable')), [nothing]);
  expect(first.error).toMatchObject({ code: 'unavailable' });
});

test('a service that does not know `after` is not taken for one that always has news', async () => {
  const events = [eventOf(0), eventOf(1)];
  const forgetful = async () => ({ items: [...events] });
  const { taken } = await following(forgetful, [nothing, () => void events.push(eventOf(2)), nothing]);
  expect(taken).toEqual(['E0', 'E1', 'E2']);
});

test('any growth, any failures: each event once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ more: fc.nat({ max: 130 }), isAway: fc.boolean() }), { maxLength: 12 }),
      async (steps) => {
        const events = [eventOf(0)];
        const { read } = serviceOf(events);
        let isAway = false;
        const flaky = async (query: ListEventsQuery) => {
          if (isAway) throw refusal(503, 'unavailable');
          return read(query);
        };
        const happenings = steps.map((step) => () => {
          isAway = step.isAway;
          for (let count = step.more; count > 0; count -= 1) events.push(eventOf(events.length));
        });
        const home = () => {
          isAway = false;
        };
        const { taken } = await following(flaky, [...happenings, home]);
        expect(taken).toEqual(idsFrom(1, events.length));
      },
    ),
    { numRuns: 30 },
  );
});
