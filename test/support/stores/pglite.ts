// Runs PostgreSQL in this process, as a Kysely dialect, for the second run of the store's suite. It has one
// session, so each connection waits until the previous one is released.
import { PGlite } from '@electric-sql/pglite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';

export type Postgres = {
  /** Closing a database opened with it leaves the session open. @param commitFails breaks commits on purpose */
  dialect(commitFails?: () => Error | undefined): Dialect;
  empty(): Promise<unknown>;
  close(): Promise<void>;
};

/** Takes seconds: a test file starts one and empties it between its tests. */
export async function startPostgres(): Promise<Postgres> {
  const pglite = new PGlite();
  await pglite.waitReady;
  const session = sessionOf(pglite);
  return {
    dialect: (commitFails) => ({
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => driverOf(session, commitFails ?? (() => undefined)),
      createIntrospector: () => {
        throw new Error('Tables are not asked about.');
      },
    }),
    empty: () => pglite.exec('drop schema public cascade; create schema public'),
    close: () => pglite.close(),
  };
}

type Session = { connection: DatabaseConnection; take(): Promise<void>; letGo(): void };

function sessionOf(pglite: PGlite): Session {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    connection: connectionTo(pglite),
    async take() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    letGo() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}

function driverOf({ connection, take, letGo }: Session, commitFails: () => Error | undefined): Driver {
  const say = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql));
  return {
    init: async () => undefined,
    async acquireConnection() {
      await take();
      return connection;
    },
    async releaseConnection() {
      letGo();
    },
    async beginTransaction(_, { isolationLevel }: TransactionSettings) {
      await say(`start transaction isolation level ${isolationLevel ?? 'read committed'}`);
    },
    async commitTransaction() {
      const failure = commitFails();
      if (failure) throw failure;
      await say('commit');
    },
    async rollbackTransaction() {
      await say('rollback');
    },
    destroy: async () => undefined,
  };
}

const connectionTo = (pglite: PGlite): DatabaseConnection => ({
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, affectedRows } = await pglite.query<R>(sql, [...parameters]);
    return { rows, numAffectedRows: BigInt(affectedRows ?? 0) };
  },
  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed.');
  },
});
