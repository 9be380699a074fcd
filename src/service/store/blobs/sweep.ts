// Removes what cannot be used any more: files whose token lapsed before they were linked, and bytes that no row names. It works
// in small steps, so that a serving process can answer meanwhile.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs, type Instant } from '../../../common/instant.ts';
import type { Tables } from '../schema.ts';
import type { Store } from '../store.ts';

/** A request that began in time may still be under way, so this is longer than the life of a token. */
const LAPSED_FOR_MS = 60 * 60 * 1000;

/**
 * The age counts by the clock of the disk. An upload is durable long before, and its row is written in the same minute.
 */
const UNTOUCHED_MS = 60 * 60 * 1000;

/** So many rows are read or removed at a time, which takes about a millisecond. */
const SLICE = 500;

/** Pictures or texts of so many documents are read at a time. */
const DOCUMENTS = 50;

/** The names of all columns that hold the hash of bytes end like this. */
type HashColumn<T extends keyof Tables> = Extract<keyof Tables[T], 'sha256' | `${string}_sha256`>;

type TableWithHash = { [T in keyof Tables]: HashColumn<T> extends never ? never : T }[keyof Tables];

/** Their rows are keyed by a document whose file names it: they go when it goes. */
type TableOfDocuments = (typeof TABLES_OF_DOCUMENTS)[number];

const TABLES_OF_DOCUMENTS = ['picture', 'page_text', 'stamped_comparison'] as const;

/**
 * They are all other columns that name a blob, because blobs that no row names are swept. One that is not here does not
 * compile.
 */
const BLOB_COLUMNS: {
  readonly [T in Exclude<TableWithHash, TableOfDocuments>]: Readonly<Record<HashColumn<T>, true>>;
} = {
  file: { original_sha256: true, pdf_sha256: true },
  sealed_document: { sha256: true, evidence_sha256: true },
};

const TABLES_WITH_BLOBS = Object.keys(BLOB_COLUMNS) as (keyof typeof BLOB_COLUMNS)[];

/** A blob that no column here names is swept. */
export const NAMING_COLUMNS: readonly { table: keyof Tables; column: string }[] = [
  ...TABLES_WITH_BLOBS.flatMap((table) =>
    Object.keys(BLOB_COLUMNS[table]).map((column) => ({ table, column })),
  ),
  { table: 'picture', column: 'sha256' },
];

/** Sweeps a store. It ends early, between two steps, when it is aborted. */
export async function sweepStore(store: Store, now: Instant, signal?: AbortSignal): Promise<void> {
  const { database, blobs } = store;
  const lapsedBefore = addMs(now, -(LIMITS.fileTokenLifetimeMs + LAPSED_FOR_MS));
  await removeLapsed(store, lapsedBefore, signal);
  // A blob that gets its row while these are read was written a moment ago, and is left alone for that.
  const named = new Set<string>();
  for (const table of TABLES_WITH_BLOBS)
    for await (const names of readBlobsOfRows(database, table)) {
      if (signal?.aborted) return;
      for (const name of names) named.add(name);
    }
  // A document that is uploaded again is drawn, read and compared again.
  for (const table of TABLES_OF_DOCUMENTS)
    for await (const documents of documentsIn(database, table)) {
      if (signal?.aborted) return;
      const gone = documents.filter((pdf_sha256) => !named.has(pdf_sha256));
      if (gone.length > 0)
        await database.write((db) => db.deleteFrom(table).where('pdf_sha256', 'in', gone).execute());
    }
  for await (const names of readBlobsOfPictures(database)) {
    if (signal?.aborted) return;
    for (const name of names) named.add(name);
  }
  await blobs.sweep((sha256) => named.has(sha256), UNTOUCHED_MS, signal);
}

/** Removes files whose token lapsed. Files that a document uses are linked for ever, so nothing can refer to these. */
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
    await yieldToEventLoop();
  }
}

/** Files that were uploaded within the last minutes stay on disk: their rows may be about to be written. */
const SETTLING_MS = 10 * 60 * 1000;

/** Removes the bytes that no row names, after rows were removed. */
export async function removeUnnamedBlobs({ database, blobs }: Store): Promise<void> {
  const named = new Set<string>();
  for await (const names of readNamedBlobs(database)) for (const name of names) named.add(name);
  await blobs.sweep((sha256) => named.has(sha256), SETTLING_MS);
}

type Readable = Pick<Store['database'], 'read'>;

/** Yields every blob that a row names, some rows at a time; a blob may come several times. */
export async function* readNamedBlobs(database: Readable): AsyncIterable<string[]> {
  for (const table of TABLES_WITH_BLOBS) yield* readBlobsOfRows(database, table);
  yield* readBlobsOfPictures(database);
}

async function* readBlobsOfRows(
  database: Readable,
  table: (typeof TABLES_WITH_BLOBS)[number],
): AsyncIterable<string[]> {
  const columns = Object.keys(BLOB_COLUMNS[table]);
  let last = '';
  for (;;) {
    const rows = await database.read((db) => {
      const { ref } = db.dynamic;
      return db
        .selectFrom(table)
        .select(['id', ...columns.map((column) => ref<'id'>(column))])
        .where('id', '>', last)
        .orderBy('id')
        .limit(SLICE)
        .execute() as Promise<Record<string, string>[]>;
    });
    yield rows.flatMap((row) => columns.map((column) => row[column] as string));
    if (rows.length < SLICE) return;
    last = rows.at(-1)?.id ?? '';
    await yieldToEventLoop();
  }
}

async function* readBlobsOfPictures(database: Readable): AsyncIterable<string[]> {
  for await (const documents of documentsIn(database, 'picture')) {
    if (documents.length === 0) continue;
    const rows = await database.read((db) =>
      db.selectFrom('picture').select('sha256').where('pdf_sha256', 'in', documents).execute(),
    );
    yield rows.flatMap(({ sha256 }) => sha256 ?? []);
  }
}

/**
 * Yields the documents of which pages were drawn, read or compared, a few at a time, because each may have a thousand.
 */
async function* documentsIn(database: Readable, table: TableOfDocuments): AsyncIterable<string[]> {
  let last = '';
  for (;;) {
    const rows = await database.read((db) =>
      db
        .selectFrom(table)
        .select('pdf_sha256')
        .distinct()
        .where('pdf_sha256', '>', last)
        .orderBy('pdf_sha256')
        .limit(DOCUMENTS)
        .execute(),
    );
    yield rows.map((row) => row.pdf_sha256);
    if (rows.length < DOCUMENTS) return;
    last = rows.at(-1)?.pdf_sha256 ?? '';
    await yieldToEventLoop();
  }
}
