// Commits the writers of one process that wait at the same moment together in one durable commit of SQLite, with a savepoint
// each (decision 0002).
import type { Kysely } from 'kysely';
import type { ChangedIds, Database } from './database.ts';
import { traceCommit } from './diagnostics.ts';
import { type CommitCount, databaseRemoved } from './lost-commits.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

/** So many writers share a commit at most, which limits how long the first of them waits. */
const BATCH = 64;

export type Writer<T> = {
  connection: SqliteConnection;
  db: Kysely<T>;
  /** Begins a write transaction, once no other process is in one. */
  begin(): Promise<void>;
  /** Tells whether the file is still at its path. It is checked before a commit is acknowledged. */
  isThere(): boolean;
  /** Checks inside the transaction, before anything is written in it. Throws when nothing may be written any more. */
  check(): Promise<void>;
  count: CommitCount | undefined;
  /** The database calls this as soon as a commit is done. */
  onCommit(changes: ChangedIds | undefined): void;
};

type Waiting<T> = {
  changes: ChangedIds | undefined;
  fn: (db: Kysely<T>) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
};

type Settled<T> = { waiting: Waiting<T>; failed: boolean; value: unknown };

/**
 * Makes the function that writes. A batch starts on the next turn of the event loop, so that requests which arrived together
 * are committed together. Each writer has a savepoint, so that one that throws does not undo the others.
 */
export function shareCommits<T>({
  connection,
  db,
  begin,
  isThere,
  check,
  count,
  onCommit,
}: Writer<T>): Database<T>['write'] {
  const queue: Waiting<T>[] = [];
  let isRunning = false;
  let isLost = false;

  const rejectAll = (error: unknown) => {
    for (const waiting of queue.splice(0)) waiting.reject(error);
  };

  async function runBatch(): Promise<void> {
    try {
      // After a commit that did not find the file, nothing is written before it is back.
      if (isLost && !isThere()) throw databaseRemoved();
      await begin();
      await check();
    } catch (error) {
      rollBackQuietly(connection);
      rejectAll(error);
      return;
    }
    const batch = queue.splice(0, BATCH);
    const settled: Settled<T>[] = [];
    try {
      for (const waiting of batch) settled.push(await runInSavepoint(connection, db, waiting));
      if (settled.every(({ failed }) => failed)) connection.exec('rollback');
      else {
        const number = count?.raise();
        traceCommit(batch.length, () => connection.exec('commit'));
        count?.record(number);
      }
      for (const { waiting } of settled) onCommit(waiting.changes);
      isLost = !isThere();
      if (isLost) throw databaseRemoved();
    } catch (error) {
      rollBackQuietly(connection);
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    for (const { waiting, failed, value } of settled)
      if (failed) waiting.reject(value);
      else waiting.resolve(value as never);
  }

  async function run(): Promise<void> {
    while (queue.length > 0) await runBatch();
    isRunning = false;
  }

  return (fn, changes) =>
    new Promise((resolve, reject) => {
      queue.push({ fn, changes, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void run());
    });
}

async function runInSavepoint<T>(
  connection: SqliteConnection,
  db: Kysely<T>,
  waiting: Waiting<T>,
): Promise<Settled<T>> {
  connection.prepare('savepoint writer').run([]);
  try {
    const value = await waiting.fn(db);
    connection.prepare('release writer').run([]);
    return { waiting, failed: false, value };
  } catch (error) {
    rollBackToSavepoint(connection, error);
    return { waiting, failed: true, value: error };
  }
}

/** Rolls one writer back. On a full or failing disk SQLite rolls back the whole transaction; then all writers get the cause. */
function rollBackToSavepoint(connection: SqliteConnection, cause: unknown): void {
  try {
    connection.exec('rollback to writer; release writer');
  } catch {
    throw cause;
  }
}

/** Rolls back. An error is ignored, because SQLite may have rolled back itself after a failed commit. */
function rollBackQuietly(connection: SqliteConnection): void {
  try {
    connection.exec('rollback');
  } catch {
    // Nothing was open any more.
  }
}
