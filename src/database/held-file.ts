// A file that a process holds as long as it runs, so that others can ask whether it still does. The lock is SQLite's own on
// that file: the system releases it when the process ends, however it ends. It asks no clock and no process number, and it
// is seen from another container that shares the folder.
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { connectSqlite, isBusy, type SqliteConnection } from './sqlite-driver.ts';

export type HeldFile = { release(): void };

/** Nothing is written, so no journal has to lie beside the file. */
const SETTINGS = 'pragma busy_timeout = 0; pragma journal_mode = memory';

/** @returns undefined where the disk knows no locks */
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

/** A file that is left behind does no harm: no process holds it. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // On Windows, a process that asks has it open.
  }
}

/** @returns undefined where there is no such file, or where it cannot be told */
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
