// Opens PostgreSQL as a Database. Commits run beside each other, on this node and on others, so each says how it is kept apart
// from them; one that meets another is run again after a short pause. The time is that of the database server, so that the clocks of the machines that
// use it decide nothing.
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { type Database, type Isolation, type Migration, NewerStoreError } from './database.ts';
import { runLater } from './deferred-query.ts';
import { CROWDED, UnavailableError } from './failure.ts';
import {
  countMigrationsLater,
  createUpgradeNotice,
  listMissingMigrations,
  MissingMigrationsError,
  migrate,
  refuseUpgraded,
} from './migrate.ts';
import {
  CHANGES_MIGRATION,
  cacheNothing,
  createChangeCache,
  type Reads,
  recordChanges,
} from './postgres-changes.ts';
import { type PostgresDialects, STALE_PLAN } from './postgres-connections.ts';

type PostgresDatabaseOptions = PostgresDialects & {
  migrations: readonly Migration[];
  /** With `later`, `migrate` runs what is missing. False refuses a database that lacks some migrations. */
  migrates?: boolean | 'later';
};

export type PostgresDatabase<T> = Database<T> & {
  /**
   * Lists the names of migrations that are still to be run. Until then, the tables are those of an older version, and
   * nothing is written.
   */
  missing(): readonly string[];
  /** Runs them. Without any, it does nothing. @throws NewerStoreError */
  migrate(): Promise<void>;
};

/** A commit that others of a busy machine keep away for seconds still succeeds. */
const ATTEMPTS = 24;

/** A commit that has met so many others waits its turn with those that have as well. */
const ATTEMPTS_AT_ONCE = 4;

const PAUSE_MS = { first: 4, most: 250 };

/**
 * A commit runs again after these values of SQLSTATE: serialization_failure, deadlock_detected, and a unique row or a table
 * that a concurrent commit made first, and that is there the next time.
 */
const RETRIED = new Set(['40001', '40P01', '23505', '42P07', STALE_PLAN]);

/** A migration waits longer than others for what has a lock (lock_not_available). */
const WAITING = new Set([...RETRIED, '55P03']);

/** Only concurrent commits cause these. */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);

const LEVELS = { serializable: 'serializable', locked: 'read committed' } as const satisfies Record<
  Isolation,
  string
>;

export async function openPostgres<T>(options: PostgresDatabaseOptions): Promise<PostgresDatabase<T>> {
  const { migrations, migrates = true } = options;
  const writer = new Kysely<T>({ dialect: options.writer });
  const reader = new Kysely<T>({ dialect: options.reader });
  const migrator = new Kysely<T>({ dialect: options.migrator });
  const { upgraded, noticing } = createUpgradeNotice();
  const refuseNewer = (db: Kysely<T>) => noticing(() => refuseUpgraded(db, migrations, { isServer: true }));
  const retryRead = createReadRetry(() => refuseNewer(reader));
  let missing: readonly string[] = [];
  const read: Database<T>['read'] = (fn) =>
    retryRead(() =>
      reader.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(fn),
    );
  const reads: Reads<T> = { read, readOne: (fn) => retryRead(() => fn(reader)) };
  const isCached = migrations.some(({ name }) => name === CHANGES_MIGRATION);
  const cache = isCached ? createChangeCache(reader, reads) : cacheNothing(reads);
  const clock = createServerClock(async () => {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(reader);
    return rows[0]?.ms ?? Number.NaN;
  });
  const database: PostgresDatabase<T> = {
    dialect: 'postgres',
    serverClock: clock.now,
    read,
    cache: cache.open,
    async write(fn, changes, isolation = 'serializable') {
      if (missing.length > 0) throw new MissingMigrationsError(missing);
      const result = await retryConflicts((attempt) =>
        writer
          .transaction()
          .setIsolationLevel(LEVELS[isolation])
          .execute(async (transaction) => {
            if (attempt > ATTEMPTS_AT_ONCE) await waitInLine(transaction);
            // Its snapshot must not be older than the lock for which it may have waited.
            else if (isolation === 'serializable') await runLater(transaction, SHARE_SCHEMA, []);
            const guard = { reader, count: migrations.length, refuse: refuseNewer };
            return refuseWhenUpgraded(transaction, guard, async () => {
              const done = await fn(transaction);
              if (isCached) await recordChanges(transaction, changes);
              return done;
            });
          }),
      );
      cache.onCommit(changes);
      return result;
    },
    async lockRow(db, table, id) {
      await sql`select 1 from ${sql.table(table)} where id = ${id} for update`.execute(db);
      return true;
    },
    async lockName(db, name) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
    },
    tryLock: options.locks.tryLock,
    isLocked: options.locks.isLocked,
    pools: options.pools,
    // The server manages its log.
    settleLog: async () => undefined,
    missing: () => missing,
    async migrate() {
      if (missing.length === 0) return;
      const write: Database<T>['write'] = (fn) =>
        retryConflicts(() => migrator.transaction().execute(fn), WAITING);
      await migrate({ ...database, write }, migrations);
      missing = [];
      await migrator.destroy();
    },
    async close() {
      await Promise.all([writer, reader, migrator].map((pool) => pool.destroy()));
      await options.locks.close();
    },
    upgraded,
  };
  try {
    await clock.measure();
    missing = await listMissingMigrations(migrator, migrations);
    if (missing.length === 0) await migrator.destroy();
    else if (migrates === true) await database.migrate();
    else if (!migrates) throw new MissingMigrationsError(missing);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Lets a migration wait for this commit, and this commit for a migration, before its snapshot is taken. Others do so by reading the table. */
const SHARE_SCHEMA = 'lock table schema_migration in access share mode';

/**
 * Lets one commit at a time pass. Unlike an advisory lock, the lock of a table is got before the snapshot of the commit is taken. It keeps
 * nothing else waiting but migrations.
 */
const waitInLine = <T>(db: Kysely<T>) =>
  sql`lock table schema_migration in share row exclusive mode`.execute(db);

/** Runs the work of a commit, and refuses it, whatever came of it, where a newer version has changed the tables. */
async function refuseWhenUpgraded<T, R>(
  transaction: Kysely<T>,
  {
    reader,
    count,
    refuse,
  }: {
    reader: Kysely<T>;
    /** The version knows so many migrations. */
    count: number;
    refuse: (db: Kysely<T>) => Promise<void>;
  },
  work: () => Promise<R>,
): Promise<R> {
  const counted = await countMigrationsLater(transaction);
  const refuseWhenMore = async (db: Kysely<T>) => {
    if ((await counted.count) !== count) await refuse(db);
  };
  let done: R;
  try {
    done = await work();
  } catch (error) {
    // The tables that it did not find may be the reason. Nothing can be read in a commit that has failed.
    await refuseWhenMore(reader).catch((reason: unknown) => {
      if (reason instanceof NewerStoreError) throw reason;
    });
    throw error;
  }
  await refuseWhenMore(transaction);
  return done;
}

/**
 * Runs a read again whose plans are from before a change of the tables, on a connection that has none.
 * @param refuse throws where a newer version has changed them. A read whose plans are old is run again even then, where that version has only added to them.
 */
function createReadRetry(refuse: () => Promise<void>) {
  return async <R>(read: () => Promise<R>): Promise<R> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read();
      } catch (error) {
        const { code } = error as { code?: string };
        const isStale = code === STALE_PLAN;
        if (isStale || code?.startsWith(NOT_AS_EXPECTED))
          await refuse().catch((reason: unknown) => {
            if (!isStale || !(reason instanceof NewerStoreError) || !reason.isReadable) throw reason;
          });
        if (!isStale || attempt >= ATTEMPTS) throw error;
      }
    }
  };
}

/** This class of SQLSTATE has undefined_table and undefined_column. */
const NOT_AS_EXPECTED = '42';

/** Runs a commit again while it meets others. Its pauses differ, so that those that met do not meet again. */
async function retryConflicts<R>(
  commit: (attempt: number) => Promise<R>,
  retried: ReadonlySet<string> = RETRIED,
): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await commit(attempt);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === undefined || !retried.has(code)) throw error;
      // A row that is still not unique was not made by a concurrent commit.
      if (attempt >= ATTEMPTS && !CONFLICTS.has(code)) throw error;
      if (attempt >= ATTEMPTS) throw new UnavailableError(CROWDED, { cause: error });
      await pause(Math.min(PAUSE_MS.first * 2 ** attempt, PAUSE_MS.most) * Math.random());
    }
  }
}

/** Clocks of computers drift apart by less than 10 ms in this time. */
const MEASURE_EVERY_MS = 30_000;

type ServerClock = {
  /** Reads the time in milliseconds since 1970. */
  now(): number;
  /** Must be called once before the first `now`. */
  measure(): Promise<void>;
};

/** @param ask asks the server for its time, in milliseconds since 1970 */
function createServerClock(ask: () => Promise<number>): ServerClock {
  let measured = { serverMs: Number.NaN, atMs: 0 };
  let isMeasuring = false;
  const measure = async () => {
    const askedMs = performance.now();
    const serverMs = await ask();
    // The server read its clock in the middle between the question and the answer, as far as can be told.
    measured = { serverMs, atMs: (askedMs + performance.now()) / 2 };
  };
  return {
    measure,
    now() {
      const sinceMs = performance.now() - measured.atMs;
      if (sinceMs > MEASURE_EVERY_MS && !isMeasuring) {
        isMeasuring = true;
        // A server that does not answer is asked again the next time.
        void measure()
          .catch(() => undefined)
          .finally(() => {
            isMeasuring = false;
          });
      }
      return Math.floor(measured.serverMs + sinceMs);
    },
  };
}
