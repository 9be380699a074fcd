// Selecting stored events by their time: none is lost, whatever order their times have, and whatever happens meanwhile.
import { expect, test } from 'vitest';
import type { ListEventsQuery } from '../../../src/cli/events/follow.ts';
import { findEvents } from '../../../src/cli/events/stored-events.ts';

type Listed = { id: string; type: string; created: string };

const MOST = 1000;

/** A service with an event for each of the times, which lists them as the contract says: newest first, in the order in which they were stored. */
function serviceWith(seconds: readonly number[]) {
  const events: Listed[] = [];
  const add = (second: number) =>
    events.push({
      id: `E${events.length + 1}`,
      type: 'transaction_created',
      created: new Date(second * 1000).toISOString(),
    });
  seconds.forEach(add);
  const requests: ListEventsQuery[] = [];
  const read = async (query: ListEventsQuery) => {
    requests.push(query);
    const [size, number] = [Number(query.limit), Number(query.page)];
    const items = [...events].reverse().slice((number - 1) * size, number * size);
    const isLast = number * size >= events.length;
    return { items, meta: { is_last_page: isLast, next_page: isLast ? null : number + 1 } };
  };
  return { read, requests, add };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** @param since in seconds */
const queryOf = (since: number) => ({
  filter: {},
  isMatch: ({ created }: { created: string }) => Date.parse(created) >= since * 1000,
});

async function idsOf(seconds: readonly number[], since: number) {
  const events = await findEvents(serviceWith(seconds).read, queryOf(since), MOST);
  return events === 'too_many' ? events : events.map(({ id }) => id);
}

const newest = (count: number, matching: number): string[] =>
  upTo(matching).map((number) => `E${count - matching + number}`);

test.each([
  [0, 0],
  [300, 0],
  [1, 1],
  [100, 100],
  [101, 100],
  [101, 101],
  [250, 101],
  [1000, 1000],
  [1200, 999],
  [1200, 1000],
  [2500, 650],
])('of %i events the newest %i are found, oldest first', async (count, matching) => {
  expect(await idsOf(upTo(count), count - matching + 1)).toEqual(newest(count, matching));
});

test.each([1001, 2500])('more than 1000 events are too many (%i)', async (count) => {
  const service = serviceWith(upTo(count));
  expect(await findEvents(service.read, queryOf(1), MOST)).toBe('too_many');
  expect(service.requests).toHaveLength(11);
});

test('events before the clock was set back are found behind pages of earlier times', async () => {
  const seconds = [5000, 5001, 5002, ...upTo(305), 5003];
  expect(await idsOf(seconds, 5000)).toEqual(['E1', 'E2', 'E3', 'E309']);
});

test.each([99, 100, 101, 199, 200, 201])(
  'neighbours at %i whose times are inverted are both found',
  async (place) => {
    const seconds = upTo(300);
    [seconds[place - 1], seconds[place]] = [place + 1, place];
    for (const since of [place, place + 1])
      expect(await idsOf(seconds, since)).toEqual(
        seconds.flatMap((second, index) => (second >= since ? [`E${index + 1}`] : [])),
      );
  },
);

test('what happens meanwhile is not among the events, and neither hides nor repeats any', async () => {
  const service = serviceWith(upTo(350));
  let second = 350;
  const read = async (request: ListEventsQuery) => {
    const page = await service.read(request);
    for (const _ of upTo(30)) service.add(++second);
    return page;
  };
  const events = await findEvents(read, queryOf(101), MOST);
  expect(events === 'too_many' ? events : events.map(({ id }) => id)).toEqual(newest(350, 250));
});

test('only ids and times are kept, and the filter is that of each request', async () => {
  const service = serviceWith(upTo(150));
  const query = { ...queryOf(150), filter: { transaction_id: 'T' } };
  expect(await findEvents(service.read, query, MOST)).toEqual([
    { id: 'E150', created: new Date(150_000).toISOString() },
  ]);
  expect(service.requests).toEqual([
    { transaction_id: 'T', limit: '100', page: '1' },
    { transaction_id: 'T', limit: '100', page: '2' },
  ]);
});
