// Clears away what nobody can use any more: files whose token lapsed before they were linked, and bytes that no row names.
// In small steps, so that whoever serves meanwhile goes on answering.
import { setImmediate as othersAreServed } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type Instant, later } from '../../api/contract/instant.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { Db, Tables } from './schema.ts';
import type { Store } from './store.ts';

/** Beyond the life of a token: a request that began in time may still be under way. */
const LAPSED_FOR_MS = 60 * 60 * 1000;

/** By the clock of the disk. An upload is durable long before, and its row is written in the same minute. */
const UNTOUCHED_MS = 60 * 60 * 1000;

/** Rows read or removed at a time: about a millisecond. */
const SLICE = 500;

/** Every column that names a blob. What is not here is swept: a test compares it with the schema. */
export const BLOB_COLUMNS = {
  file: ['original_sha256', 'pdf_sha256'],
  picture: ['sha256'],
} as const satisfies { [T in keyof Tables]?: readonly (keyof Tables[T] & `${string}sha256`)[] };

/** What a table is read along: its primary key. */
const KEYS = { file: ['id'], picture: ['pdf_sha256', 'page', 'dpi'] } as const;

export const BLOB_TABLES = Object.keys(BLOB_COLUMNS) as (keyof typeof BLOB_COLUMNS)[];

/** Ends early, between two steps, when it is aborted. */
export async function sweepStore(store: Store, now: Instant, signal?: AbortSignal): Promise<void> {
  const lapsedBefore = later(now, -(LIMITS.fileTokenLifetimeMs + LAPSED_FOR_MS));
  await removeLapsed(store, lapsedBefore, signal);
  // A blob that gets its row while these are read was written a moment ago, and is left alone for that.
  const named = new Set<string>();
  for (const table of BLOB_TABLES)
    for await (const names of namesIn(store.database, table)) {
      if (signal?.aborted) return;
      for (const name of names) named.add(name);
    }
  await store.blobs.sweep((sha256) => named.has(sha256), UNTOUCHED_MS, signal);
}

/** Linked is what a document uses, for ever; so nothing can refer to these. */
async function removeLapsed({ database }: Store, before: Instant, signal?: AbortSignal): Promise<void> {
  let count = SLICE;
  while (count === SLICE && !signal?.aborted) {
    const lapsed = await database.read((db) =>
      db
        .selectFrom('file')
        .select(['id', 'pdf_sha256'])
        .where('linked_at', 'is', null)
        .where('created_at', '<=', before)
        .limit(SLICE)
        .execute(),
    );
    count = lapsed.length;
    if (count > 0) await database.write((db) => removeFiles(db, lapsed));
    await othersAreServed();
  }
}

/** With the pictures of contents that no other file has. */
async function removeFiles(db: Db, files: readonly { id: string; pdf_sha256: string }[]): Promise<void> {
  const ids = files.map(({ id }) => id);
  await db.deleteFrom('file').where('id', 'in', ids).where('linked_at', 'is', null).execute();
  const contents = [...new Set(files.map(({ pdf_sha256 }) => pdf_sha256))];
  const kept = db.selectFrom('file').select('pdf_sha256').where('pdf_sha256', 'in', contents);
  await db
    .deleteFrom('picture')
    .where('pdf_sha256', 'in', contents)
    .where('pdf_sha256', 'not in', kept)
    .execute();
}

/** The blobs that the rows of a table name, some rows at a time. */
export async function* namesIn(
  database: Pick<Store['database'], 'read'>,
  table: keyof typeof BLOB_COLUMNS,
): AsyncIterable<string[]> {
  const columns = BLOB_COLUMNS[table] as readonly string[];
  const keys: readonly string[] = KEYS[table];
  let last: Row | undefined;
  for (;;) {
    const rows = await database.read((db) => nextRows(db, { table, keys, columns }, last));
    yield rows.flatMap((row) => columns.flatMap((column) => row[column] ?? []) as string[]);
    if (rows.length < SLICE) return;
    last = rows.at(-1);
    await othersAreServed();
  }
}

type Row = Record<string, string | number | null>;

type Reading = { table: keyof typeof BLOB_COLUMNS; keys: readonly string[]; columns: readonly string[] };

async function nextRows(db: Db, { table, keys, columns }: Reading, after: Row | undefined): Promise<Row[]> {
  const names = [...new Set([...keys, ...columns])];
  const list = (items: readonly RawBuilder<unknown>[]) => sql`(${sql.join(items)})`;
  const key = list(keys.map((name) => sql.ref(name)));
  const from = after ? sql`where ${key} > ${list(keys.map((name) => sql`${after[name]}`))}` : sql``;
  const { rows } =
    await sql<Row>`select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(table)}
    ${from} order by ${sql.join(keys.map((name) => sql.ref(name)))} limit ${SLICE}`.execute(db);
  return rows;
}
