// Clears away what nobody can use any more: files whose token lapsed before they were linked, and bytes that no row names.
// In small steps, so that whoever serves meanwhile goes on answering.
import { setImmediate as othersAreServed } from 'node:timers/promises';
import { type Instant, later } from '../../api/contract/instant.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { Tables } from './schema.ts';
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
  page: ['picture_sha256'],
} as const satisfies { [T in keyof Tables]?: readonly (keyof Tables[T] & `${string}sha256`)[] };

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
        .select('id')
        .where('linked_at', 'is', null)
        .where('created_at', '<=', before)
        .limit(SLICE)
        .execute(),
    );
    count = lapsed.length;
    const ids = lapsed.map(({ id }) => id);
    if (count > 0)
      await database.write((db) =>
        db.deleteFrom('file').where('id', 'in', ids).where('linked_at', 'is', null).execute(),
      );
    await othersAreServed();
  }
}

/** The blobs that the rows of a table name, some rows at a time. */
export async function* namesIn(
  database: Pick<Store['database'], 'read'>,
  table: keyof typeof BLOB_COLUMNS,
): AsyncIterable<string[]> {
  const columns = BLOB_COLUMNS[table] as readonly string[];
  let last = '';
  for (;;) {
    const rows = (await database.read((db) =>
      db
        .selectFrom(table as 'file')
        .select(['id', ...columns] as 'id'[])
        .where('id', '>', last)
        .orderBy('id')
        .limit(SLICE)
        .execute(),
    )) as ({ id: string } & Record<string, string | null>)[];
    yield rows.flatMap((row) => columns.flatMap((column) => row[column] ?? []));
    if (rows.length < SLICE) return;
    last = (rows.at(-1) as { id: string }).id;
    await othersAreServed();
  }
}
