// The number of events of a company, of which only the later ones are counted again.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/database/database.ts';
import {
  createEventCounts,
  type EventCounts,
  pageOfEvents,
} from '../../../src/service/store/delivery/events.ts';
import { insertEvents } from '../../../src/service/store/delivery/records.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { NOW, sqliteStores } from '../../support/stores/databases.ts';

const stores = [sqliteStores(), sqliteStores()];
let databases: Database<Tables>[];
let counts: EventCounts;

beforeEach(async () => {
  databases = await Promise.all(stores.map((store) => store.open()));
  counts = createEventCounts();
});
afterEach(() => Promise.all(stores.map((store) => store.clear())));

const record = (place: number, company_id: string, count: number) =>
  databases[place]?.write((db) => {
    const data = { id: 'one', status: 'expired', cancelled_reason: null, cancelled_at: null } as const;
    const events = Array.from({ length: count }, () => ({ type: 'transaction_expired', data }) as const);
    const origin = { company_id, transaction_id: randomUUID(), now: NOW, newId: randomUUID };
    return insertEvents(db, events as never, origin, 'sqlite');
  });

const countOf = (place: number, company_id: string) =>
  databases[place]?.read(async (db) => {
    const asked = { company_id, after: undefined, limit: 1, page: 1 };
    const { total } = await pageOfEvents(db, asked, counts);
    expect(total).toBe((await pageOfEvents(db, asked)).total);
    return total;
  });

test('is that of all events, however many come after it was asked for', async () => {
  expect(await countOf(0, 'a')).toBe(0);
  for (const [more, total] of [
    [3, 3],
    [0, 3],
    [1, 4],
    [5, 9],
  ] as const) {
    await record(0, 'a', more);
    await record(0, 'b', 2);
    expect([await countOf(0, 'a'), await countOf(0, 'a')]).toEqual([total, total]);
  }
  expect(await countOf(0, 'b')).toBe(8);
});

test('is counted anew where another state was restored, with as many events or fewer', async () => {
  await record(0, 'a', 5);
  expect(await countOf(0, 'a')).toBe(5);
  await record(1, 'a', 2);
  expect(await countOf(1, 'a')).toBe(2);
  await record(1, 'b', 4);
  await record(1, 'a', 3);
  expect(await countOf(1, 'a')).toBe(5);
  await record(0, 'a', 1);
  expect(await countOf(0, 'a')).toBe(6);
});
