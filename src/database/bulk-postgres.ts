// Reads and writes whole tables of a PostgreSQL database over one connection, for copies of it. Rows come through a cursor, and a transaction
// may last as long as it takes. Migrations are not run here.
import pg from 'pg';
import { BATCH, type BulkConnection, type BulkRow, type ListedColumn, quoted, shapesOf } from './bulk.ts';
import { describeStorageError, UNREACHABLE, UnavailableError } from './failure.ts';
import { describeConnectionError, parserOf } from './postgres-connections.ts';

const CONNECT_WITHIN_MS = 5000;

const LOCK_WITHIN_MS = 10_000;

export type PostgresBulk = BulkConnection & {
  /** Locks a name until the connection is closed. @returns false where another connection has locked it */
  tryLock(name: string): Promise<boolean>;
};

/** @throws StorageError where the server cannot be reached, or refuses the connection */
export async function openBulkPostgres(url: string): Promise<PostgresBulk> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'esign copy',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  });
  // A lost connection is reported by the query that meets it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${LOCK_WITHIN_MS}`,
    );
  } catch (error) {
    await client.end().catch(() => undefined);
    throw describeConnectionError(url, error);
  }
  return bulkOver(client);
}

const BEGIN = {
  snapshot: 'start transaction isolation level repeatable read, read only',
  changes: 'start transaction isolation level read committed',
};

function bulkOver(client: pg.Client): PostgresBulk {
  const run = async (text: string, values: readonly unknown[] = []): Promise<BulkRow[]> => {
    try {
      return (await client.query(text, [...values])).rows;
    } catch (error) {
      const isOfServer = (error as { severity?: string }).severity !== undefined;
      throw isOfServer
        ? describeStorageError(error, 'The database')
        : new UnavailableError(UNREACHABLE, { cause: error });
    }
  };
  let cursors = 0;
  return {
    dialect: 'postgres',
    async begin(kind) {
      await run(BEGIN[kind]);
      // The snapshot is taken with the first query.
      if (kind === 'snapshot') await run('select 1');
    },
    async commit() {
      await run('commit');
    },
    async rollback() {
      await run('rollback');
    },
    tables: async () => shapesOf((await run(CATALOG)) as readonly BulkRow[] as readonly ListedColumn[]),
    async *stream(text) {
      const cursor = `copy_${cursors++}`;
      await run(`declare ${cursor} no scroll cursor for ${text}`);
      for (;;) {
        const rows = await run(`fetch ${BATCH} from ${cursor}`);
        yield rows;
        if (rows.length < BATCH) break;
      }
      await run(`close ${cursor}`);
    },
    run,
    async insert(table, columns, rows) {
      const names = columns.map(quoted).join(', ');
      const text = `insert into ${quoted(table)} (${names})
        select ${names} from json_populate_recordset(null::${quoted(table)}, $1::json)`;
      await run(text, [JSON.stringify(rows)]);
    },
    async settleNumbers() {
      for (const { sequence, table, column } of await run(SEQUENCES))
        await run(
          `select setval($1, greatest(coalesce(max(${quoted(`${column}`)}), 0), 1), count(*) > 0) from ${quoted(`${table}`)}`,
          [sequence],
        );
    },
    async tryLock(name) {
      const [row] = await run('select pg_try_advisory_lock(hashtextextended($1, 0)) as is_locked', [name]);
      return row?.is_locked === true;
    },
    async close() {
      await client.end().catch(() => undefined);
    },
  };
}

/** Selects the tables of the schema in which unqualified names are looked up. Numbers have no collation. */
const CATALOG = `
  select c.relname::text as "table", a.attname::text as "column",
    coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) as key,
    quote_ident(a.attname) || case when a.attcollation = 0 then '' else ' collate "C"' end as "order"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace`;

const SEQUENCES = `
  select "table", "column", sequence from (
    select c.relname::text as "table", a.attname::text as "column",
      pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atthasdef
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  ) found where sequence is not null`;
