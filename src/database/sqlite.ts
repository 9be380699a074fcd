// Opens SQLite as a Database: write-ahead log, full sync, and one connection each for readers and writers.
// Other processes may use the same file at any time. On a read-only disk the file and its log are copied, and the copy is read: SQLite has to write
// beside a file even to read it.

import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setImmediate as afterOthers, setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { createReadCache } from './cache.ts';
import type { Database, Migration } from './database.ts';
import { describeStorageError } from './failure.ts';
import { countCommits, createPresence, recordedCommits, refuseLostCommits } from './lost-commits.ts';
import { listMissingMigrations, migrate, type SchemaWatch, watchSchema } from './migrate.ts';
import { shareCommits } from './shared-commits.ts';
import { connectSqlite, isBusy, type SqliteConnection } from './sqlite-driver.ts';
import { kyselyOver } from './sqlite-queries.ts';

/** It waits so long for another process. A commit takes well under a millisecond. */
const BUSY_TIMEOUT_MS = 20_000;

/** SQLite waits by sleeping, which blocks the event loop, so a writer sleeps this long and then pauses. */
export const SLEEP_MS = 20;

const PAUSE_MS = 5;

type SqliteOptions = {
  file: string;
  migrations: readonly Migration[];
  /** Commits are counted beside the file, so that a log that is cut or removed is noticed. */
  countsCommits?: boolean;
};

/**
 * Opens the file, makes it when it is missing, and brings its tables up to date.
 * @throws DamagedStoreError, NewerStoreError; StorageError where the disk or the permissions are in the way
 */
export async function openSqlite<T>(options: SqliteOptions): Promise<Database<T>> {
  try {
    return await openDatabase<T>(options);
  } catch (error) {
    throw describeStorageError(error, options.file);
  }
}

async function openDatabase<T>({
  file,
  migrations,
  countsCommits = false,
}: SqliteOptions): Promise<Database<T>> {
  const recorded = countsCommits ? recordedCommits(file) : 0;
  const writer = await connect<T>(file);
  try {
    refuseLostCommits(writer.connection, recorded, file);
  } catch (error) {
    writer.connection.close();
    throw error;
  }
  writer.connection.exec(`pragma busy_timeout = ${SLEEP_MS}`);
  const presence = createPresence(file);
  const count = countsCommits ? countCommits(writer.connection, file) : undefined;
  const watch = watchSchema(migrations);
  let connecting: Promise<Connected<T>> | undefined;
  const reader = () => {
    presence.checkSometimes();
    connecting ??= connect<T>(file).catch((error) => {
      // The error may be temporary, so the next reader tries again.
      connecting = undefined;
      throw error;
    });
    return connecting;
  };
  const read = serializeReads<T>(async (fn) => runSnapshot(await reader(), watch, fn));
  const cache = createReadCache(async () => {
    await reader();
    return writer.connection.dataVersion();
  }, read);
  const database: Database<T> = {
    dialect: 'sqlite',
    write: shareCommits({
      ...writer,
      begin: () => runWhenFree(writer.connection, 'begin immediate'),
      isThere: presence.isThere,
      check: () => watch.check(writer),
      count,
      onCommit: cache.onCommit,
    }),
    read,
    // One commit runs at a time.
    lockRow: async () => false,
    lockName: async () => undefined,
    cache: cache.open,
    async settleLog() {
      const { connection } = await connect<T>(file);
      connection.exec('pragma wal_checkpoint(passive)');
      connection.close();
    },
    async close() {
      (await connecting)?.connection.close();
      writer.connection.close();
      count?.close();
    },
    upgraded: watch.upgraded,
  };
  try {
    const before = writer.connection.schemaVersion();
    const missing = await listMissingMigrations(writer.db, migrations);
    if (missing.length > 0) await migrate(database, migrations);
    writer.connection.releaseMemory();
    watch.begin(before);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

type Connected<T> = { connection: SqliteConnection; db: Kysely<T> };

async function connect<T>(file: string): Promise<Connected<T>> {
  const connection = connectSqlite(file);
  connection.exec(
    `pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma synchronous = full; pragma foreign_keys = on;`,
  );
  // A new file is switched once. SQLite does not wait when several processes do so at the same moment.
  await runWhenFree(connection, 'pragma journal_mode = wal');
  return { connection, db: kyselyOver<T>(connection) };
}

/** Runs a statement that takes a lock, again and again while another process has it. */
export async function runWhenFree(connection: SqliteConnection, sql: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += SLEEP_MS + PAUSE_MS) {
    try {
      connection.exec(sql);
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error;
    }
    await pause(PAUSE_MS);
    // Two waiting writers of one process would otherwise keep the event loop in its timers: while one sleeps, the pause of the
    // other ends, and the writer that has the lock never reaches its commit.
    await afterOthers();
  }
}

/** Runs queries in a deferred transaction, so that they see the same state. */
async function runSnapshot<T, R>(
  connected: Connected<T>,
  watch: SchemaWatch,
  fn: (db: Kysely<T>) => Promise<R>,
): Promise<R> {
  const { connection, db } = connected;
  connection.exec('begin');
  try {
    await watch.check(connected);
    return await fn(db);
  } finally {
    connection.exec('rollback');
  }
}

/** Runs one snapshot at a time, because there is one connection. The queries inside wait only for the processor. */
function serializeReads<T>(run: <R>(fn: (db: Kysely<T>) => Promise<R>) => Promise<R>): typeof run {
  let last: Promise<unknown> = Promise.resolve();
  return (fn) => {
    const mine = last.then(() => run(fn));
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Opens a copy. @throws DamagedStoreError, NewerStoreError, StorageError, or the system's error */
export async function openReadOnlySqlite<T>({ file, migrations }: SqliteOptions): Promise<Database<T>> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-read-only-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const copy = join(folder, basename(file));
  try {
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    await copyFile(`${file}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE).catch(ignoreMissing);
    const database = await openSqlite<T>({ file: copy, migrations });
    return {
      ...database,
      isReadOnly: true,
      write: () => Promise.reject(readOnly()),
      settleLog: async () => undefined,
      async close() {
        await database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const SQLITE_READONLY = 8;

/** Makes the error that SQLite itself throws for a write. */
const readOnly = (): Error =>
  Object.assign(new Error('attempt to write a readonly database'), { errcode: SQLITE_READONLY });

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
