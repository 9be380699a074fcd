// Holds and locks files across processes by the lock of SQLite on a file: the system releases it however a process ends. It needs no clock and no
// process id, another container that shares the folder sees it, and unlike a transaction it may be held while the process waits for something.
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../files/trust.ts';
import type { DatabaseErrorCode } from './database-error.ts';
import { connectSqlite, isBusy, type SqliteConnection } from './sqlite-driver.ts';

export type HeldFile = { release(): void };

/** Nothing is written, so no journal file is needed. */
const SETTINGS = 'pragma busy_timeout = 0; pragma journal_mode = memory';

/** Locks a file. @returns undefined where the disk does not support locks */
export function holdFile(file: string): HeldFile | undefined {
  try {
    makeFolder(dirname(file));
    const connection = connectSqlite(file);
    connection.exec(`${SETTINGS}; begin immediate`);
    return {
      release() {
        connection.exec('rollback');
        connection.close();
        removeQuietly(file);
      },
    };
  } catch {
    removeQuietly(file);
    return undefined;
  }
}

/** Locks a file that no process holds. @returns undefined where one does, or the disk does not support locks */
export const holdFreeFile = (file: string): HeldFile | undefined =>
  isHeld(file) ? undefined : holdFile(file);

/** Removes a file. An error is ignored, because a file that no process holds does no harm. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // On Windows, a process that asks has it open.
  }
}

/** Tells whether a process holds the file. @returns undefined where there is no such file, or where it cannot be found out */
export function isHeld(file: string): boolean | undefined {
  if (!existsSync(file)) return undefined;
  let connection: SqliteConnection | undefined;
  try {
    connection = connectSqlite(file);
    connection.exec(`${SETTINGS}; begin immediate; rollback`);
    return false;
  } catch (error) {
    return isBusy(error) ? true : undefined;
  } finally {
    connection?.close();
  }
}

const ASK_EVERY_MS = 20;

export class LockTimeoutError extends Error {
  override name = 'LockTimeoutError';
  readonly code = 'locked' satisfies DatabaseErrorCode;
}

type LockOptions = { file: string; withinMs: number; signal?: AbortSignal | undefined };

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
