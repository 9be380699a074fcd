// Connects to PostgreSQL with two pools: one for reads and one for writes, so that writers that wait for a row never keep readers
// waiting. Statements are prepared once for each connection.
import type { Socket } from 'node:net';
import process from 'node:process';
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
import { takerOf } from './deferred-query.ts';
import { StorageError, UNREACHABLE, UnavailableError } from './failure.ts';
import { createNameLocks, type NameLocks } from './postgres-locks.ts';

export type PostgresOptions = {
  /**
   * It has the form `postgres://user:password@host:port/database`. What is missing comes from the environment, as in psql.
   */
  url: string;
  /** Each of the two pools has so many connections. */
  poolSize?: number;
};

export type PostgresDialects = {
  writer: Dialect;
  reader: Dialect;
  /** It has one connection, whose statements may take any time: a migration changes every row of a large table. */
  migrator: Dialect;
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

/** Counts and numbers of rows have this type (`bigint`). They stay far below 2^53. */
const INT8 = 20;

/** Parses the values of a type. */
export const parserOf = ((oid: number, format: 'text') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

export function connectPostgres({ url, poolSize = POOL_SIZE }: PostgresOptions): PostgresDialects {
  const nameOf = createStatementNames();
  const pools = {
    read: createPool(url, poolSize),
    write: createPool(url, poolSize),
    migrate: createPool(url, 1, 0),
  };
  const dialect = (name: keyof typeof pools): Dialect => ({
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => createDriver(pools[name], nameOf, name === 'read'),
    createIntrospector: () => {
      throw new Error('The tables are known from their migrations.');
    },
  });
  return {
    writer: dialect('write'),
    reader: dialect('read'),
    migrator: dialect('migrate'),
    locks: createNameLocks(url),
    pools: () => [describePool('read', pools.read), describePool('write', pools.write)],
  };
}

export type PostgresFacts = {
  /** It looks like `15.18`. */
  version: string;
  versionNumber: number;
  /** Nothing of esign is in it. */
  isEmpty: boolean;
  /** A replica accepts no commits, and neither does a database that was made read-only. */
  isReadOnly: boolean;
};

/** Asks a server about a database, without changing anything. @throws UnavailableError */
export async function inspectPostgres(url: string): Promise<PostgresFacts> {
  const client = new pg.Client(optionsOf(url));
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

/**
 * Tells whether statements of one connection reach different connections of the server, as behind a pooler in transaction
 * mode: there, neither prepared statements nor locks of a session work. While another connection is in a transaction, one
 * that is not gets a connection of the server which knows nothing of what was set before.
 */
export async function isPooledByTransaction(url: string): Promise<boolean> {
  const clients = [1, 2].map(() => new pg.Client(optionsOf(url)));
  for (const client of clients) client.on('error', () => undefined);
  const [first, second] = clients as [pg.Client, pg.Client];
  try {
    await Promise.all([first.connect(), second.connect()]);
    await first.query(`select set_config('esign.session', 'one', false)`);
    await second.query('begin');
    await second.query('select 1');
    const { rows } = await first.query(`select current_setting('esign.session', true) as session`);
    return rows[0]?.session !== 'one';
  } catch (error) {
    throw describeConnectionError(url, error);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** The keys are the values of SQLSTATE that a connection may begin with. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refused the user or the password',
  '28000': 'refused the user',
  '3D000': 'has no such database',
  '42501': 'gives this user no permission',
};

const MOST_MESSAGE = 200;

/** Describes the error. It names the server, and never the password. */
export function describeConnectionError(url: string, cause: unknown): StorageError {
  const { code = '', severity, message } = cause as { code?: string; severity?: string; message?: string };
  const { host, port, database } = new pg.Client({ connectionString: url });
  const refused = REFUSALS[code];
  // An answer of a server, or of a pooler before it, has a severity; what `pg` itself refuses has no code.
  const isAnswer = severity !== undefined || code === '';
  const answered = isAnswer
    ? `cannot be used: "${message?.slice(0, MOST_MESSAGE)}"`
    : `does not respond (${code})`;
  const problem = refused ?? answered;
  return new StorageError(
    `PostgreSQL at ${host}:${port} ${problem} (database "${database ?? ''}").`,
    refused === undefined ? 'unavailable' : 'unusable',
    {
      cause,
      hint: 'Check --database, and that the database server is running and can be reached from here.',
    },
  );
}

/** A pooler in front of the server refuses those of them that it does not know. @param statementMs none where it is 0 */
const optionsOf = (url: string, statementMs: number = TIMEOUTS_MS.statement) => ({
  connectionString: url,
  application_name: 'esign',
  connectionTimeoutMillis: TIMEOUTS_MS.connect,
  statement_timeout: statementMs,
  lock_timeout: TIMEOUTS_MS.lock,
  idle_in_transaction_session_timeout: TIMEOUTS_MS.idleInTransaction,
});

/** @param statementMs none where it is 0 */
function createPool(url: string, max: number, statementMs = TIMEOUTS_MS.statement): pg.Pool {
  const pool = new pg.Pool({
    ...optionsOf(url, statementMs),
    max,
    keepAlive: true,
    idleTimeoutMillis: TIMEOUTS_MS.idle,
    // The server's own limit comes first; this one ends what a dead network keeps waiting.
    query_timeout: statementMs && statementMs + TIMEOUTS_MS.connect,
    types: { getTypeParser: parserOf },
    // Statements are sent without waiting for those before them.
    ...{ pipeline: true },
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
    const stored = names.get(text);
    if (
      stored !== undefined ||
      names.size >= PREPARED_STATEMENTS ||
      !/^(?:select|insert|update|delete|with)\b/.test(text)
    )
      return stored;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
}

type Connection = DatabaseConnection & {
  isLost: boolean;
  isInTransaction: boolean;
  /** Runs a statement that begins or ends a transaction. */
  run(text: string): Promise<pg.QueryResult>;
  /** Statements of this transaction that were sent, and whose results have not been waited for. */
  pending: Promise<unknown>[];
};

/** A commit of many statements waits for those before it, so that what is sent stays small. */
const MOST_PENDING = 32;

const ignore = (): void => undefined;

/** @param isReading nothing that its transactions do can be lost, so their ends are not waited for */
function createDriver(
  pool: pg.Pool,
  nameOf: (text: string) => string | undefined,
  isReading: boolean,
): Driver {
  const asConnection = (connection: DatabaseConnection) => connection as Connection;
  return {
    init: async () => undefined,
    async acquireConnection() {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(error);
      });
      return createConnection(client, nameOf);
    },
    async releaseConnection(connection) {
      const { client, isLost } = connection as OpenConnection;
      client.release(isLost);
    },
    async beginTransaction(connection, { isolationLevel, accessMode }: TransactionSettings) {
      const access = accessMode ? ` ${accessMode}` : '';
      const begun = asConnection(connection).run(
        `start transaction isolation level ${isolationLevel ?? 'read committed'}${access}`,
      );
      begun.catch(ignore);
      asConnection(connection).isInTransaction = true;
      asConnection(connection).pending.push(begun);
    },
    async commitTransaction(connection) {
      const ended = asConnection(connection).run('commit');
      asConnection(connection).isInTransaction = false;
      if (isReading) {
        ended.catch(ignore);
        return;
      }
      const { command } = await resultOf(asConnection(connection), ended);
      // PostgreSQL answers `commit` with ROLLBACK, and no error, after a statement that failed.
      if (command !== 'COMMIT')
        throw (
          (await firstFailure(asConnection(connection).pending)) ??
          new Error('A statement of this commit failed, so nothing of it was stored.')
        );
    },
    async rollbackTransaction(connection) {
      // A connection that is lost has rolled back.
      await asConnection(connection).run('rollback').catch(ignore);
      asConnection(connection).isInTransaction = false;
    },
    destroy: () => pool.end(),
  };
}

/** Waits for a statement. What failed before it is the reason why it failed as well. */
async function resultOf<R>({ pending }: Connection, sent: Promise<R>): Promise<R> {
  try {
    return await sent;
  } catch (error) {
    throw (await firstFailure(pending)) ?? error;
  }
}

async function firstFailure(pending: readonly Promise<unknown>[]): Promise<unknown> {
  const ended = await Promise.allSettled(pending);
  const reasons = ended.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return reasons.find(({ code }) => code !== FAILED_BEFORE);
}

/** PostgreSQL answers with this SQLSTATE (in_failed_sql_transaction) where an earlier statement has failed. */
const FAILED_BEFORE = '25P02';

type OpenConnection = Connection & { client: pg.PoolClient };

function createConnection(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
): OpenConnection {
  const send = (query: pg.QueryConfig): Promise<pg.QueryResult> => {
    gatherWrites(client);
    return client.query(query).catch((error: unknown) => {
      throw explain(connection, error);
    });
  };
  const connection: OpenConnection = {
    client,
    isLost: false,
    isInTransaction: false,
    pending: [],
    run: (text) => send({ text }),
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { sql: text, parameters } = query;
      const name = nameOf(text);
      const sent = send({ text, values: [...parameters], ...(name && { name }) });
      const take = takerOf(query);
      if (take && connection.isInTransaction && connection.pending.length < MOST_PENDING) {
        const rows = sent.then((result) => result.rows);
        rows.catch(ignore);
        connection.pending.push(rows);
        take(rows);
        return { rows: [] };
      }
      const result = await resultOf(connection, sent);
      // It would have failed if one of those before it had.
      connection.pending.length = 0;
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
    },
    streamQuery(): AsyncIterableIterator<never> {
      throw new Error('Rows are not streamed.');
    },
  };
  return connection;
}

const gathering = new WeakSet<pg.PoolClient>();

/** Writes what is sent in this turn of the event loop to the network at once. */
function gatherWrites(client: pg.PoolClient): void {
  if (gathering.has(client)) return;
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  gathering.add(client);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(client);
    stream.uncork();
  });
}

/**
 * PostgreSQL refuses so the plans of statements that were prepared before a migration (`cached plan must not change result
 * type`).
 */
export const STALE_PLAN = '0A000';

/** The server was the primary one when the connection was opened, and is a replica now, or the other way around. */
const READ_ONLY = '25006';

/** An error of the server has a severity; any other is about the connection, which is then not used again. */
function explain(connection: Connection, error: unknown): unknown {
  const { severity, code } = error as { severity?: string; code?: string };
  const isOver = severity === undefined || severity === 'FATAL';
  if (isOver || code === STALE_PLAN || code === READ_ONLY) connection.isLost = true;
  return severity === undefined ? unreachable(error) : error;
}

const unreachable = (cause: unknown): UnavailableError => new UnavailableError(UNREACHABLE, { cause });
