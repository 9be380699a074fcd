// A serving process delivers, registers itself for other processes, and stops cleanly.
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workerFilesOf } from '../../../src/service/store/delivery/workers.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let receiver: WebhookReceiver;
const open: Harness[] = [];
let folder: string;

beforeEach(async () => {
  receiver = await startWebhookReceiver();
  folder = await temporaryFolder();
});

afterEach(async () => {
  for (const harness of open.splice(0).reverse()) {
    await harness.close();
    expect(harness.errors).toEqual([]);
  }
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

async function opened(...given: Parameters<typeof openHarness>): Promise<Harness> {
  const harness = await openHarness(...given);
  open.push(harness);
  return harness;
}

const create = ({ client }: Harness) =>
  client['transaction.create']({ body: { name: 'A', notification_endpoint: receiver.url } });

async function received(count: number): Promise<void> {
  while (receiver.received.length < count) await after(5);
}

const statesIn = ({ store }: Harness) =>
  store.database.read((db) => db.selectFrom('delivery').select(['state', 'attempts', 'lease']).execute());

test('sends what its own requests cause, and what other processes commit', async () => {
  const serving = await opened('over HTTP', { folder, isDelivering: true });
  await create(serving);
  await received(1);
  const beside = await opened('in process', { folder });
  await create(beside);
  await received(2);
});

test.skipIf(!SLOW)('tells others that nothing is left to them, until it ends', async () => {
  const serving = await openHarness('over HTTP', { folder, isDelivering: true });
  const beside = await opened('in process', { folder });
  expect(await beside.service.leftToDeliver()).toBeUndefined();
  await create(beside);
  expect(await beside.service.leftToDeliver()).toMatchObject({ isWorked: true });
  await serving.close();
  expect(await beside.service.leftToDeliver()).toMatchObject({ isWorked: false });
});

test('is taken for gone when it has not told of itself for a minute', async () => {
  const beside = await opened('in process');
  await create(beside);
  const tell = (leased_until: string) =>
    beside.store.database.write(async (db) => {
      await db.deleteFrom('worker').execute();
      await db.insertInto('worker').values({ id: 'w', leased_until }).execute();
    });
  await tell(new Date(Date.now() - 1).toISOString());
  expect(await beside.service.leftToDeliver()).toEqual({ events: 1, mails: 0, isWorked: false });
  // A row is renewed for a minute, by a process whose clock may be ahead.
  for (const ms of [50_000, 60_500, 90_000]) {
    await tell(new Date(Date.now() + ms).toISOString());
    expect(await beside.service.leftToDeliver()).toEqual({ events: 1, mails: 0, isWorked: true });
  }
  // Written as if the clock had been set back since.
  await tell(new Date(Date.now() + 10 * DAY_MS).toISOString());
  expect(await beside.service.leftToDeliver()).toEqual({ events: 1, mails: 0, isWorked: false });
});

test.skipIf(!SLOW)(
  'is known by a file that it holds, and to be gone when the system has released it',
  async () => {
    const beside = await opened('in process', { folder });
    await create(beside);
    const { store, service } = beside;
    const held = workerFilesOf(store).hold('w');
    await store.database.write(async (db) => {
      await db
        .insertInto('worker')
        .values({ id: 'w', leased_until: new Date(0).toISOString() })
        .execute();
      await db
        .updateTable('delivery')
        .set({ lease: 'w', leased_until: new Date(Date.now() + 15_000).toISOString() })
        .execute();
    });
    expect(await service.leftToDeliver()).toMatchObject({ isWorked: true });
    await service.deliver();
    expect(receiver.received).toEqual([]);
    held?.release();
    // As a process leaves it that was killed.
    await writeFile(join(folder, 'workers', 'w'), '');
    expect(await service.leftToDeliver()).toMatchObject({ isWorked: false });
    await service.deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await readdir(join(folder, 'workers'))).toEqual([]);
  },
);

test('is left to every process once it is due, and to none before', async () => {
  receiver.answer = (_, response) => response.writeHead(500).end();
  const first = await opened('in process', { folder });
  await create(first);
  await first.service.deliver();
  const reader = await opened('in process', { folder });
  expect(await reader.service.leftToDeliver()).toBeUndefined();
  reader.clock.advance(10_000);
  expect(await reader.service.leftToDeliver()).toEqual({ events: 1, mails: 0, isWorked: false });
});

test.skipIf(!SLOW)('has left no file when it has ended', async () => {
  const serving = await openHarness('over HTTP', { folder, isDelivering: true });
  expect(await readdir(join(folder, 'workers'))).toHaveLength(1);
  await serving.close();
  expect(await readdir(join(folder, 'workers'))).toEqual([]);
});

test('leaves a replay to the process that asked for it, also of what still waits', async () => {
  receiver.answer = (_, response) => response.writeHead(500).end();
  const first = await opened('in process', { folder });
  const { id } = await create(first);
  await first.service.deliver();
  const second = await opened('in process', { folder });
  await second.client['event.replay']({ body: { transaction_id: id } });
  expect(await second.service.leftToDeliver()).toEqual({ events: 1, mails: 0, isWorked: false });
  await second.service.deliver();
  expect(receiver.received).toHaveLength(2);
});

test.skipIf(!SLOW)('waits at its end for what is under way, and writes it down', async () => {
  const serving = await openHarness('over HTTP', { folder, isDelivering: true });
  const beside = await opened('in process', { folder });
  const asked = new Promise<() => void>((resolve) => {
    receiver.answer = (_, response) => resolve(() => response.writeHead(204).end());
  });
  await create(serving);
  const answer = await asked;
  const closed = serving.close();
  await after(50);
  answer();
  await closed;
  expect(await statesIn(beside)).toEqual([{ state: 'delivered', attempts: 1, lease: null }]);
});

test('leaves what another process has claimed to that one, and takes it over when the claim has lapsed', async () => {
  const fixture = await opened('in process');
  await create(fixture);
  const claim = (until: number) =>
    fixture.store.database.write((db) =>
      db
        .updateTable('delivery')
        .set({ lease: 'other', leased_until: new Date(until).toISOString() })
        .execute(),
    );
  // The clock of the other process may be ahead of this one, or have been read after it: a lease lasts for 20 seconds.
  for (const ms of [15_000, 20_500, 30_000]) {
    await claim(Date.now() + ms);
    await fixture.service.deliver();
    expect(receiver.received).toEqual([]);
  }
  await claim(Date.now() - 1);
  await fixture.service.deliver();
  expect(receiver.received).toHaveLength(1);
});

test('does not believe a claim that reaches further than any does, because the clock was set back', async () => {
  const fixture = await opened('in process');
  await create(fixture);
  await fixture.store.database.write((db) =>
    db
      .updateTable('delivery')
      .set({ lease: 'other', leased_until: new Date(Date.now() + 10 * DAY_MS).toISOString() })
      .execute(),
  );
  await fixture.service.deliver();
  expect(receiver.received).toHaveLength(1);
  expect(await statesIn(fixture)).toEqual([{ state: 'delivered', attempts: 1, lease: null }]);
});

test.each([204, 500])(
  'records an attempt that was answered %i too late, and leaves the rest to the process that took over',
  async (status) => {
    const fixture = await opened('in process');
    await create(fixture);
    const asked = new Promise<() => void>((resolve) => {
      receiver.answer = (_, response) => resolve(() => response.writeHead(status).end());
    });
    const delivering = fixture.service.deliver();
    const answer = await asked;
    const until = new Date(Date.now() + 15_000).toISOString();
    await fixture.store.database.write((db) =>
      db.updateTable('delivery').set({ lease: 'other', leased_until: until }).execute(),
    );
    answer();
    await delivering;
    expect(await statesIn(fixture)).toEqual([{ state: 'waiting', attempts: 0, lease: 'other' }]);
    const attempts = await fixture.store.database.read((db) =>
      db.selectFrom('attempt').select('status').execute(),
    );
    expect(attempts).toEqual([{ status }]);
  },
);

test.skipIf(!SLOW)('delays no other receiver for one that does not answer', async () => {
  const fixture = await opened('in process');
  const silent = await startWebhookReceiver();
  silent.answer = () => undefined;
  for (let n = 0; n < 40; n += 1)
    await fixture.client['transaction.create']({ body: { name: 'S', notification_endpoint: silent.url } });
  await create(fixture);
  const stop = new AbortController();
  const delivering = fixture.service.deliver({ signal: stop.signal });
  const delivered = async () => (await statesIn(fixture)).filter(({ state }) => state === 'delivered');
  // The receiver has the request before its answer is read and written down.
  while ((await delivered()).length === 0) await after(20);
  stop.abort();
  await delivering;
  await silent.close();
  const states = await statesIn(fixture);
  expect(await delivered()).toHaveLength(1);
  // A few were tried, the others were not even claimed.
  expect(states.filter(({ attempts }) => attempts === 0).length).toBeGreaterThanOrEqual(32);
  expect(states.every(({ lease }) => lease === null)).toBe(true);
});

test.runIf(SLOW)('writes down what it sent when the store is well again, and sends it once', async () => {
  const serving = await openHarness('over HTTP', { folder, isDelivering: true });
  const { write } = serving.store.database;
  receiver.answer = (_, response) => {
    serving.store.database.write = () => {
      serving.store.database.write = write;
      return Promise.reject(new Error('disk'));
    };
    response.writeHead(204).end();
  };
  await create(serving);
  while ((await statesIn(serving)).some(({ state }) => state === 'waiting')) await after(20);
  await serving.close();
  expect(serving.errors.map(String)).toEqual(['Error: disk']);
  expect(receiver.received).toHaveLength(1);
});
