// Connects to PostgreSQL with two pools: one for reads and one for writes, so that writers that wait for a row never keep readers
// waiting. Statements are prepared once for each connection.
import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import type { PoolFacts } from './database.ts';
import { StorageError, UNREACHABLE, UnavailableError } from './failure.ts';
import { createNameLocks, type NameLocks } from './postgres-locks.ts';

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database`; what is missing comes from the environment as in psql. */
  url: string;
  /** Connections of each of the two pools. */
  poolSize?: number;
};

export type PostgresDialects = {
  writer: Dialect;
  reader: Dialect;
  locks: NameLocks;
  pools: () => readonly PoolFacts[];
};

const POOL_SIZE = 10;

/** A server that does not answer must not hold a request longer than a client waits. */
const TIMEOUTS_MS = {
  connect: 5000,
  statement: 30_000,
  lock: 10_000,
  idleInTransaction: 30_000,
  idle: 30_000,
};

/** Statements beyond these are not prepared: their texts differ each time. */
const PREPARED_STATEMENTS = 1000;

/** `bigint`, which counts and numbers of rows are: they stay far below 2^53. */
const INT8 = 20;

/** Parses the values of a type. */
export const parserOf = ((oid: number, format: 'text') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

export function connectPostgres({ url, poolSize = POOL_SIZE }: PostgresOptions): PostgresDialects {
  const nameOf = createStatementNames();
  const pools = { read: createPool(url, poolSize), write: createPool(url, poolSize) };
  const dialect = (name: PoolFacts['name']): Dialect => ({
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => createDriver(pools[name], nameOf),
    createIntrospector: () => {
      throw new Error('The tables are known from their migrations.');
    },
  });
  return {
    writer: dialect('write'),
    reader: dialect('read'),
    locks: createNameLocks(url),
    pools: () => [describePool('read', pools.read), describePool('write', pools.write)],
  };
}

export type PostgresFacts = {
  /** Such as `15.18`. */
  version: string;
  versionNumber: number;
  /** Nothing of esign is in it. */
  isEmpty: boolean;
  /** It is a replica, or was made read-only. */
  isReadOnly: boolean;
};

/** Asks a server about a database, without changing anything. @throws UnavailableError */
export async function inspectPostgres(url: string): Promise<PostgresFacts> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUTS_MS.connect });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        to_regclass('schema_migration') is null as is_empty, current_setting('transaction_read_only') = 'on' as is_read_only`);
    const { version, number, is_empty, is_read_only } = rows[0];
    return { version, versionNumber: number, isEmpty: is_empty, isReadOnly: is_read_only };
  } catch (error) {
    throw describeConnectionError(url, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** SQLSTATE of the errors that a connection may begin with. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refused the user or the password',
  '28000': 'refused the user',
  '3D000': 'has no such database',
  '42501': 'gives this user no permission',
};

/** Names the server, never the password. */
export function describeConnectionError(url: string, cause: unknown): StorageError {
  const { code } = cause as { code?: string };
  const { host, port, database } = new pg.Client({ connectionString: url });
  const refused = code === undefined ? undefined : REFUSALS[code];
  const what = refused ?? `does not respond${code === undefined ? '' : ` (${code})`}`;
  return new StorageError(
    `PostgreSQL at ${host}:${port} ${what} (database "${database ?? ''}").`,
    refused === undefined ? 'unavailable' : 'unusable',
    {
      cause,
      hint: 'Check --database, and that the database server is running and can be reached from here.',
    },
  );
}

function createPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'esign',
    keepAlive: true,
    connectionTimeoutMillis: TIMEOUTS_MS.connect,
    idleTimeoutMillis: TIMEOUTS_MS.idle,
    statement_timeout: TIMEOUTS_MS.statement,
    lock_timeout: TIMEOUTS_MS.lock,
    idle_in_transaction_session_timeout: TIMEOUTS_MS.idleInTransaction,
    // The server's own limit comes first; this one ends what a dead network keeps waiting.
    query_timeout: TIMEOUTS_MS.statement + TIMEOUTS_MS.connect,
    types: { getTypeParser: parserOf },
  });
  // A lost connection is reported by the query that meets it. Without these, Node would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const describePool = (
  name: PoolFacts['name'],
  { totalCount, idleCount, waitingCount }: pg.Pool,
): PoolFacts => ({ name, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount });

/** Names a statement by its text: a connection prepares a name when it first meets it. */
function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (
      known !== undefined ||
      names.size >= PREPARED_STATEMENTS ||
      !/^(?:select|insert|update|delete|with)\b/.test(text)
    )
      return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
}

type Connection = DatabaseConnection & { client: pg.PoolClient; isLost: boolean };

function createDriver(pool: pg.Pool, nameOf: (text: string) => string | undefined): Driver {
  const run = (connection: DatabaseConnection, text: string): Promise<pg.QueryResult> =>
    (connection as Connection).client.query(text).catch((error: unknown) => {
      throw explain(connection as Connection, error);
    });
  return {
    init: async () => undefined,
    async acquireConnection() {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(error);
      });
      return createConnection(client, nameOf);
    },
    async releaseConnection(connection) {
      const { client, isLost } = connection as Connection;
      client.release(isLost);
    },
    async beginTransaction(connection, { isolationLevel, accessMode }: TransactionSettings) {
      const access = accessMode ? ` ${accessMode}` : '';
      await run(
        connection,
        `start transaction isolation level ${isolationLevel ?? 'read committed'}${access}`,
      );
    },
    async commitTransaction(connection) {
      // PostgreSQL answers `commit` with ROLLBACK, and no error, after a statement that failed.
      const { command } = await run(connection, 'commit');
      if (command !== 'COMMIT')
        throw new Error('A statement of this commit failed, so nothing of it was stored.');
    },
    async rollbackTransaction(connection) {
      // A connection that is lost has rolled back.
      await run(connection, 'rollback').catch(() => undefined);
    },
    destroy: () => pool.end(),
  };
}

function createConnection(client: pg.PoolClient, nameOf: (text: string) => string | undefined): Connection {
  const connection: Connection = {
    client,
    isLost: false,
    async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const name = nameOf(text);
      try {
        const result = await client.query({ text, values: [...parameters], ...(name && { name }) });
        return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
      } catch (error) {
        throw explain(connection, error);
      }
    },
    streamQuery(): AsyncIterableIterator<never> {
      throw new Error('Rows are not streamed.');
    },
  };
  return connection;
}

/** Plans of statements that were prepared before a migration (`cached plan must not change result type`). */
const STALE_PLAN = '0A000';

/** An error of the server has a severity; any other is about the connection, which is then not used again. */
function explain(connection: Connection, error: unknown): unknown {
  const { severity, code } = error as { severity?: string; code?: string };
  if (severity === undefined || severity === 'FATAL' || code === STALE_PLAN) connection.isLost = true;
  return severity === undefined ? unreachable(error) : error;
}

const unreachable = (cause: unknown): UnavailableError => new UnavailableError(UNREACHABLE, { cause });
