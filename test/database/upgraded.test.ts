// A process of an older version has a database open while a newer one upgrades it: it writes and reads nothing more.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, type Migration, NewerStoreError } from '../../src/database/database.ts';
import { storageFailureOf } from '../../src/database/failure.ts';
import { openSqlite } from '../../src/database/sqlite.ts';
import { migrations } from '../../src/service/store/migrations.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Tables = { thing: { id: number } };

const schemaOf = (db: Kysely<never>) => (db as unknown as Kysely<Tables>).schema;

const FIRST: Migration = {
  name: '0001-things',
  up: (db) => schemaOf(db).createTable('thing').addColumn('id', 'integer').execute(),
};

const NEWER: Migration[] = [
  { name: '0002-column', up: (db) => schemaOf(db).alterTable('thing').addColumn('more', 'text').execute() },
  // Changes rows alone.
  {
    name: '0003-rows',
    async up(db) {
      await (db as unknown as Kysely<Tables>).deleteFrom('thing').execute();
    },
  },
];

let folder: string;
let open: Database<Tables>[] = [];
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  for (const database of open) await database.close();
  open = [];
  await rm(folder, { recursive: true, force: true });
});

async function openWith(steps: readonly Migration[]): Promise<Database<Tables>> {
  const database = await openSqlite<Tables>({ file: join(folder, 'a.db'), migrations: steps });
  open.push(database);
  return database;
}

const add = (database: Database<Tables>, id: number) =>
  database.write((db) => db.insertInto('thing').values({ id }).execute());

const idsIn = (database: Database<Tables>) =>
  database.read((db) => db.selectFrom('thing').select('id').execute());

describe('a database that is open in an older process', () => {
  test.each([
    ['a column', NEWER.slice(0, 1)],
    ['rows alone', [NEWER[1]!]],
    ['both', NEWER],
  ])('is refused by name once a newer version has changed %s', async (_, steps) => {
    const old = await openWith([FIRST]);
    await add(old, 1);
    const newer = await openWith([FIRST, ...steps]);
    const before = await idsIn(newer);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(add(old, 2)).rejects.toBeInstanceOf(NewerStoreError);
      await expect(idsIn(old)).rejects.toBeInstanceOf(NewerStoreError);
    }
    expect(await old.upgraded).toBeInstanceOf(NewerStoreError);
    expect((await old.upgraded).message).toContain('was upgraded by a newer version of esign');
    expect(storageFailureOf(await old.upgraded)?.why).toContain('a newer version of esign');
    // Nothing is half written, and the newer one continues.
    expect(await idsIn(newer)).toEqual(before);
    await add(newer, 3);
  });

  test('is refused for all who share a commit', async () => {
    const old = await openWith([FIRST]);
    await openWith([FIRST, ...NEWER]);
    const writes = await Promise.allSettled([1, 2, 3].map((id) => add(old, id)));
    expect(writes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('continues where another process changed something that no version knows', async () => {
    const old = await openWith([FIRST]);
    const other = await openWith([FIRST]);
    await other.write((db) => db.schema.createTable('note').addColumn('id', 'integer').execute());
    await add(old, 1);
    expect(await idsIn(old)).toEqual([{ id: 1 }]);
  });
});

test('the tables of every release of the service can be upgraded beside a process of that release', async () => {
  const all = migrations('sqlite');
  for (let count = 1; count < all.length; count += 1) {
    const old = await openWith(all.slice(0, count));
    const next = await openWith(all.slice(0, count + 1));
    await expect(old.write(async () => undefined)).rejects.toBeInstanceOf(NewerStoreError);
    await next.write(async () => undefined);
  }
});
