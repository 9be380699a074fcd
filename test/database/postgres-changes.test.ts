// What two nodes on one PostgreSQL keep in memory is never older than the last commit of either.
import { Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChangedIds, Database, Migration } from '../../src/database/database.ts';
import { runLater } from '../../src/database/deferred-query.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import {
  CHANGES_MIGRATION,
  createChangeCache,
  createChangeTable,
} from '../../src/database/postgres-changes.ts';
import { connectPostgres } from '../../src/database/postgres-connections.ts';
import {
  needsPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../support/servers/postgres-server.ts';

type Tables = { counter: { id: string; n: number } };

const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001-counter',
    async up(db) {
      await sql`create table counter (id varchar(10) primary key, n integer not null)`.execute(db);
      await sql`insert into counter values ('a', 0), ('b', 0)`.execute(db);
    },
  },
  { name: CHANGES_MIGRATION, up: (db) => createChangeTable(db as unknown as Kysely<unknown>) },
];

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`reads that are cached on two nodes${why}`, () => {
  let server: PostgresServer;
  let url: string;
  let nodes: Database<Tables>[];
  let reads: string[];

  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    url = await server.createDatabase();
    nodes = [];
    for (let count = 0; count < 2; count += 1)
      nodes.push(await openPostgres<Tables>({ ...connectPostgres({ url }), migrations: MIGRATIONS }));
    reads = [];
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    await server.dropDatabase(url);
  });

  const node = (index: number): Database<Tables> => nodes[index] as Database<Tables>;
  const select = async (db: Kysely<Tables>, id: string): Promise<number> =>
    (await db.selectFrom('counter').select('n').where('id', '=', id).executeTakeFirstOrThrow()).n;
  const ask = async (index: number, id: string, needsNoSnapshot?: true): Promise<number> => {
    const { cached } = await node(index).cache();
    const read = (db: Kysely<Tables>) => {
      reads.push(`${index} ${id}`);
      return select(db, id);
    };
    return cached(id, 'n', read, needsNoSnapshot);
  };
  const set = (index: number, id: string, n: number, changes?: ChangedIds) =>
    node(index).write(
      (db) => db.updateTable('counter').set({ n }).where('id', '=', id).execute(),
      changes,
      'locked',
    );
  const byHand = (n: number) => server.run(`update counter set n = ${n} where id = 'a'`, url);

  test('are made once by each node, in a snapshot or without one', async () => {
    expect([await ask(0, 'a'), await ask(0, 'a'), await ask(1, 'a', true), await ask(1, 'a', true)]).toEqual([
      0, 0, 0, 0,
    ]);
    expect(reads).toEqual(['0 a', '1 a']);
  });

  test('are made again after a commit of either node that names them, or names nothing', async () => {
    const all = async () => [await ask(0, 'a'), await ask(0, 'b'), await ask(1, 'a'), await ask(1, 'b')];
    await all();
    reads = [];
    await set(1, 'a', 1, ['a']);
    expect(await all()).toEqual([1, 0, 1, 0]);
    expect(reads).toEqual(['0 a', '1 a']);
    reads = [];
    await set(0, 'b', 1, []);
    expect(await all()).toEqual([1, 0, 1, 0]);
    await set(0, 'b', 2);
    expect(await all()).toEqual([1, 2, 1, 2]);
    expect(reads).toHaveLength(4);
  });

  test('are kept after a commit that failed', async () => {
    await ask(1, 'a');
    const failing = node(0).write(
      async (db) => {
        await db.updateTable('counter').set({ n: 9 }).execute();
        throw new Error('no');
      },
      ['a'],
    );
    await expect(failing).rejects.toThrow('no');
    expect(await ask(1, 'a')).toBe(0);
    expect(reads).toEqual(['1 a']);
  });

  test('are not kept when a commit of another node came in between', async () => {
    const { cached } = await node(0).cache();
    const first = await cached('a', 'n', async (db) => {
      const n = await select(db, 'a');
      await set(1, 'a', 5, ['a']);
      // Another request of this node, which sees that commit.
      expect(await ask(0, 'b')).toBe(0);
      return n;
    });
    expect(first).toBe(0);
    expect(await ask(0, 'a')).toBe(5);
  });

  test('see a commit that began before them and ended later', async () => {
    const writing = node(1).write(
      async (db) => {
        await db.updateTable('counter').set({ n: 7 }).where('id', '=', 'a').execute();
        expect(await ask(0, 'a')).toBe(0);
        await set(1, 'b', 1, ['b']);
        expect(await ask(0, 'b')).toBe(1);
      },
      ['a'],
      'locked',
    );
    await writing;
    expect(await ask(0, 'a')).toBe(7);
  });

  test('are never older than what was acknowledged, while both nodes write', async () => {
    const acknowledged = { n: 0 };
    let isOver = false;
    const write = async (index: number) => {
      for (let count = 0; count < 60; count += 1) {
        const n = await node(index).write(
          async (db) => {
            await node(index).lockRow(db, 'counter', 'a');
            const next = (await select(db, 'a')) + 1;
            await db.updateTable('counter').set({ n: next }).where('id', '=', 'a').execute();
            return next;
          },
          ['a'],
          'locked',
        );
        acknowledged.n = Math.max(acknowledged.n, n);
      }
    };
    let asked = 0;
    const follow = async (index: number) => {
      while (!isOver) {
        const before = acknowledged.n;
        const seen = await ask(index, 'a');
        asked += 1;
        if (seen < before) throw new Error(`Node ${index} shows ${seen} after ${before}.`);
      }
    };
    const followers = [0, 0, 0, 1, 1, 1].map(follow);
    await Promise.all([0, 0, 1, 1].map(write));
    isOver = true;
    await Promise.all(followers);
    expect([await ask(0, 'a'), await ask(1, 'a')]).toEqual([240, 240]);
    expect(asked).toBeGreaterThan(10);
  });

  test('are made again after a crash of the server, whose last commits may be gone', async () => {
    await ask(0, 'a');
    await byHand(3);
    await server.crash();
    let first: number | undefined;
    await expect
      .poll(async () => {
        first = await ask(0, 'a').catch(() => undefined);
        return first;
      })
      .toBeDefined();
    expect(first).toBe(3);
  });

  test('are made again after a while, and the list of changes stays short', async () => {
    const connected = connectPostgres({ url });
    const reader = new Kysely<Tables>({ dialect: connected.reader });
    try {
      const cacheWith = (options: { emptiedEveryMs?: number; tidiedEveryMs?: number }) => {
        const read: Database<Tables>['read'] = (fn) => fn(reader);
        const cache = createChangeCache<Tables>(reader, { read, readOne: read }, options);
        return async () => {
          const { cached } = await cache.open();
          return cached('a', 'n', (db) => select(db, 'a'));
        };
      };
      const [kept, emptied, tidying] = [
        cacheWith({}),
        cacheWith({ emptiedEveryMs: 0 }),
        cacheWith({ tidiedEveryMs: 0 }),
      ];
      await kept();
      await emptied();
      await byHand(4);
      expect([await kept(), await emptied()]).toEqual([0, 4]);
      for (let n = 0; n < 5; n += 1) await set(0, 'a', n, ['a']);
      const rows = async () =>
        Number((await server.run<{ count: string }>('select count(*) from cache_change', url))[0]?.count);
      expect(await rows()).toBe(5);
      await expect.poll(async () => [await tidying(), await rows()]).toEqual([4, 0]);
    } finally {
      await reader.destroy();
    }
  });

  test('a statement that is not waited for fails its commit, with its own error', async () => {
    const failing = node(0).write(async (db) => {
      await runLater(db, 'select 1/0', []);
      await db.updateTable('counter').set({ n: 9 }).execute();
    });
    await expect(failing).rejects.toThrow('division by zero');
    const last = node(0).write((db) => runLater(db, 'select 1/0', []), []);
    await expect(last).rejects.toThrow('division by zero');
    expect(await node(0).read((db) => select(db, 'a'))).toBe(0);
  });

  test('a commit of many statements that are not waited for stores all of them', async () => {
    await node(0).write(
      async (db) => {
        for (let count = 0; count < 200; count += 1)
          await runLater(db, "update counter set n = n + $1 where id = 'a'", [1]);
      },
      ['a'],
    );
    expect(await ask(1, 'a')).toBe(200);
  });
});
