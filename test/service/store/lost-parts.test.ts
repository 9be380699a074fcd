// A store that lost a part is damaged and says so; a new one is made only where nothing is. An interrupted first creation is no
// damage: the next process continues it.
import { randomBytes, randomUUID } from 'node:crypto';
import { cp, link, mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DamagedStoreError } from '../../../src/database/database.ts';
import { openSqlite } from '../../../src/database/sqlite.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { FACTS } from '../../support/stores/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sampleOf } from '../../support/tier.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await temporaryFolder();
  folder = join(root, 'sandbox');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function made(at = folder, blob = 'a document'): Promise<void> {
  const store = await openStore(at, FACTS);
  if (blob) await store.blobs.put(new TextEncoder().encode(blob));
  await store.database.close();
}

/** Of every file but those of the log that SQLite keeps while a database is open. */
async function namesIn(at: string): Promise<string[]> {
  const entries = await readdir(at, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const within = (name: string) => join(folder, name);

const LOSSES: Record<string, [lose: () => Promise<unknown>, said: string]> = {
  'its database': [() => rm(within('store.db')), '"store.db" is missing'],
  'the content of its database': [() => truncate(within('store.db'), 0), '"store.db" is empty'],
  'its key': [() => rm(within('key')), '"key" is missing'],
  'the content of its key': [() => truncate(within('key'), 0), 'key'],
  'its database and its key': [
    () => Promise.all([rm(within('store.db')), rm(within('key'))]),
    '"store.db" is missing',
  ],
  'its database, and had no document': [
    async () => {
      await rm(folder, { recursive: true });
      await made(folder, '');
      await rm(within('store.db'));
    },
    '"store.db" is missing',
  ],
  'its key to another store': [
    async () => {
      await made(join(root, 'other'));
      await cp(join(root, 'other', 'key'), within('key'));
    },
    'does not match',
  ],
  'its database to another store': [
    async () => {
      await made(join(root, 'other'));
      await rename(join(root, 'other', 'store.db'), within('store.db'));
      // A log that the driver has not finished yet would bring the old content back.
      for (const name of ['store.db-wal', 'store.db-shm']) await rm(within(name), { force: true });
    },
    'does not match',
  ],
};

describe('a store', () => {
  test.each(sampleOf(Object.entries(LOSSES), 4))(
    'that lost %s is damaged, and nothing is made in its place',
    async (_, [lose, said]) => {
      await made();
      await lose();
      const before = await namesIn(folder);
      const opened = await openStore(folder, FACTS).catch((error: unknown) => error);
      expect(opened).toBeInstanceOf(DamagedStoreError);
      expect((opened as Error).message).toContain(said);
      expect((opened as Error).message).toContain(folder);
      expect(await namesIn(folder)).toEqual(before);
    },
  );

  test('from before keys were checked differs from one whose key does not fit, and is checked from then on', async () => {
    await made();
    const forget = async () => {
      const database = await openSqlite<Tables>({
        file: within('store.db'),
        migrations: migrations('sqlite'),
      });
      await database.write((db) => db.deleteFrom('meta').where('key', '=', 'key_check').execute());
      await database.close();
    };
    await forget();
    const key = within('key');
    await rename(key, `${key}.kept`);
    await writeFile(key, randomBytes(32));
    await expect(openStore(folder, FACTS)).rejects.toThrow('does not match');
    await rm(key);
    await link(`${key}.kept`, key);
    const store = await openStore(folder, FACTS);
    const meta = await store.database.read((db) => db.selectFrom('meta').select('key').execute());
    expect(meta.map((row) => row.key).sort()).toEqual(['key_check', 'port']);
    await store.database.close();
  });

  test.each<[string, () => Promise<unknown>]>(
    sampleOf(
      [
        ['before anything was in the folder', async () => undefined],
        ['when the folder of blobs was made', () => mkdir(within('blobs'))],
        ['when the database was empty', () => writeFile(within('store.db'), '')],
        [
          'when the database had no tables',
          async () => (await openSqlite({ file: within('store.db'), migrations: [] })).close(),
        ],
        [
          'when the database had its tables',
          async () =>
            (await openSqlite({ file: within('store.db'), migrations: migrations('sqlite') })).close(),
        ],
        [
          'when the key was written',
          async () => {
            await (await openSqlite({ file: within('store.db'), migrations: migrations('sqlite') })).close();
            await writeFile(within('key'), randomBytes(32));
          },
        ],
        ['while the key was written', () => writeFile(within(`key.${randomUUID()}.tmp`), 'half')],
      ],
      4,
    ),
  )('whose creation was interrupted %s is made', async (_, begin) => {
    await mkdir(folder, { recursive: true });
    await begin();
    const store = await openStore(folder, FACTS);
    expect(store.port).toBeGreaterThan(0);
    await store.database.close();
    const again = await openStore(folder, FACTS);
    expect(again.port).toBe(store.port);
    await again.database.close();
  });

  test('whose log was lost right after it was made is still there', async () => {
    const store = await openStore(folder, FACTS);
    const copy = join(root, 'copy');
    await mkdir(copy);
    for (const name of ['store.db', 'key']) await cp(within(name), join(copy, name));
    const copied = await openStore(copy, FACTS);
    expect(copied.port).toBe(store.port);
    await copied.database.close();
    await store.database.close();
  });
});
