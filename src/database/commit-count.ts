// Counts commits twice: in the database, and in a small file beside it that is written after each commit. The newest commits of a
// SQLite database are in its log; where that is cut or removed, the file knows of commits that the database does not have.
// Without the file nothing is found, and nothing is claimed. It is never synced, so a power cut can only leave it behind.
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
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
      const seen = connection.totalChanges();
      if (seen === changes) return undefined;
      changes = seen;
      const number = connection.commitCount() + 1;
      // In the header of the file, which belongs to the transaction like any row.
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
