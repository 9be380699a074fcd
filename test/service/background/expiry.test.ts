// Many transactions that are due at once: as many share a commit as are done quickly, requests do not wait for them, and one
// that cannot be read blocks no other.
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve } from '../../../src/service/http/server.ts';
import { eventTypesOf, startTransaction } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { SLOW } from '../../support/tier.ts';

const DAY = 24 * 3600 * 1000;
const DUE = 120;

let harness: Harness;
let commits: number;
beforeEach(async () => {
  harness = await openHarness('in process');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await harness.close();
});

/** @returns the ids of started transactions whose time has come */
async function manyDue(count = DUE): Promise<string[]> {
  const { id } = await startTransaction(harness);
  const ids = Array.from({ length: count }, (_, n) => `${id}-${n}`);
  const past = new Date(harness.clock.now - DAY).toISOString();
  await harness.store.database.write(async (db) => {
    const [row] = await db.selectFrom('transaction').selectAll().where('id', '=', id).execute();
    const [template] = await db
      .selectFrom('template')
      .selectAll()
      .where('id', '=', row?.template_id ?? '')
      .execute();
    if (!row || !template) throw new Error('It was started.');
    await db
      .insertInto('template')
      .values(ids.map((copy) => ({ ...template, id: `t-${copy}` })))
      .execute();
    const due = { expires_at: past, expiration_days: 1 };
    await db
      .insertInto('transaction')
      .values(ids.map((copy) => ({ ...row, id: copy, template_id: `t-${copy}`, ...due })))
      .execute();
  });
  commits = 0;
  const { database } = harness.store;
  const { write } = database;
  database.write = (fn) => {
    commits += 1;
    return write(fn);
  };
  return ids;
}

const countStarted = () =>
  harness.store.database.read(async (db) => {
    const rows = await db.selectFrom('transaction').select('id').where('status', '=', 'started').execute();
    return rows.length;
  });

/** Each call of `performance.now` returns this much more than the one before. */
function measuredTimeAdvances(byMs: number): void {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += byMs;
    return nowMs;
  });
}

test('share a commit with twice as many as before where that is quick', async () => {
  const ids = await manyDue();
  measuredTimeAdvances(0);
  await harness.service.work();
  expect(await countStarted()).toBe(1);
  expect(commits).toBe(4 + 1); // of 8, 16, 32 and 64 transactions, and one that forgets old answers
  expect(
    (await eventTypesOf(harness, ids[7] ?? '')).filter((type) => type === 'transaction_expired'),
  ).toHaveLength(1);
  expect(harness.errors).toEqual([]);
});

test('have a commit of their own where one takes long', async () => {
  await manyDue();
  measuredTimeAdvances(10);
  await harness.service.work();
  expect(await countStarted()).toBe(1);
  expect(commits).toBe(3 + (DUE - 14) + 1); // of 8, 4 and 2, then of one each, and one that forgets old answers
});

test.skipIf(!SLOW)('let others in between', async () => {
  await manyDue(400);
  let isDone = false;
  const working = harness.service.work().then(() => {
    isDone = true;
  });
  let answered = 0;
  while (!isDone) {
    await harness.client['transaction.create']({ body: { name: 'Meanwhile' } });
    answered += 1;
  }
  await working;
  expect(answered).toBeGreaterThan(5);
});

test.skipIf(!SLOW)('stop in the middle when the service is to stop', async () => {
  await manyDue(400);
  const stop = new AbortController();
  const working = harness.service.work(stop.signal);
  while (commits < 2) await turn();
  stop.abort();
  await working;
  expect(await countStarted()).toBeGreaterThan(100);
  await harness.service.work();
  expect(await countStarted()).toBe(1);
});

test('do not keep a server from ending', async () => {
  await manyDue(400);
  const serving = await serve(harness.service, { host: '127.0.0.1', port: 0 });
  while (commits < 2) await turn();
  await serving.close();
  await expect(fetch(`${serving.url}/openapi.json`)).rejects.toThrow();
  const left = await countStarted();
  expect(left).toBeGreaterThan(100);
  await turn();
  expect(await countStarted()).toBe(left);
});

test('expire though one of them cannot be read: it is reported with its id, and tried again later', async () => {
  const ids = await manyDue(20);
  const broken = ids[3] ?? '';
  const repair = (settings: string) =>
    harness.store.database.write((db) =>
      sql`update template set id = ${settings} where id in (${`t-${broken}`}, ${'gone'})`.execute(db),
    );
  await repair('gone');
  await harness.service.work();
  expect(await countStarted()).toBe(2);
  expect(harness.errors.splice(0)).toHaveLength(1);
  expect(harness.failed.splice(0)).toEqual([expect.stringContaining(broken)]);
  // Not again at once, nor each second.
  await harness.service.work();
  expect(harness.errors).toEqual([]);
  await repair(`t-${broken}`);
  harness.clock.advance(3600 * 1000);
  await harness.service.work();
  expect(await countStarted()).toBe(1);
  expect(await eventTypesOf(harness, broken)).toContain('transaction_expired');
});
