// What a serving sandbox clears away: files that nobody linked in time, and what killed processes left. Never what something
// names, nor what is being written.
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve } from '../../src/service/server.ts';
import { findInconsistencies } from '../support/assert-consistent.ts';
import { signWith, startTransaction } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { ageBlobs, blobFiles } from '../support/stores/blob-files.ts';
import { SLOW } from '../support/tier.ts';

const HOUR = 3600 * 1000;

let world: Harness;
beforeEach(async () => {
  world = await openHarness('in process');
});
afterEach(async () => {
  await world.close();
  expect(world.errors).toEqual([]);
});

const folder = () => join(world.folder, 'blobs');

const files = () => blobFiles(world);

const rows = () => world.store.database.read((db) => db.selectFrom('file').select('original_name').execute());

const age = (byMs: number) => ageBlobs(world, byMs);

let contract: Buffer | undefined;
async function upload(name: string): Promise<string> {
  contract ??= await readFile(new URL('../fixtures/contract.pdf', import.meta.url));
  const content = Buffer.concat([contract, Buffer.from(`\n% ${name}\n`)]);
  return (await world.client['file.upload']({ form: { name }, file: { name, content } })).token;
}

test('takes files that were not linked in time, and their bytes, once nobody can be about to', async () => {
  const { id } = await startTransaction(world);
  await world.client['file.content']({
    params: {
      fileId: (await world.client['transaction.detail']({ params: { transactionId: id } })).template
        .documents[0]?.pages[0]?.file.id as string,
    },
  });
  await upload('late.pdf');
  world.clock.advance(24.5 * HOUR);
  await age(24.5 * HOUR);
  const before = await files();
  await world.service.sweep();
  expect(await files()).toEqual(before);
  world.clock.advance(HOUR);
  const token = await upload('fresh.pdf');
  await world.service.sweep();
  expect((await rows()).map((row) => row.original_name).sort()).toEqual(['contract.pdf', 'fresh.pdf']);
  // The document, the picture of its page, and the fresh one.
  expect(await files()).toHaveLength(3);
  expect(await findInconsistencies(world.store)).toEqual([]);
  const other = await world.client['transaction.create']({ body: {} });
  await world.client['transaction.add_document']({ params: { transactionId: other.id }, body: { token } });
});

test('keeps sealed documents and their evidence, and takes those whose commit never came', async () => {
  const { token } = await startTransaction(world);
  await signWith(world, token);
  await world.store.blobs.put(Buffer.from('sealed by a process that was killed'));
  const before = await files();
  await age(2 * HOUR);
  await world.service.sweep();
  expect(await files()).toHaveLength(before.length - 1);
  expect(await findInconsistencies(world.store)).toEqual([]);
});

test('takes what killed processes left, but not what may be in work', async () => {
  await startTransaction(world);
  const left = join(folder(), `${randomUUID()}.tmp`);
  await writeFile(left, 'half a file');
  await world.service.sweep();
  expect(await files()).toContain(left);
  await age(2 * HOUR);
  await world.service.sweep();
  expect(await files()).not.toContain(left);
  expect(await findInconsistencies(world.store)).toEqual([]);
});

test.skipIf(!SLOW)('keeps bytes that are uploaded again while it sweeps', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `${n}.pdf`);
  for (const name of names) await upload(name);
  world.clock.advance(26 * HOUR);
  await age(26 * HOUR);
  let isDone = false;
  const sweeping = (async () => {
    for (let round = 0; round < 5; round += 1) await world.service.sweep();
    isDone = true;
  })();
  while (!isDone) await Promise.all(names.slice(0, 10).map(upload));
  await sweeping;
  expect(await findInconsistencies(world.store)).toEqual([]);
});

test('puts back what a killed sweep had moved aside', async () => {
  await startTransaction(world);
  const [path = ''] = await files();
  await writeFile(`${path}.swept`, await readFile(path));
  await writeFile(join(folder(), `${'0'.repeat(64)}.swept`), 'of nobody');
  const { rm } = await import('node:fs/promises');
  await rm(path);
  await age(2 * HOUR);
  await world.service.sweep();
  expect(await files()).toEqual([path]);
  expect(await findInconsistencies(world.store)).toEqual([]);
});

test('happens when a sandbox is served, not in a command that ends', async () => {
  await startTransaction(world);
  const left = join(folder(), `${randomUUID()}.tmp`);
  await writeFile(left, 'half a file');
  await age(2 * HOUR);
  await world.service.work();
  expect(await files()).toContain(left);
  const serving = await serve(world.service, { host: '127.0.0.1', port: 0 });
  await expect.poll(files).not.toContain(left);
  await serving.close();
});
