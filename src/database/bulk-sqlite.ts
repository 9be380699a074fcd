// Copies SQLite databases: whole tables of a file that are read and written, a whole file while it is in use, and rows that are replaced by those of such
// a copy. Migrations are not run here.
import { BATCH, type BulkConnection, type BulkRow, type ListedColumn, quoted, shapesOf } from './bulk.ts';
import { describeStorageError } from './failure.ts';
import { recordedCommits, refuseLostCommits } from './lost-commits.ts';
import { runWhenFree, SLEEP_MS } from './sqlite.ts';
import { connectSqlite, type SqliteConnection } from './sqlite-driver.ts';

/** It waits so long for another process. */
const BUSY_TIMEOUT_MS = 20_000;

/**
 * Opens a file that exists.
 * @throws DamagedStoreError when commits are missing; StorageError
 */
export function openBulkSqlite(file: string, { isReadOnly }: { isReadOnly: boolean }): BulkConnection {
  try {
    const recorded = recordedCommits(file);
    const connection = connectSqlite(file, { readOnly: isReadOnly });
    try {
      connection.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma synchronous = full`);
      refuseLostCommits(connection, recorded, file);
      return bulkOver(connection, file);
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw describeStorageError(error, file);
  }
}

function bulkOver(connection: SqliteConnection, file: string): BulkConnection {
  const explainErrors = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      throw describeStorageError(error, file);
    }
  };
  const all = (text: string, values: readonly unknown[] = []) =>
    connection.prepare(text).all(values as unknown[]) as BulkRow[];
  let isOpen = false;
  const end = (statement: 'commit' | 'rollback') =>
    explainErrors(() => {
      if (isOpen) connection.exec(statement);
      isOpen = false;
    });
  return {
    dialect: 'sqlite',
    begin: (kind) =>
      explainErrors(() => {
        connection.exec(kind === 'snapshot' ? 'begin' : 'begin immediate');
        isOpen = true;
        // A deferred transaction takes its snapshot with the first read.
        if (kind === 'snapshot') all('select count(*) from sqlite_master');
      }),
    commit: () => end('commit'),
    rollback: () => end('rollback'),
    tables: () =>
      explainErrors(() => shapesOf(all(CATALOG) as readonly BulkRow[] as readonly ListedColumn[])),
    async *stream(text) {
      let batch: BulkRow[] = [];
      try {
        for (const row of connection.prepare(text).iterate([])) {
          batch.push(row as BulkRow);
          if (batch.length < BATCH) continue;
          yield batch;
          batch = [];
        }
      } catch (error) {
        throw describeStorageError(error, file);
      }
      yield batch;
    },
    run: (text, values) =>
      explainErrors(() => {
        const statement = connection.prepare(text);
        if (statement.reader) return statement.all((values ?? []) as unknown[]) as BulkRow[];
        statement.run((values ?? []) as unknown[]);
        return [];
      }),
    insert: (table, columns, rows) =>
      explainErrors(() => {
        const marks = columns.map(() => '?').join(', ');
        const text = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values (${marks})`;
        const statement = connection.prepare(text);
        for (const row of rows) statement.run(columns.map((column) => row[column]));
      }),
    // SQLite continues after the greatest number that a table ever had.
    settleNumbers: async () => undefined,
    async close() {
      await end('rollback');
      connection.close();
    },
  };
}

const CATALOG = `select m.name as "table", c.name as "column", c.pk as key, '"' || c.name || '"' as "order"
  from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\'`;

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
