// Makes a Kysely over one connection to SQLite, without a pool.
import { Kysely, SqliteAdapter, SqliteDriver, SqliteQueryCompiler } from 'kysely';
import { isTraced, traceStatement } from './diagnostics.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

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
