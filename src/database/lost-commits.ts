// Notices that a SQLite database has lost commits. The newest are in its log: where that is cut or removed, a small file beside the database, written
// after each commit, knows of commits that the database does not have. Without the file nothing is found, and nothing is claimed; it is never synced,
// so a power cut can only leave it behind. And SQLite keeps writing to a file that was removed, whose commits are lost when the process ends.
import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { hrtime } from 'node:process';
import { DamagedStoreError } from './database.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

export type CommitCount = {
  /** Raises the count as the last statement of a transaction. @returns the number of the commit; undefined where nothing was changed */
  raise(): number | undefined;
  /** Records a durable commit in the file. */
  record(number: number | undefined): void;
  close(): void;
};

export const countFileOf = (database: string): string => `${database}-count`;

export function countCommits(connection: SqliteConnection, database: string): CommitCount {
  let changes = connection.totalChanges();
  let file: number | undefined;
  return {
    raise() {
      const total = connection.totalChanges();
      if (total === changes) return undefined;
      changes = total;
      const number = connection.commitCount() + 1;
      // The number is in the header of the file, which belongs to the transaction like any row.
      connection.exec(`pragma user_version = ${number}`);
      return number;
    },
    record(number) {
      if (number === undefined) return;
      try {
        file ??= openSync(countFileOf(database), constants.O_WRONLY | constants.O_CREAT, 0o600);
        writeSync(file, `${String(number).padStart(DIGITS)}\n`, 0);
      } catch {
        // The commit is durable all the same.
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

const DIGITS = 12;

/** Reads the recorded count. It must be read before the database, because other processes may commit. @returns 0 where there is none */
export function recordedCommits(database: string): number {
  try {
    const text = readFileSync(countFileOf(database), 'latin1');
    return /^ *\d+\n$/.test(text) ? Number(text) : 0;
  } catch {
    return 0;
  }
}

/** Compares the counts. @throws DamagedStoreError when the database has fewer commits than were recorded */
export function refuseLostCommits(connection: SqliteConnection, recorded: number, database: string): void {
  const lost = recorded - connection.commitCount();
  if (lost <= 0) return;
  throw new DamagedStoreError(
    `The last ${lost === 1 ? 'commit is' : `${lost} commits are`} missing from ${database}: its log (${database}-wal) was cut or removed, or the file was replaced by an older copy.`,
    {
      hint: `Restore ${database} and ${database}-wal from a backup. To continue without what was lost, delete ${countFileOf(database)}.`,
    },
  );
}

/** Reads check no more often than this, because they need no guarantee. */
const LOOK_EVERY_MS = 100;

type Presence = {
  /** Checks now, by one or two `stat` of a few microseconds. */
  isThere(): boolean;
  /** Throws when the file is gone; checks only now and then. */
  checkSometimes(): void;
};

/**
 * Measures intervals without `performance`: loading the global `performance` takes longer than opening the database.
 */
const monotonicMs = (): number => Number(hrtime.bigint() / 1_000_000n);

type Identity = { dev: number; ino: number } | undefined;

/** Must be called when the file has just been opened. */
export function createPresence(file: string): Presence {
  const opened = identityOf(file);
  let log: Identity;
  let lookedMs = monotonicMs();
  const isThere = () => {
    lookedMs = monotonicMs();
    if (!isSame(opened, identityOf(file))) return false;
    // The log is created by the first commit, and exists as long as any process has the database open.
    log ??= identityOf(`${file}-wal`);
    return log === undefined || isSame(log, identityOf(`${file}-wal`));
  };
  return {
    isThere,
    checkSometimes() {
      if (monotonicMs() - lookedMs >= LOOK_EVERY_MS && !isThere()) throw databaseRemoved();
    },
  };
}

export const databaseRemoved = (): DamagedStoreError =>
  new DamagedStoreError('The files of the database were removed or replaced while it was in use.', {
    hint: 'Restore the files, or start esign again to use the current files.',
  });

function identityOf(path: string): Identity {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { dev: stats.dev, ino: stats.ino };
}

const isSame = (a: Identity, b: Identity): boolean =>
  a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
