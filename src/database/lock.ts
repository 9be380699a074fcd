// Locks across processes. It uses the lock of SQLite on a file, so the system releases it when a process dies, which no lock
// file guarantees. Unlike a transaction it may be held while the process waits for something.
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../files/trust.ts';
import type { DatabaseErrorCode } from './database-error.ts';
import { connectSqlite, isBusy } from './sqlite-driver.ts';

const ASK_EVERY_MS = 20;

export class LockTimeoutError extends Error {
  override name = 'LockTimeoutError';
  readonly code = 'locked' satisfies DatabaseErrorCode;
}

export type LockOptions = { file: string; withinMs: number; signal?: AbortSignal | undefined };

/** Runs work under the lock. @throws LockTimeoutError when another process holds it longer than that; the signal's reason when it is aborted */
export async function runLocked<T>(
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
