// Stores what this machine did in a database: plans of `tx send` and how far each one came.
// It must never contain an access token or a signing token.
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../database/database.ts';
import { openSqlite } from '../database/sqlite.ts';
import { makeTrustedFolder } from '../files/make-folder.ts';
import { createJournal, type Journal } from './journal.ts';
import { type HistoryTables, MIGRATIONS } from './tables.ts';

export type History = {
  journal: Journal;
  /** Runs `work` while no other process of this machine holds the lock; it must not wait for anything. */
  withLock<R>(work: () => R): Promise<R>;
  close(): Promise<void>;
};

/** Opens the history. @param nowMs the time, in milliseconds since 1970 */
export async function openHistory(file: string, nowMs: () => number): Promise<History> {
  makeTrustedFolder(dirname(file));
  const database: Database<HistoryTables> = await openSqlite<HistoryTables>({ file, migrations: MIGRATIONS });
  await chmod(file, 0o600);
  return {
    journal: createJournal(database, nowMs),
    // The system releases the lock of the writer when a process dies, which no lock file guarantees.
    withLock: (work) => database.write(async () => work()),
    close: () => database.close(),
  };
}
