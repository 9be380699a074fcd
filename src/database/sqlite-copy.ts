// Copies a SQLite database to a file while it is in use, and replaces its rows by those of such a copy.
import { setTimeout as pause } from 'node:timers/promises';
import { describeStorageError } from './failure.ts';
import { connectSqlite, isBusy } from './sqlite-driver.ts';

const BUSY_TIMEOUT_MS = 20_000;
const TRY_AGAIN_MS = 5;

/** Writes one consistent state of the database to a file that does not exist. */
export function copySqlite(database: string, target: string): void {
  const connection = connectSqlite(database);
  try {
    connection.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    connection.exec(`vacuum into ${quotedText(target)}`);
  } catch (error) {
    throw describeStorageError(error, target);
  } finally {
    connection.close();
  }
}

/**
 * Replaces the rows of these tables by those of a copy, in one durable commit. Both must have the same tables.
 * Processes that have the database open see it as a commit of another process.
 */
export async function replaceRows(database: string, copy: string, tables: readonly string[]): Promise<void> {
  const connection = connectSqlite(database);
  try {
    connection.exec('pragma synchronous = full; pragma foreign_keys = off');
    connection.exec(`attach database ${quotedText(copy)} as copy`);
    await beginWhenFree((sql) => connection.exec(sql));
    for (const table of tables.map(quotedName)) {
      connection.exec(`delete from main.${table}`);
      connection.exec(`insert into main.${table} select * from copy.${table}`);
    }
    connection.exec('commit');
  } catch (error) {
    throw describeStorageError(error, database);
  } finally {
    connection.close();
  }
}

/** Waits without blocking the event loop, because the commit that it waits for may be of this process. */
async function beginWhenFree(exec: (sql: string) => void): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += TRY_AGAIN_MS) {
    try {
      exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error;
    }
    await pause(TRY_AGAIN_MS);
  }
}

const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
