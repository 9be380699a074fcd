// A log that was cut or removed after commits were acknowledged is noticed when the database is opened again.
import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DamagedStoreError, type Database, type Migration } from '../../src/database/database.ts';
import { openSqlite } from '../../src/database/sqlite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Tables = { thing: { id: number } };

const MIGRATIONS: Migration[] = [
  {
    name: '0001-things',
    async up(db) {
      const some = db as unknown as Kysely<Tables>;
      await some.schema.createTable('thing').addColumn('id', 'integer').execute();
    },
  },
];

let folder: string;
/** Leaves the files as a killed process does, without closing them. */
let left: string;
let open: Database<Tables>[] = [];
beforeEach(async () => {
  [folder, left] = [await temporaryFolder(), await temporaryFolder()];
});
afterEach(async () => {
  for (const database of open) await database.close();
  open = [];
  for (const one of [folder, left]) await rm(one, { recursive: true, force: true });
});

async function openIn(where: string): Promise<Database<Tables>> {
  const database = await openSqlite<Tables>({
    file: join(where, 'a.db'),
    migrations: MIGRATIONS,
    countsCommits: true,
  });
  open.push(database);
  return database;
}

const add = (database: Database<Tables>, id: number) =>
  database.write((db) => db.insertInto('thing').values({ id }).execute());

const idsIn = async (database: Database<Tables>) =>
  (await database.read((db) => db.selectFrom('thing').select('id').execute())).map(({ id }) => id);

const FILES = ['a.db', 'a.db-wal', 'a.db-count'];

/** Nine commits, of which the last ones are in the log alone. */
async function killedAfterNine(): Promise<void> {
  const database = await openIn(folder);
  await database.settleLog();
  for (let id = 1; id <= 9; id += 1) await add(database, id);
  for (const name of FILES) await copyFile(join(folder, name), join(left, name));
}

const inLeft = (name: string) => join(left, name);

describe('a database whose commits are counted', () => {
  test('opens with everything after a kill, and counts on', async () => {
    await killedAfterNine();
    const again = await openIn(left);
    expect(await idsIn(again)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const before = Number(await readFile(inLeft('a.db-count'), 'utf8'));
    await add(again, 10);
    expect(Number(await readFile(inLeft('a.db-count'), 'utf8'))).toBe(before + 1);
  });

  test('is refused where the log was removed, with the number of commits and the way out', async () => {
    await killedAfterNine();
    await rm(inLeft('a.db-wal'));
    const refused = await openIn(left).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DamagedStoreError);
    const { message, hint } = refused as DamagedStoreError;
    expect(message).toContain('The last 9 commits are missing');
    expect(hint).toContain(`delete ${inLeft('a.db-count')}`);
    await rm(inLeft('a.db-count'));
    expect(await idsIn(await openIn(left))).toEqual([]);
  });

  test.each([1, 2, 4])('is refused where the log lacks its last bytes, 1/%i of them', async (part) => {
    await killedAfterNine();
    const { size } = await stat(inLeft('a.db-wal'));
    await truncate(inLeft('a.db-wal'), Math.floor(size - size / (part * 2)));
    await expect(openIn(left)).rejects.toThrow(/commits? (is|are) missing/);
  });

  test('is refused where it was replaced by an older copy', async () => {
    const database = await openIn(folder);
    await add(database, 1);
    await database.settleLog();
    await copyFile(join(folder, 'a.db'), inLeft('a.db'));
    await add(database, 2);
    await copyFile(join(folder, 'a.db-count'), inLeft('a.db-count'));
    await expect(openIn(left)).rejects.toThrow('The last commit is missing');
  });

  test('finds nothing where the file is missing, empty, truncated or foreign', async () => {
    await killedAfterNine();
    await rm(inLeft('a.db-wal'));
    for (const content of ['', '   12', 'nine\n', '\u0000\u0000\n', '99999999x\n']) {
      await writeFile(inLeft('a.db-count'), content);
      expect(await idsIn(await openIn(left))).toEqual([]);
    }
  });

  test('does not count a commit that changes nothing, and one of two processes once', async () => {
    const [one, other] = [await openIn(folder), await openIn(folder)];
    await add(one, 1);
    const count = async () => Number(await readFile(join(folder, 'a.db-count'), 'utf8'));
    const before = await count();
    await one.write(async (db) => db.deleteFrom('thing').where('id', '=', 99).execute());
    expect(await count()).toBe(before);
    await add(one, 2);
    await add(other, 3);
    await add(one, 4);
    expect(await count()).toBe(before + 3);
    await one
      .write(async (db) => {
        await db.insertInto('thing').values({ id: 5 }).execute();
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(await idsIn(other)).toEqual([1, 2, 3, 4]);
  });
});
