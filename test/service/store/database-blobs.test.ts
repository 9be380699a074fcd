// Blobs in PostgreSQL: every node reads what another one stored, and bytes that are not the ones that were stored never leave.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DamagedStoreError } from '../../../src/database/database.ts';
import { openPostgres } from '../../../src/database/postgres.ts';
import { connectPostgres } from '../../../src/database/postgres-connections.ts';
import { type Blobs, createBlobs } from '../../../src/service/store/blobs/blobs.ts';
import { createDatabaseBlobs } from '../../../src/service/store/blobs/database-blobs.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { skip, why } = needsPostgres();

const HOUR_MS = 60 * 60_000;

describe.skipIf(skip)(`blobs in PostgreSQL${why}`, () => {
  let url: string;
  let nodes: { blobs: Blobs; folder: string; close(): Promise<void> }[];
  const openNode = async () => {
    const folder = await temporaryFolder();
    const database = await openPostgres<Tables>({
      ...connectPostgres({ url }),
      migrations: migrations('postgres'),
    });
    return {
      folder,
      blobs: createDatabaseBlobs(database, createBlobs(join(folder, 'blobs'), randomUUID)),
      async close() {
        await database.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
  beforeEach(async () => {
    url = await sharedPostgres().createDatabase();
    nodes = [await openNode(), await openNode()];
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    await sharedPostgres().dropDatabase(url);
  });
  const node = (index: number) => nodes[index] as (typeof nodes)[number];
  const run = (text: string) => sharedPostgres().run<{ count: string }>(text, url);
  const pathOf = (index: number, name: string) => join(node(index).folder, 'blobs', name.slice(0, 2), name);

  test.each([0, 1, 256 * 1024, 256 * 1024 + 1, 10_000_000])(
    'of %d bytes are read by another node',
    async (size) => {
      const bytes = randomBytes(size);
      const name = await node(0).blobs.put(bytes);
      expect(name).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(Buffer.compare(await node(1).blobs.get(name), bytes)).toBe(0);
      expect(await node(1).blobs.locate(name)).toBe(pathOf(1, name));
    },
  );

  test('are stored once, however many nodes put them at the same time', async () => {
    const bytes = randomBytes(600_000);
    const names = await Promise.all(
      Array.from({ length: 20 }, (_, index) => node(index % 2).blobs.put(bytes)),
    );
    expect(new Set(names).size).toBe(1);
    expect((await run('select count(*) from blob_chunk'))[0]?.count).toBe('3');
  });

  test('that came as a stream are there when storeBlob has resolved, and not before', async () => {
    const spooled = await node(0).blobs.spool(
      (async function* () {
        yield Buffer.from('a stream');
      })(),
      100,
    );
    if (spooled === 'too_large') throw new Error('It is small.');
    await expect(node(1).blobs.get(spooled.sha256)).rejects.toThrow(DamagedStoreError);
    await spooled.storeBlob();
    expect(Buffer.from(await node(1).blobs.get(spooled.sha256)).toString()).toBe('a stream');
  });

  test('that are damaged in the database are refused, and the rows to restore are named', async () => {
    const name = await node(0).blobs.put(Buffer.from('the content'));
    await run(`update blob_chunk set bytes = 'thE content' where sha256 = '${name}'`);
    const hint = expect.stringContaining(`blob_chunk whose sha256 is ${name}`);
    const damaged = expect.objectContaining({ name: DamagedStoreError.name, hint });
    await expect(node(1).blobs.get(name)).rejects.toEqual(damaged);
  });

  test('whose copy is damaged or gone are fetched again', async () => {
    const name = await node(0).blobs.put(Buffer.from('the content'));
    await node(1).blobs.get(name);
    await writeFile(pathOf(1, name), 'another one');
    expect(Buffer.from(await node(1).blobs.get(name)).toString()).toBe('the content');
    await rm(join(node(1).folder, 'blobs'), { recursive: true });
    await node(1).blobs.check(name);
  });

  test('whose bytes changed in the database are refused, and leave nothing in the folder', async () => {
    const name = await node(0).blobs.put(Buffer.from('the content'));
    await run(`update blob_chunk set bytes = 'another one'`);
    await expect(node(1).blobs.get(name, '"contract.pdf"')).rejects.toThrow('contract.pdf');
    const files = await readdir(join(node(1).folder, 'blobs'), { recursive: true, withFileTypes: true });
    expect(files.filter((file) => file.isFile()).map((file) => file.name)).not.toContain(name);
  });

  test('that no row names are swept once they are old, and stay when they were put again', async () => {
    const [old, again, named, fresh] = await Promise.all(
      ['old', 'again', 'named', 'fresh'].map((text) => node(0).blobs.put(Buffer.from(text))),
    );
    await run(`update blob set written_at = written_at - interval '2 hours' where sha256 <> '${fresh}'`);
    await node(1).blobs.put(Buffer.from('again'));
    await node(1).blobs.sweep((sha256) => sha256 === named, HOUR_MS);
    const left = await sharedPostgres().run<{ sha256: string }>('select sha256 from blob', url);
    expect(left.map(({ sha256 }) => sha256).sort()).toEqual([again, named, fresh].sort());
    expect(await run(`select 1 from blob_chunk where sha256 = '${old}'`)).toEqual([]);
  });
});
