// Makes a Kysely over one connection to SQLite, without a pool, and opens one to inspect a database: for reading only, never made, without migrations.
import { Kysely, SqliteAdapter, SqliteDriver, SqliteQueryCompiler } from 'kysely';
import { DamagedStoreError } from './database.ts';
import { isTraced, traceStatement } from './diagnostics.ts';
import { describeStorageError } from './failure.ts';
import { recordedCommits, refuseLostCommits } from './lost-commits.ts';
import { connectSqlite, type SqliteConnection } from './sqlite-driver.ts';

export const kyselyOver = <T>(connection: SqliteConnection): Kysely<T> =>
  new Kysely<T>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver({ database: connection }),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: () => {
        throw new Error('Tables are not asked about.');
      },
    },
    ...(isTraced() && {
      log: ({ query, queryDurationMillis }) => traceStatement(query.sql, queryDurationMillis),
    }),
  });

const WAIT_MS = 2000;

export type InspectedDatabase<T> = {
  /** Lists the problems that SQLite finds in the file. @param isThorough compares indexes with their tables, too */
  problems(isThorough: boolean): Promise<string[]>;
  /** Throws DamagedStoreError when commits are missing. @returns whether that could be checked */
  refuseLostCommits(): boolean;
  /** Reads like `read` of a Database. */
  read<R>(fn: (db: Kysely<T>) => Promise<R>): Promise<R>;
};

/** Opens a database for inspection. @throws DamagedStoreError, StorageError; what `inspect` throws */
export async function inspectSqlite<T, R>(
  file: string,
  inspect: (inspected: InspectedDatabase<T>) => Promise<R>,
): Promise<R> {
  try {
    const recorded = recordedCommits(file);
    const connection = connectSqlite(file, { readOnly: true });
    try {
      connection.exec(`pragma busy_timeout = ${WAIT_MS}`);
      const db = kyselyOver<T>(connection);
      return await inspect({
        read: (fn) => fn(db),
        refuseLostCommits() {
          refuseLostCommits(connection, recorded, file);
          return recorded > 0;
        },
        problems: async (isThorough) => problemsOf(connection, isThorough),
      });
    } finally {
      connection.close();
    }
  } catch (error) {
    throw error instanceof DamagedStoreError ? error : describeStorageError(error, file);
  }
}

/** Lists the problems. In a badly damaged file the list ends with an error. */
function problemsOf(connection: SqliteConnection, isThorough: boolean): string[] {
  const problems: string[] = [];
  const check = connection.prepare(isThorough ? 'pragma integrity_check' : 'pragma quick_check');
  try {
    for (const row of check.iterate([])) problems.push(...Object.values(row as Record<string, string>));
  } catch (error) {
    if (problems.length === 0) throw error;
  }
  return problems.filter((text) => text !== 'ok').map((text) => text.replaceAll(/\s+/g, ' '));
}
