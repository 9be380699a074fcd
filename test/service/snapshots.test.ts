// Named states of a sandbox: saved and restored while it is in use, by this process and another.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  eventTypesOf,
  readDetail,
  refusalOf,
  signWith,
  startTransaction,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness('over HTTP');
});
afterEach(async () => {
  await harness.close();
  expect(harness.errors).toEqual([]);
  expect(harness.contractViolations).toEqual([]);
});

const save = (name: string) => harness.client['sandbox.save_snapshot']({ params: { name }, body: {} });
const restore = (name: string, { client } = harness) =>
  client['sandbox.restore_snapshot']({ params: { name }, body: {} });

test('a snapshot has transactions, files, events and the clock', async () => {
  const { id, token } = await startTransaction(harness);
  await harness.client['sandbox.pause_clock']({ body: { at: '2030-01-01T00:00:00.000Z' } });
  const events = await eventTypesOf(harness, id);
  await save('started');
  await signWith(harness, token);
  const { id: later } = await startTransaction(harness);
  await harness.client['sandbox.reset_clock']({ body: {} });
  await restore('started');
  expect((await readDetail(harness, id)).status).toBe('started');
  expect(await eventTypesOf(harness, id)).toEqual(events);
  expect((await harness.client['sandbox.clock']()).now).toBe('2030-01-01T00:00:00.000Z');
  expect(await refusalOf(readDetail(harness, later))).toMatchObject({ code: 'transaction_not_found' });
});

test.skipIf(!SLOW)('a transaction can be signed after its files were removed and restored', async () => {
  const { id, token } = await startTransaction(harness);
  await save('started');
  await harness.client['sandbox.reset']({ body: {} });
  await rm(join(harness.folder, 'blobs'), { recursive: true });
  await restore('started');
  await signWith(harness, token);
  const { status, sealed_documents } = await readDetail(harness, id);
  expect(status).toBe('completed');
  const sealed = await harness.client['file.content']({ params: { fileId: sealed_documents[0]!.id } });
  expect(Buffer.from(sealed.bytes.subarray(0, 5)).toString()).toBe('%PDF-');
});

test.skipIf(!SLOW)('another process sees the restored state at once', async () => {
  const { id, token } = await startTransaction(harness);
  await save('started');
  await signWith(harness, token);
  const other = await openHarness('in process', { folder: harness.folder });
  try {
    expect((await readDetail(other, id)).status).toBe('completed');
    await restore('started');
    expect((await readDetail(other, id)).status).toBe('started');
  } finally {
    await other.close();
  }
});

test.skipIf(!SLOW)('a snapshot is listed, replaced and deleted', async () => {
  await save('b');
  await startTransaction(harness);
  await save('a');
  await save('b');
  const names = async () => (await harness.client['sandbox.list_snapshots']()).items.map(({ name }) => name);
  expect(await names()).toEqual(['a', 'b']);
  await harness.client['sandbox.reset']({ body: {} });
  await restore('b');
  expect((await harness.client['sandbox.status']()).transactions.started).toBe(1);
  await harness.client['sandbox.delete_snapshot']({ params: { name: 'b' } });
  expect(await names()).toEqual(['a']);
  expect(await refusalOf(restore('b'))).toMatchObject({ status: 404, code: 'snapshot_not_found' });
});

test.each(sampleOf(['', '..', '.hidden', 'A', 'a/b', 'a'.repeat(65)], 3))('%j is no name', async (name) => {
  await expect(save(name)).rejects.toThrow();
  expect(await harness.client['sandbox.list_snapshots']()).toEqual({ items: [] });
});
