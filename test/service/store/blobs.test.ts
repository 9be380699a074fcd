// The bytes of files: named by their content, whole or not there at all.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Blobs, createBlobs } from '../../../src/service/store/blobs/blobs.ts';
import { uploadContract } from '../../support/fixtures/transactions.ts';
import { openHarness } from '../../support/harness.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MINUTE = 60_000;

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function* chunks(...parts: string[]) {
  for (const part of parts) yield bytesOf(part);
}

async function* broken(...parts: string[]) {
  yield* chunks(...parts);
  throw new Error('The connection broke.');
}

describe('blobs', () => {
  let root: string;
  let folder: string;
  let blobs: Blobs;
  beforeEach(async () => {
    root = await temporaryFolder();
    folder = join(root, 'blobs');
    blobs = createBlobs(folder, randomUUID);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  const age = async (path: string, byMs: number) => {
    const { mtimeMs } = await stat(path);
    const then = new Date(mtimeMs - byMs);
    await utimes(path, then, then);
  };

  test('are named by what they contain and give it back, read only by their owner', async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => index % 251);
    const name = await blobs.put(bytes);
    expect(name).toBe(sha256Of(bytes));
    expect(Buffer.compare(await blobs.get(name), bytes)).toBe(0);
    expect(await files()).toEqual([name]);
    expect((await stat(pathOf(name))).mode & 0o077).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);
  });

  test('are there once, however often and whenever the same bytes come', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => blobs.put(bytesOf('the same'))));
    await blobs.put(bytesOf('the same'));
    expect(new Set(names)).toEqual(new Set([sha256Of(bytesOf('the same'))]));
    expect(await files()).toEqual([names[0]]);
    expect(await blobs.get(names[0] ?? '')).toEqual(bytesOf('the same'));
  });

  test('of no bytes at all exist', async () => {
    const name = await blobs.put(new Uint8Array());
    expect(await blobs.get(name)).toEqual(new Uint8Array());
  });

  test.each(['', '../key', 'A'.repeat(64), `${'a'.repeat(63)}/`, 'a'.repeat(65)])(
    'cannot be asked for as "%s"',
    async (name) => {
      await mkdir(folder, { recursive: true });
      await writeFile(join(root, 'key'), 'secret');
      await expect(blobs.get(name)).rejects.toThrow('named by its SHA-256');
    },
  );

  test('come as a stream, chunk by chunk, and are only there once they are kept', async () => {
    const spooled = await blobs.spool(chunks('one ', '', 'two ', 'three'), 100);
    if (spooled === 'too_large') throw new Error('It is small.');
    expect(spooled).toMatchObject({ sizeBytes: 13, sha256: sha256Of(bytesOf('one two three')) });
    expect(await spooled.bytes()).toEqual(bytesOf('one two three'));
    await expect(blobs.get(spooled.sha256)).rejects.toThrow('is missing');
    await spooled.storeBlob();
    await spooled.discard();
    expect(await blobs.get(spooled.sha256)).toEqual(bytesOf('one two three'));
    expect(await files()).toEqual([spooled.sha256]);
  });

  test('leave nothing when they are discarded, too large, or incomplete', async () => {
    const spooled = await blobs.spool(chunks('unwanted'), 8);
    if (spooled === 'too_large') throw new Error('It is as large as it may be.');
    await spooled.discard();
    expect(await blobs.spool(chunks('too ', 'large'), 8)).toBe('too_large');
    await expect(blobs.spool(broken('half'), 8)).rejects.toThrow('The connection broke.');
    expect(await files()).toEqual([]);
  });

  test('stop reading as soon as the limit is passed', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        yield bytesOf('x'.repeat(10));
      }
    }
    expect(await blobs.spool(endless(), 25)).toBe('too_large');
    expect(read).toBe(3);
  });

  test('are swept when nothing names them and they were not written for a while', async () => {
    const [named, old, fresh] = await Promise.all(
      ['named', 'old', 'fresh'].map((text) => blobs.put(bytesOf(text))),
    );
    const left = join(folder, `${randomUUID()}.tmp`);
    await writeFile(left, 'a process was killed here');
    for (const path of [pathOf(named ?? ''), pathOf(old ?? ''), left]) await age(path, 11 * MINUTE);
    await blobs.sweep((sha256) => sha256 === named, 10 * MINUTE);
    expect((await files()).sort()).toEqual([named, fresh].sort());
    await blobs.sweep(() => false, 0);
    expect(await files()).toEqual([]);
  });

  test('come back to life when the same bytes are put again', async () => {
    const name = await blobs.put(bytesOf('again'));
    await age(pathOf(name), 11 * MINUTE);
    await blobs.put(bytesOf('again'));
    await blobs.sweep(() => false, 10 * MINUTE);
    expect(await files()).toEqual([name]);
  });

  test('can be swept while others are written, and where there are none', async () => {
    await blobs.sweep(() => false, 0);
    expect(await readdir(root)).toEqual([]);
    const writing = Array.from({ length: 40 }, (_, index) => blobs.put(bytesOf(`file ${index}`)));
    const sweeping = Array.from({ length: 10 }, () => blobs.sweep(() => false, 10 * MINUTE));
    const names = (await Promise.all([...writing, ...sweeping])).filter((name) => name !== undefined);
    expect((await files()).sort()).toEqual(names.sort());
  });

  test('go with the store that is emptied, once they have settled', async () => {
    const store = join(root, 'store');
    folder = join(store, 'blobs');
    const harness = await openHarness('in process', { folder: store });
    await uploadContract(harness);
    const [old = ''] = await files();
    await age(pathOf(old), 11 * MINUTE);
    const fresh = await createBlobs(folder, randomUUID).put(bytesOf('just uploaded'));
    await harness.client['sandbox.reset']({ body: {} });
    expect(await files()).toEqual([fresh]);
    expect(harness.errors).toEqual([]);
    await harness.close();
  });
});
