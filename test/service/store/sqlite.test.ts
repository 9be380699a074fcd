import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { sqliteStores } from '../../support/stores/databases.ts';
import { storeSuite } from './store.suite.ts';

describe('the store on SQLite', () => storeSuite(sqliteStores()));

describe('a SQLite database', () => {
  const stores = sqliteStores();
  afterEach(() => stores.clear());

  test('acknowledges what a power cut cannot take, on both of its connections', async () => {
    const { read, write } = await stores.open();
    const settings = [
      ['journal_mode', 'wal'],
      ['synchronous', 2],
      ['foreign_keys', 1],
    ] as const;
    for (const [name, value] of settings)
      for (const use of [read, write]) {
        const { rows } = await use((db) => sql<object>`pragma ${sql.raw(name)}`.execute(db));
        expect(rows.map((row) => ({ ...row }))).toEqual([{ [name]: value }]);
      }
  });

  test('shows a reader one moment, though a writer commits in between', async () => {
    const { read, write } = await stores.open();
    const put = (value: string) =>
      write((db) =>
        db
          .insertInto('meta')
          .values({ key: value, value })
          .execute()
          .then(() => undefined),
      );
    await put('first');
    const seen = await read(async (db) => {
      const keys = async () => (await db.selectFrom('meta').select('key').execute()).map(({ key }) => key);
      const before = await keys();
      await put('second');
      return [before, await keys()];
    });
    expect(seen).toEqual([['first'], ['first']]);
    expect(await read((db) => db.selectFrom('meta').select('key').execute())).toHaveLength(2);
  });
});
