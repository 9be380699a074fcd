// Holds a file as long as a process runs, so that others can check whether it still does. It uses the lock of SQLite on
// that file: the system releases it however the process ends. It needs no clock and no process id, and
// another container that shares the folder sees it.
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../files/trust.ts';
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

/** Removes a file. An error is ignored, because a file that no process holds does no harm. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // On Windows, a process that asks has it open.
  }
}

/** Whether a process holds the file. @returns undefined where there is no such file, or where it cannot be found out */
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
