import type { Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/database/postgres.ts';
import { postgresStores } from '../../support/stores/databases.ts';
import { type Postgres, startPostgres } from '../../support/stores/pglite.ts';
import { SLOW } from '../../support/tier.ts';
import { storeSuite } from './store.suite.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** Fifteen seconds of processor time: the short tier has the same suite on SQLite. */
describe.runIf(SLOW)('the store on PostgreSQL', () => storeSuite(postgresStores(async () => postgres)));

describe.runIf(SLOW)('a commit on PostgreSQL', () => {
  beforeEach(() => postgres.empty());

  type Counts = { count: { n: number } };
  const make = {
    name: '0001-count',
    async up(db: Kysely<never>) {
      await (db as unknown as Kysely<Counts>).schema.createTable('count').addColumn('n', 'integer').execute();
    },
  };
  const failing = (code: string, times: number) => {
    let left = times;
    return () => (left-- > 0 ? Object.assign(new Error('It met another.'), { code }) : undefined);
  };
  const count = (db: Kysely<Counts>) => db.insertInto('count').values({ n: 1 }).execute();

  test.each(['40001', '40P01', '23505'])('that met another (%s) is run again, whole', async (code) => {
    let isOpen = false;
    const fail = failing(code, 3);
    const dialect = postgres.dialect(() => (isOpen ? fail() : undefined));
    const database = await openPostgres<Counts>({ dialect, migrations: [make] });
    isOpen = true;
    let runs = 0;
    await database.write(async (db) => {
      runs += 1;
      await count(db);
    });
    expect(runs).toBe(4);
    expect(await database.read((db) => db.selectFrom('count').selectAll().execute())).toEqual([{ n: 1 }]);
  });

  test('that was lost to another process making the same tables is run again', async () => {
    const database = await openPostgres<Counts>({
      dialect: postgres.dialect(failing('42P07', 1)),
      migrations: [make],
    });
    await database.write(count);
    expect(await database.read((db) => db.selectFrom('count').selectAll().execute())).toEqual([{ n: 1 }]);
  });

  test('that fails for any other reason is not', async () => {
    const database = await openPostgres<Counts>({ dialect: postgres.dialect(), migrations: [make] });
    let runs = 0;
    const writing = database.write(async () => {
      runs += 1;
      throw Object.assign(new Error('no'), { code: '22P02' });
    });
    await expect(writing).rejects.toThrow('no');
    expect(runs).toBe(1);
  });
});
