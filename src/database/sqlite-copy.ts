// Copies a SQLite database to a file while it is in use, and replaces its rows by those of such a copy.
import { describeStorageError } from './failure.ts';
import { runWhenFree, SLEEP_MS } from './sqlite.ts';
import { connectSqlite, type SqliteConnection } from './sqlite-driver.ts';

const BUSY_TIMEOUT_MS = 20_000;

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
 * @param prepare runs in this commit first, with the schemas `main` and `copy`. What it throws ends the commit without a change
 */
export async function replaceRows(
  database: string,
  copy: string,
  tables: readonly string[],
  prepare: (connection: SqliteConnection) => void = () => undefined,
): Promise<void> {
  const connection = connectSqlite(database);
  try {
    connection.exec(
      `pragma busy_timeout = ${SLEEP_MS}; pragma synchronous = full; pragma foreign_keys = off`,
    );
    connection.exec(`attach database ${quotedText(copy)} as copy`);
    await runWhenFree(connection, 'begin immediate');
    prepare(connection);
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

const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
