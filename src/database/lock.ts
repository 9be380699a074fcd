// One process at a time, across processes: the lock is SQLite's own on a file, so the system lets it go when a process
// dies, which no lock file can promise. Unlike a transaction it may be held while something is waited for.
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../files/make-folder.ts';
import type { DatabaseErrorCode } from './database-error.ts';
import { connectSqlite, isBusy } from './sqlite-driver.ts';

const ASK_EVERY_MS = 20;

export class LockTimeoutError extends Error {
  override name = 'LockTimeoutError';
  readonly code = 'locked' satisfies DatabaseErrorCode;
}

export type LockOptions = { file: string; withinMs: number; signal?: AbortSignal | undefined };

/** @throws LockTimeoutError when another process keeps it longer than that; the signal's reason when it is aborted */
export async function whileLocked<T>(
  { file, withinMs, signal }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  makeFolder(dirname(file));
  const connection = connectSqlite(file);
  try {
    connection.exec('pragma busy_timeout = 0');
    for (let waitedMs = 0; !isTaken(() => connection.exec('begin immediate')); waitedMs += ASK_EVERY_MS) {
      if (waitedMs >= withinMs)
        throw new LockTimeoutError(
          `Another esign process has been using ${dirname(file)} for too long (lock file ${file}).`,
        );
      await pause(ASK_EVERY_MS, undefined, { signal });
    }
    try {
      return await work();
    } finally {
      connection.exec('rollback');
    }
  } finally {
    connection.close();
  }
}

function isTaken(take: () => void): boolean {
  try {
    take();
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
