// Reading stored events from the oldest that matches: which pages are requested, and in which order events come.
import { expect, test } from 'vitest';
import type { ListEventsQuery } from '../../../src/cli/events/follow.ts';
import { findRange, readRange } from '../../../src/cli/events/stored-events.ts';

type Listed = { id: string; type: string; created: string };

const eventOf = (number: number): Listed => ({
  id: `E${number}`,
  type: 'transaction_created',
  created: new Date(number * 1000).toISOString(),
});

/** A service with as many events, which lists them as the contract says. */
function serviceWith(count: number) {
  const events = Array.from({ length: count }, (_, index) => eventOf(index + 1));
  const requests: string[] = [];
  const read = async ({ after, limit, page = '1' }: ListEventsQuery) => {
    requests.push(after === undefined ? `page ${page}` : `after ${after}`);
    const [size, number] = [Number(limit), Number(page)];
    const items =
      after === undefined
        ? [...events].reverse().slice((number - 1) * size, number * size)
        : events.slice(events.findIndex(({ id }) => id === after) + 1).slice(0, size);
    return { items };
  };
  return { read, requests, add: () => events.push(eventOf(events.length + 1)) };
}

/** Matches the newest `matching` of `count` events. */
const queryOf = (count: number, matching: number) => ({
  filter: {},
  isMatch: ({ created }: { created: string }) => Date.parse(created) > (count - matching) * 1000,
});

async function idsOf(count: number, matching: number, onEvent: (number: number) => void = () => undefined) {
  const service = serviceWith(count);
  const query = queryOf(count, matching);
  const range = await findRange(service.read, query, 1000);
  if (range === undefined || range === 'too_many') return { ids: range, requests: service.requests };
  const ids: string[] = [];
  for await (const { id } of readRange(service.read, query, range)) {
    ids.push(id);
    onEvent(ids.length);
  }
  return { ids, requests: service.requests };
}

const newest = (count: number, matching: number): string[] =>
  Array.from({ length: matching }, (_, index) => `E${count - matching + index + 1}`);

test.each([
  [1, 1],
  [40, 40],
  [100, 100],
  [101, 100],
  [101, 101],
  [250, 101],
  [1000, 1000],
  [1200, 999],
  [1200, 1000],
  [5000, 650],
])('of %i events the newest %i come, oldest first', async (count, matching) => {
  const { ids, requests } = await idsOf(count, matching);
  expect(ids).toEqual(newest(count, matching));
  const searching = requests.filter((request) => request.startsWith('page'));
  expect(searching.length).toBeLessThanOrEqual(8);
});

test.each([
  [0, 0, undefined],
  [300, 0, undefined],
  [1001, 1001, 'too_many'],
  [9000, 9000, 'too_many'],
])('of %i events, %i of which match, nothing is read: %s', async (count, matching, result) => {
  const { ids, requests } = await idsOf(count, matching);
  expect(ids).toEqual(result);
  expect(requests.filter((request) => request.startsWith('after'))).toEqual([]);
});

test('no page is requested before the events of the page before were taken', async () => {
  const taken = new Map<string, number>();
  const service = serviceWith(450);
  const query = queryOf(450, 450);
  const range = await findRange(service.read, query, 1000);
  if (range === undefined || range === 'too_many') throw new Error('There is no range.');
  service.requests.length = 0;
  let count = 0;
  for await (const _ of readRange(service.read, query, range)) {
    count += 1;
    for (const request of service.requests) if (!taken.has(request)) taken.set(request, count);
  }
  expect([...taken]).toEqual([
    ['after E1', 2],
    ['after E101', 102],
    ['after E201', 202],
    ['after E301', 302],
    ['after E401', 402],
  ]);
});

test('what happens while events are read belongs to no range, and loses none of it', async () => {
  const service = serviceWith(350);
  const query = { filter: {}, isMatch: ({ created }: Listed) => Date.parse(created) > 100_000 };
  const read = async (request: ListEventsQuery) => {
    const page = await service.read(request);
    for (let added = 0; added < 30; added += 1) service.add();
    return page;
  };
  const range = await findRange(read, query, 1000);
  if (range === undefined || range === 'too_many') throw new Error('There is no range.');
  const ids: string[] = [];
  for await (const { id } of readRange(read, query, range)) ids.push(id);
  expect(ids).toEqual(newest(350, 250));
});
