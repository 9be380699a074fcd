// SQLite as a Database: write-ahead log, full sync, and writers of one process that wait at the same moment share
// one durable commit, a savepoint each. Other processes may use the same file at any time.
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, SqliteAdapter, SqliteDriver, SqliteQueryCompiler } from 'kysely';
import { createReadCache } from './cache.ts';
import { DamagedStoreError, type Database, type Migration } from './database.ts';
import { migrate } from './migrate.ts';
import { connectSqlite, isBusy, type SqliteConnection } from './sqlite-driver.ts';

/** How long anybody waits for another process. A commit takes well under a millisecond. */
const BUSY_TIMEOUT_MS = 20_000;

/** SQLite waits by sleeping, and nothing else is answered meanwhile: a writer sleeps this long, then lets others in. */
const SLEEP_MS = 20;

const PAUSE_MS = 5;

/** Writers that share a commit, at the most: bounds how long the first of them waits. */
const BATCH = 64;

export type SqliteOptions = { file: string; migrations: readonly Migration[] };

/** Opens the file, makes it when it is missing, and brings its tables up to date. */
export async function openSqlite<T>(options: SqliteOptions): Promise<Database<T>> {
  try {
    return await opened<T>(options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new DamagedStoreError(`${options.file} is damaged or is not a store.`, { cause: error });
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const isDamage = (error: unknown): boolean =>
  [11, 26].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);

async function opened<T>({ file, migrations }: SqliteOptions): Promise<Database<T>> {
  const writer = await connect<T>(file);
  writer.connection.exec(`pragma busy_timeout = ${SLEEP_MS}`);
  let connecting: Promise<Connected<T>> | undefined;
  const reader = () => {
    connecting ??= connect<T>(file);
    return connecting;
  };
  const read = oneAtATime<T>(async (fn) => snapshot(await reader(), fn));
  const database: Database<T> = {
    dialect: 'sqlite',
    write: shareCommits(writer),
    read,
    cache: createReadCache(async () => (await reader()).connection.dataVersion(), read),
    async close() {
      (await connecting)?.connection.close();
      writer.connection.close();
    },
  };
  try {
    await migrate(database, writer.db, migrations);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

type Connected<T> = { connection: SqliteConnection; db: Kysely<T> };

async function connect<T>(file: string): Promise<Connected<T>> {
  const connection = await connectSqlite(file);
  connection.exec(
    `pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma synchronous = full; pragma foreign_keys = on;`,
  );
  // A new file is switched once. SQLite does not wait when several processes do so at the same moment.
  await whenFree(connection, 'pragma journal_mode = wal');
  const db = new Kysely<T>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver({ database: connection }),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: () => {
        throw new Error('Tables are not asked about.');
      },
    },
  });
  return { connection, db };
}

/** Runs a statement that takes a lock, again and again while another process has it. */
async function whenFree(connection: SqliteConnection, sql: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += SLEEP_MS + PAUSE_MS) {
    try {
      connection.exec(sql);
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** A deferred transaction, so that several queries see the same state. */
async function snapshot<T, R>(
  { connection, db }: Connected<T>,
  fn: (db: Kysely<T>) => Promise<R>,
): Promise<R> {
  connection.exec('begin');
  try {
    return await fn(db);
  } finally {
    connection.exec('rollback');
  }
}

/** One connection serves one snapshot at a time; the queries inside never wait for anything but the processor. */
function oneAtATime<T>(run: <R>(fn: (db: Kysely<T>) => Promise<R>) => Promise<R>): typeof run {
  let last: Promise<unknown> = Promise.resolve();
  return (fn) => {
    const mine = last.then(() => run(fn));
    last = mine.catch(() => undefined);
    return mine;
  };
}

type Waiting<T> = {
  fn: (db: Kysely<T>) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
};

type Settled<T> = { waiting: Waiting<T>; failed: boolean; value: unknown };

/**
 * The one way in. The batch starts on the next turn of the event loop, so that requests which arrived together are
 * committed together. Each writer has a savepoint: one that throws takes nothing else with it.
 */
function shareCommits<T>({ connection, db }: Connected<T>): Database<T>['write'] {
  const queue: Waiting<T>[] = [];
  let isRunning = false;

  async function runBatch(): Promise<void> {
    try {
      await whenFree(connection, 'begin immediate');
    } catch (error) {
      for (const waiting of queue.splice(0)) waiting.reject(error);
      return;
    }
    const batch = queue.splice(0, BATCH);
    const settled: Settled<T>[] = [];
    try {
      for (const waiting of batch) settled.push(await runInSavepoint(waiting));
      connection.exec(settled.every((one) => one.failed) ? 'rollback' : 'commit');
    } catch (error) {
      rollBackQuietly(connection);
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    for (const { waiting, failed, value } of settled)
      if (failed) waiting.reject(value);
      else waiting.resolve(value as never);
  }

  async function runInSavepoint(waiting: Waiting<T>): Promise<Settled<T>> {
    connection.prepare('savepoint writer').run([]);
    try {
      const value = await waiting.fn(db);
      connection.prepare('release writer').run([]);
      return { waiting, failed: false, value };
    } catch (error) {
      connection.exec('rollback to writer; release writer');
      return { waiting, failed: true, value: error };
    }
  }

  async function run(): Promise<void> {
    while (queue.length > 0) await runBatch();
    isRunning = false;
  }

  return (fn) =>
    new Promise((resolve, reject) => {
      queue.push({ fn, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void run());
    });
}

/** After a failed commit SQLite may have rolled back by itself. */
function rollBackQuietly(connection: SqliteConnection): void {
  try {
    connection.exec('rollback');
  } catch {
    // Nothing was open any more.
  }
}
