// Bytes that are not the ones that were stored: never shown, never signed, and said by name.
import { readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DamagedStoreError } from '../../src/database/database.ts';
import {
  ADA,
  BOB,
  currentToken,
  refusalOf,
  signWith,
  startTransaction,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness('in process');
});
afterEach(async () => {
  await harness.close();
  expect(harness.contractViolations).toEqual([]);
});

/** The only blob of the store. */
async function blobPath(): Promise<string> {
  const folder = join(harness.folder, 'blobs');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const [file] = entries.filter((entry) => entry.isFile());
  return join(file?.parentPath ?? '', file?.name ?? '');
}

/** As a failing disk does it: the size stays, and nothing was written. */
async function flipOneBit(path: string): Promise<void> {
  const { atime, mtime } = await stat(path);
  const bytes = await readFile(path);
  bytes[1000] = (bytes[1000] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await utimes(path, atime, mtime);
}

const DAMAGES: Record<string, (path: string) => Promise<void>> = {
  'one bit changed': flipOneBit,
  overwritten: (path) => writeFile(path, '%PDF-1.7 something else'),
  'cut off': (path) => truncate(path, 1000),
  emptied: (path) => truncate(path, 0),
  removed: (path) => rm(path),
};

describe.each(sampleOf(Object.entries(DAMAGES), 5))('a document whose bytes were %s', (_, damage) => {
  const fileOf = (detail: Awaited<ReturnType<typeof startTransaction>>['detail']) =>
    detail.template.documents[0]?.file.id ?? '';

  test('is not given out, though it was read before', async () => {
    const { detail } = await startTransaction(harness);
    const params = { fileId: fileOf(detail) };
    await harness.client['file.content']({ params });
    await damage(await blobPath());
    const refused = await refusalOf(harness.client['file.content']({ params }));
    expect(refused).toMatchObject({ status: 500, code: 'storage_damaged' });
    expect(refused.message).toContain('contract.pdf');
    expect(harness.errors.splice(0)).toEqual([expect.any(DamagedStoreError)]);
  });

  test('completes nothing, until the bytes are back', async () => {
    const { id } = await startTransaction(harness, [ADA, BOB]);
    await signWith(harness, await currentToken(harness, id));
    const path = await blobPath();
    const bytes = await readFile(path);
    await damage(path);
    for (const attempt of [
      async () => signWith(harness, await currentToken(harness, id)),
      () => harness.client['sandbox.sign']({ params: { transactionId: id }, body: {} }),
    ]) {
      const refused = await refusalOf(attempt());
      expect(refused).toMatchObject({ status: 500, code: 'storage_damaged' });
      expect(refused.message).toContain('contract.pdf');
    }
    const detail = await harness.client['transaction.detail']({ params: { transactionId: id } });
    expect(detail.status).toBe('started');
    await writeFile(path, bytes);
    await signWith(harness, await currentToken(harness, id));
    expect((await harness.client['transaction.detail']({ params: { transactionId: id } })).status).toBe(
      'completed',
    );
    expect(harness.errors.splice(0)).toHaveLength(2);
  });
});

test.skipIf(!SLOW)('brings the bytes of a document back when the same file is uploaded again', async () => {
  const { detail, id } = await startTransaction(harness);
  await truncate(await blobPath(), 10);
  const { uploadContract } = await import('../support/fixtures/transactions.ts');
  await uploadContract(harness);
  await harness.client['file.content']({ params: { fileId: detail.template.documents[0]?.file.id ?? '' } });
  await signWith(harness, await currentToken(harness, id));
  expect(harness.errors).toEqual([]);
});
