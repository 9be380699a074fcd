// Commits on a real PostgreSQL: what meets another is run again, and what is lost is said.
import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, type Migration, NewerStoreError } from '../../src/database/database.ts';
import { storageFailureOf } from '../../src/database/failure.ts';
import { MissingMigrationsError } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { connectPostgres } from '../../src/database/postgres-connections.ts';
import {
  needsPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../support/servers/postgres-server.ts';

type Tables = { counter: { id: string; n: number } };

const COUNTER: Migration = {
  name: '0001-counter',
  async up(db) {
    await db.schema
      .createTable('counter')
      .addColumn('id', 'varchar(10)', (column) => column.primaryKey())
      .addColumn('n', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into counter values ('a', 0), ('b', 0)`.execute(db);
  },
};

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`a database on PostgreSQL${why}`, () => {
  let server: PostgresServer;
  let url: string;
  let database: Database<Tables>;
  const open = (options: { migrations?: readonly Migration[]; migrates?: boolean } = {}) =>
    openPostgres<Tables>({ ...connectPostgres({ url }), migrations: [COUNTER], ...options });

  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    url = await server.createDatabase();
    database = await open();
  });
  afterEach(async () => {
    await database.close();
    await server.dropDatabase(url);
  });

  const read = async (db: Kysely<Tables>, id: string): Promise<number> =>
    (await db.selectFrom('counter').select('n').where('id', '=', id).executeTakeFirstOrThrow()).n;
  const write = (db: Kysely<Tables>, id: string, n: number) =>
    db.updateTable('counter').set({ n }).where('id', '=', id).execute();
  const increment = async (db: Kysely<Tables>) => write(db, 'a', (await read(db, 'a')) + 1);
  const current = () => database.read((db) => read(db, 'a'));

  test('a serializable commit that meets another is run again, whole', async () => {
    let runs = 0;
    await Promise.all(
      Array.from({ length: 12 }, () =>
        database.write(async (db) => {
          runs += 1;
          await increment(db);
        }),
      ),
    );
    expect(await current()).toBe(12);
    expect(runs).toBeGreaterThan(12);
  });

  test('a commit that locks its row first never meets another', async () => {
    let runs = 0;
    await Promise.all(
      Array.from({ length: 40 }, () =>
        database.write(
          async (db) => {
            runs += 1;
            await database.lockRow(db, 'counter', 'a');
            await increment(db);
          },
          [],
          'locked',
        ),
      ),
    );
    expect(await current()).toBe(40);
    expect(runs).toBe(40);
  });

  test('a name is locked by one commit at a time, whether there is a row or not', async () => {
    const insertOnce = async (db: Kysely<Tables>) => {
      await database.lockName(db, 'the counter c');
      const [known] = await db.selectFrom('counter').selectAll().where('id', '=', 'c').execute();
      if (!known) await db.insertInto('counter').values({ id: 'c', n: 0 }).execute();
      return known === undefined;
    };
    const made = await Promise.all(
      Array.from({ length: 20 }, () => database.write(insertOnce, [], 'locked')),
    );
    expect(made.filter((isNew) => isNew)).toHaveLength(1);
  });

  test('a name that is locked for longer stays locked when its connection is lost, and is unlocked once', async () => {
    const other = await open();
    const lost = () =>
      server.run(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'esign locks'`,
      );
    try {
      const unlock = await database.tryLock?.('work');
      expect([typeof unlock, await database.tryLock?.('work'), await other.tryLock?.('work')]).toEqual([
        'function',
        undefined,
        undefined,
      ]);
      for (let round = 0; round < 3; round += 1) {
        await lost();
        await expect.poll(() => other.isLocked?.('work').catch(() => undefined)).toBe(true);
        expect(await other.tryLock?.('work')).toBeUndefined();
      }
      await unlock?.();
      expect(await other.isLocked?.('work')).toBe(false);
      const theirs = await other.tryLock?.('work');
      expect(await database.tryLock?.('work')).toBeUndefined();
      await theirs?.();
      expect(await database.isLocked?.('work')).toBe(false);
    } finally {
      await other.close();
    }
  });

  test('a name stays locked while the server restarts, on one connection, and is free when another one gives it up', async () => {
    const other = await open();
    const connections = async () => {
      const rows = await server.run<{ count: string }>(
        `select count(*) from pg_stat_activity where application_name = 'esign locks'`,
      );
      return Number(rows[0]?.count);
    };
    try {
      const unlock = await database.tryLock?.('work');
      await server.stop();
      await setTimeout(1000);
      await server.start();
      await expect.poll(() => other.isLocked?.('work').catch(() => undefined)).toBe(true);
      await server.crash();
      await expect.poll(() => other.isLocked?.('work').catch(() => undefined)).toBe(true);
      expect(await connections()).toBe(2);
      // Another node has locked the name in between, and gives it up.
      await server.run(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'esign locks'`,
      );
      const theirs = await other.tryLock?.('work').catch(() => undefined);
      await theirs?.();
      await expect.poll(() => other.isLocked?.('work').catch(() => undefined)).toBe(true);
      await unlock?.();
      expect(await other.isLocked?.('work')).toBe(false);
      const again = await database.tryLock?.('work');
      expect(typeof again).toBe('function');
      await again?.();
    } finally {
      await other.close();
    }
  });

  test('a deadlock is resolved', async () => {
    const both = (first: string, second: string) =>
      database.write(
        async (db) => {
          for (const id of [first, second]) {
            await database.lockRow(db, 'counter', id);
            await sql`select pg_sleep(0.05)`.execute(db);
            await write(db, id, (await read(db, id)) + 1);
          }
        },
        [],
        'locked',
      );
    await Promise.all([both('a', 'b'), both('b', 'a')]);
    expect(await current()).toBe(2);
  });

  test('a commit that fails for any other reason is not run again, and leaves nothing', async () => {
    let runs = 0;
    const failing = database.write(async (db) => {
      runs += 1;
      await increment(db);
      await sql`select 1/0`.execute(db);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(runs).toBe(1);
    expect(await current()).toBe(0);
  });

  test('a row that stays not unique is an error, and not a database with too many changes', async () => {
    const twice = database.write((db) => db.insertInto('counter').values({ id: 'a', n: 1 }).execute());
    await expect(twice).rejects.toMatchObject({ code: '23505' });
  });

  test('a commit in which a failure was ignored is refused, because PostgreSQL has undone it', async () => {
    const failing = database.write(async (db) => {
      await increment(db);
      await sql`select 1/0`.execute(db).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('nothing of it was stored');
    expect(await current()).toBe(0);
  });

  test('a read cannot write', async () => {
    await expect(database.read((db) => write(db, 'a', 1))).rejects.toMatchObject({ code: '25006' });
  });

  const cutConnections = () =>
    server.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'esign'`);

  test('connections that were cut while idle are replaced', async () => {
    await Promise.all(Array.from({ length: 5 }, current));
    await cutConnections();
    await expect.poll(() => current().catch(() => 'lost')).toBe(0);
    await expect.poll(() => database.write(increment).then(current, () => 'lost')).toBeGreaterThan(0);
  });

  test('a commit whose connection is cut says that the database does not respond', async () => {
    const failing = database.write(async (db) => {
      await increment(db);
      await cutConnections();
      await increment(db);
    });
    const error = await failing.catch((reason: unknown) => reason);
    expect(storageFailureOf(error)).toMatchObject({ kind: 'unavailable' });
    await expect.poll(() => current().catch(() => 'lost')).toBe(0);
  });

  test('what was committed survives a crash of the server, and nothing has to be started again', async () => {
    await database.write(increment);
    await server.crash();
    await expect.poll(() => current().catch(() => 'lost')).toBe(1);
    await expect.poll(() => database.write(increment).then(current, () => 'lost')).toBe(2);
  });

  test('a server that is down is named as such', async () => {
    await server.stop();
    const error = await database.write(increment).catch((reason: unknown) => reason);
    await server.start();
    expect(storageFailureOf(error)).toEqual({ kind: 'unavailable', why: 'the database does not respond' });
  });

  test('a connection to a server that was a replica is not used again', async () => {
    const name = new URL(url).pathname.slice(1);
    const setReadOnly = (value: string) =>
      server.run(`alter database ${name} set default_transaction_read_only = ${value}`);
    const one = await openPostgres<Tables>({
      ...connectPostgres({ url, poolSize: 1 }),
      migrations: [COUNTER],
    });
    await setReadOnly('on');
    await server.run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await expect
      .poll(() => one.write(increment).catch(storageFailureOf))
      .toMatchObject({
        kind: 'unavailable',
        why: 'its server is read-only',
      });
    await setReadOnly('off');
    await one.write(increment);
    await one.close();
  });

  test('its clock is that of the server', async () => {
    const [row] = await server.run<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    );
    expect(Math.abs((database.serverClock?.() ?? 0) - (row?.ms ?? 0))).toBeLessThan(5000);
  });

  test('statements are prepared once for each connection', async () => {
    for (let count = 0; count < 5; count += 1) await current();
    const { rows } = await database.read((db) =>
      sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db),
    );
    expect(rows.filter(({ statement }) => statement.includes('"counter"'))).toHaveLength(1);
  });

  const LATER: Migration = { name: '0002-later', up: (db) => db.schema.createTable('later').execute() };

  test('missing migrations are run once by several nodes, or refused where an operator runs them', async () => {
    await expect(open({ migrations: [COUNTER, LATER], migrates: false })).rejects.toThrow(
      MissingMigrationsError,
    );
    const nodes = await Promise.all(Array.from({ length: 4 }, () => open({ migrations: [COUNTER, LATER] })));
    for (const node of nodes) await node.close();
  });

  test('a node whose tables were upgraded meanwhile is refused', async () => {
    const newer = await open({ migrations: [COUNTER, LATER] });
    await newer.close();
    await expect(database.write(increment)).rejects.toThrow('newer version');
    await expect(open()).rejects.toThrow('newer version');
  });

  test('a read that was prepared before its table was changed by hand is run again', async () => {
    const readAll = () => database.read((db) => db.selectFrom('counter').selectAll().orderBy('id').execute());
    await Promise.all(Array.from({ length: 8 }, readAll));
    await server.run('alter table counter add column more int', url);
    const all = await Promise.all(Array.from({ length: 8 }, readAll));
    expect(all[7]).toEqual([
      { id: 'a', n: 0, more: null },
      { id: 'b', n: 0, more: null },
    ]);
  });

  test('a read of a table that a newer version has changed is refused', async () => {
    await current();
    const renaming: Migration = {
      name: '0002-renaming',
      up: (db) => db.schema.alterTable('counter').renameColumn('n', 'count').execute(),
    };
    await (await open({ migrations: [COUNTER, renaming] })).close();
    await expect(current()).rejects.toThrow('newer version');
    expect(await database.upgraded).toBeInstanceOf(NewerStoreError);
  });

  /** Resolves when a statement waits for the lock of a table. */
  const untilLocked = () =>
    expect
      .poll(() => server.run(`select pid from pg_locks where locktype = 'relation' and not granted`, url))
      .not.toEqual([]);

  const createGate = () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  };

  test.each(['serializable', 'locked'] as const)(
    'a migration waits for a %s commit that has begun',
    async (isolation) => {
      const [begun, gate] = [createGate(), createGate()];
      const writing = database.write(
        async (db) => {
          const n = await read(db, 'b');
          begun.open();
          await gate.opened;
          return write(db, 'a', n + 7);
        },
        undefined,
        isolation,
      );
      await begun.opened;
      const opening = open({ migrations: [COUNTER, LATER] });
      try {
        await untilLocked();
      } finally {
        gate.open();
      }
      await writing;
      const newer = await opening;
      expect(await newer.read((db) => read(db, 'a'))).toBe(7);
      await newer.close();
    },
  );

  test.each(['serializable', 'locked'] as const)(
    'a %s commit that begins during a migration is refused after it',
    async (isolation) => {
      const [begun, gate] = [createGate(), createGate()];
      const rewriting: Migration = {
        name: '0002-rewriting',
        async up(db) {
          await sql`alter table counter add column more text not null default 'new'`.execute(db);
          begun.open();
          await gate.opened;
        },
      };
      const opening = open({ migrations: [COUNTER, rewriting] });
      await begun.opened;
      const writing = database.write(increment, undefined, isolation);
      const refused = expect(writing).rejects.toThrow('newer version');
      try {
        await untilLocked();
      } finally {
        gate.open();
      }
      await refused;
      const newer = await opening;
      expect(await newer.read((db) => read(db, 'a'))).toBe(0);
      await newer.close();
    },
  );
});
