// What a database promises writers and readers: all or nothing for each writer, and one moment for each reader.
import { describe, expect, test } from 'vitest';
import type { Database } from '../../../src/database/database.ts';
import type { Db, Tables } from '../../../src/service/store/schema.ts';
import type { TestStores } from '../../support/stores/databases.ts';

const put = (db: Db, key: string, value = '1') => db.insertInto('meta').values({ key, value }).execute();

const keysIn = async (database: Database<Tables>): Promise<string[]> => {
  const rows = await database.read((db) => db.selectFrom('meta').select('key').orderBy('key').execute());
  return rows.map((row) => row.key);
};

const outcomes = async (writers: Promise<unknown>[]) =>
  (await Promise.allSettled(writers)).map((one) =>
    one.status === 'rejected' ? String(one.reason.message) : 'done',
  );

export function commitsSuite(stores: TestStores): void {
  describe('writing', () => {
    test('answers with what the writer returned, when every reader sees it', async () => {
      const [one, other] = [await stores.open(), await stores.open()];
      const answered = one.write(async (db) => {
        await put(db, 'a');
        return 42;
      });
      expect(await answered).toBe(42);
      expect(await keysIn(other)).toEqual(['a']);
    });

    test('takes back all of a writer that throws, and nothing of those beside it', async () => {
      const database = await stores.open();
      const writers = ['a', 'b', 'c', 'd', 'e'].map((key, index) =>
        database.write(async (db) => {
          await put(db, `${key}1`);
          await put(db, `${key}2`);
          if (index % 2 === 1) throw new Error(`no ${key}`);
        }),
      );
      expect(await outcomes(writers)).toEqual(['done', 'no b', 'done', 'no d', 'done']);
      expect(await keysIn(database)).toEqual(['a1', 'a2', 'c1', 'c2', 'e1', 'e2']);
    });

    test('takes back a writer whose statement failed, though it would go on', async () => {
      const database = await stores.open();
      await database.write((db) => put(db, 'taken'));
      const writers = [
        database.write((db) => put(db, 'before')),
        database.write(async (db) => {
          await put(db, 'half');
          await put(db, 'taken');
        }),
        database.write((db) => put(db, 'after')),
      ];
      expect((await Promise.allSettled(writers)).map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(await keysIn(database)).toEqual(['after', 'before', 'taken']);
    });

    test('leaves nothing when every writer throws, and still works', async () => {
      const database = await stores.open();
      const fail = (key: string) =>
        database.write(async (db) => {
          await put(db, key);
          throw new Error('no');
        });
      expect(await outcomes([fail('a'), fail('b')])).toEqual(['no', 'no']);
      await database.write((db) => put(db, 'c'));
      expect(await keysIn(database)).toEqual(['c']);
    });

    test('lets each writer see what those before it did', async () => {
      const database = await stores.open();
      await database.write((db) => put(db, 'count', '0'));
      const more = async (db: Db) => {
        const { value } = await db
          .selectFrom('meta')
          .select('value')
          .where('key', '=', 'count')
          .executeTakeFirstOrThrow();
        await db
          .updateTable('meta')
          .set({ value: String(Number(value) + 1) })
          .where('key', '=', 'count')
          .execute();
      };
      const writer = async () => {
        for (let round = 0; round < 10; round += 1) await database.write(more);
      };
      await Promise.all(Array.from({ length: 20 }, writer));
      const row = await database.read((db) => db.selectFrom('meta').selectAll().executeTakeFirst());
      expect(row?.value).toBe('200');
    });
  });

  describe('reading', () => {
    test('sees one moment, while a writer of the same database is at work', async () => {
      const database = await stores.open();
      await database.write(async (db) => {
        await put(db, 'a', '0');
        await put(db, 'b', '0');
      });
      const bump = (value: string) =>
        database.write(async (db) => {
          await db.updateTable('meta').set({ value }).where('key', '=', 'a').execute();
          await db.updateTable('meta').set({ value }).where('key', '=', 'b').execute();
        });
      const look = () =>
        database.read(async (db) => {
          const value = async (key: string) =>
            (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value;
          return [await value('a'), await value('b')];
        });
      const turns = Array.from({ length: 50 }, (_, turn) => [bump(String(turn)), look(), look()]);
      const seen = (await Promise.all(turns.map((turn) => Promise.all(turn)))).flatMap(
        ([, ...looks]) => looks,
      );
      for (const [a, b] of seen as [string, string][]) expect(a).toBe(b);
    });

    test('never sees half of a writer', async () => {
      const database = await stores.open();
      const writing = database.write(async (db) => {
        await put(db, 'a');
        for (let turn = 0; turn < 20; turn += 1) await db.selectFrom('meta').selectAll().execute();
        await put(db, 'b');
      });
      const looks = Array.from({ length: 10 }, () => keysIn(database));
      for (const keys of await Promise.all(looks)) expect([[], ['a', 'b']]).toContainEqual(keys);
      await writing;
      expect(await keysIn(database)).toEqual(['a', 'b']);
    });

    test('continues after a reader that throws', async () => {
      const database = await stores.open();
      await expect(database.read(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(await keysIn(database)).toEqual([]);
    });
  });
}
