// What a serving sandbox removes: uploads that were not linked in time, and what killed processes left. Never what something
// names, nor what is being written.
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve } from '../../src/service/http/server.ts';
import { findInconsistencies } from '../support/assert-consistent.ts';
import { signWith, startTransaction } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { ageBlobs, blobFiles } from '../support/stores/blob-files.ts';
import { SLOW } from '../support/tier.ts';

const HOUR = 3600 * 1000;

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness('in process');
});
afterEach(async () => {
  await harness.close();
  expect(harness.errors).toEqual([]);
});

const folder = () => join(harness.folder, 'blobs');

const files = () => blobFiles(harness);

const rows = () =>
  harness.store.database.read((db) => db.selectFrom('file').select('original_name').execute());

const age = (byMs: number) => ageBlobs(harness, byMs);

let contract: Buffer | undefined;
async function upload(name: string): Promise<string> {
  contract ??= await readFile(new URL('../fixtures/contract.pdf', import.meta.url));
  const content = Buffer.concat([contract, Buffer.from(`\n% ${name}\n`)]);
  return (await harness.client['file.upload']({ form: { name }, file: { name, content } })).token;
}

test('removes files that were not linked in time, and their bytes, once no request can link them', async () => {
  const { id } = await startTransaction(harness);
  await harness.client['file.content']({
    params: {
      fileId: (await harness.client['transaction.detail']({ params: { transactionId: id } })).template
        .documents[0]?.pages[0]?.file.id as string,
    },
  });
  await upload('late.pdf');
  harness.clock.advance(24.5 * HOUR);
  await age(24.5 * HOUR);
  const before = await files();
  await harness.service.sweep();
  expect(await files()).toEqual(before);
  harness.clock.advance(HOUR);
  const token = await upload('fresh.pdf');
  await harness.service.sweep();
  expect((await rows()).map((row) => row.original_name).sort()).toEqual(['contract.pdf', 'fresh.pdf']);
  // The document, the picture of its page, and the fresh one.
  expect(await files()).toHaveLength(3);
  expect(await findInconsistencies(harness.store)).toEqual([]);
  const other = await harness.client['transaction.create']({ body: {} });
  await harness.client['transaction.add_document']({ params: { transactionId: other.id }, body: { token } });
});

test('keeps sealed documents and their evidence, and takes those whose commit never came', async () => {
  const { token } = await startTransaction(harness);
  await signWith(harness, token);
  await harness.store.blobs.put(Buffer.from('sealed by a process that was killed'));
  const before = await files();
  await age(2 * HOUR);
  await harness.service.sweep();
  expect(await files()).toHaveLength(before.length - 1);
  expect(await findInconsistencies(harness.store)).toEqual([]);
});

test('takes what killed processes left, but not what may be in work', async () => {
  await startTransaction(harness);
  const left = join(folder(), `${randomUUID()}.tmp`);
  await writeFile(left, 'half a file');
  await harness.service.sweep();
  expect(await files()).toContain(left);
  await age(2 * HOUR);
  await harness.service.sweep();
  expect(await files()).not.toContain(left);
  expect(await findInconsistencies(harness.store)).toEqual([]);
});

test.skipIf(!SLOW)('keeps bytes that are uploaded again while it sweeps', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `${n}.pdf`);
  for (const name of names) await upload(name);
  harness.clock.advance(26 * HOUR);
  await age(26 * HOUR);
  let isDone = false;
  const sweeping = (async () => {
    for (let round = 0; round < 5; round += 1) await harness.service.sweep();
    isDone = true;
  })();
  while (!isDone) await Promise.all(names.slice(0, 10).map(upload));
  await sweeping;
  expect(await findInconsistencies(harness.store)).toEqual([]);
});

test('puts back what a killed sweep had moved aside', async () => {
  await startTransaction(harness);
  const [path = ''] = await files();
  await writeFile(`${path}.swept`, await readFile(path));
  await writeFile(join(folder(), `${'0'.repeat(64)}.swept`), 'of nobody');
  const { rm } = await import('node:fs/promises');
  await rm(path);
  await age(2 * HOUR);
  await harness.service.sweep();
  expect(await files()).toEqual([path]);
  expect(await findInconsistencies(harness.store)).toEqual([]);
});

test.skipIf(!SLOW)('happens when a sandbox is served, not in a command that ends', async () => {
  await startTransaction(harness);
  const left = join(folder(), `${randomUUID()}.tmp`);
  await writeFile(left, 'half a file');
  await age(2 * HOUR);
  await harness.service.work();
  expect(await files()).toContain(left);
  const serving = await serve(harness.service, { host: '127.0.0.1', port: 0 });
  await expect.poll(files).not.toContain(left);
  await serving.close();
});
