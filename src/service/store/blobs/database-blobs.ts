// Stores the bytes of blobs in the database, in chunks. A table names all blobs with the time they were written, by which they are swept; where
// the bytes are in a bucket, the table names what is there.
import { sql } from 'kysely';
import type { Database } from '../../../database/database.ts';
import type { Db, Tables } from '../schema.ts';
import type { Blobs } from './blobs.ts';
import { createSharedBlobs, cutIntoPieces, type SharedBody, type SharedBytes } from './shared-blobs.ts';

/** This row of `meta` says which bucket has the bytes; there is none where they are in the database. */
export const BLOBS_PLACE = 'blobs';

/** PostgreSQL takes a row of this size without effort, and a file of 10 MB has forty of them. */
export const CHUNK_BYTES = 256 * 1024;

/** So many chunks are read at once, which is 4 MB. */
export const CHUNKS_READ = 16;

/** A sweep compares so many names at a time. */
const SLICE = 500;

type Blob = { sha256: string };

/** @param copies of this node */
export const createDatabaseBlobs = (database: Database<Tables>, copies: Blobs): Blobs =>
  createSharedBlobs(chunksIn(database), copies);

const chunksIn = (database: Database<Tables>): SharedBytes => ({
  write: (body) => storeBytes(database, body),
  read: (sha256) => readChunks(database, sha256),
  async remove(sha256) {
    await removeNames(database, [sha256], 0);
  },
  explainRestoring: (sha256) =>
    `Restore the rows of the tables blob and blob_chunk whose sha256 is ${sha256} from a backup of the database.`,
  async sweep(isNamed, untouchedMs, signal) {
    for await (const unnamed of readUnnamed(database, isNamed)) {
      if (signal?.aborted) return;
      await removeNames(database, unnamed, untouchedMs);
    }
  },
});

/** Stores the bytes once. What is there already counts as written now, so that a sweep under way leaves it alone. */
async function storeBytes(database: Database<Tables>, body: SharedBody) {
  await database.write(
    async (db) => {
      if (!(await nameBlob(db, body))) return;
      let index = 0;
      for await (const chunk of cutIntoPieces(body.read(), CHUNK_BYTES)) {
        await sql`insert into blob_chunk (sha256, index, bytes) values (${body.sha256}, ${index}, ${chunk})`.execute(
          db,
        );
        index += 1;
      }
    },
    [],
    'locked',
  );
}

/** Names a blob as written now. It waits for a sweep that is removing this one. @returns whether it was not named before */
export async function nameBlob(
  db: Db,
  { sha256, sizeBytes }: Pick<SharedBody, 'sha256' | 'sizeBytes'>,
): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into blob (sha256, size_bytes, written_at) values (${sha256}, ${sizeBytes}, clock_timestamp())
    on conflict (sha256) do update set written_at = clock_timestamp()
    returning (xmax = 0) as is_new`.execute(db);
  return rows[0]?.is_new === true;
}

export const hasBlobs = async ({ read }: Pick<Database<Tables>, 'read'>): Promise<boolean> =>
  (await read((db) => sql`select 1 from blob limit 1`.execute(db))).rows.length > 0;

async function* readChunks(database: Database<Tables>, sha256: string): AsyncIterable<Uint8Array> {
  for (let start = 0; ; start += CHUNKS_READ) {
    const { rows } = await database.read((db) =>
      sql<{ bytes: Buffer }>`
        select bytes from blob_chunk where sha256 = ${sha256} and index >= ${start} and index < ${start + CHUNKS_READ}
        order by index`.execute(db),
    );
    for (const { bytes } of rows) yield bytes;
    if (rows.length < CHUNKS_READ) return;
  }
}

/** Yields the names of blobs that no row names, some at a time. */
export async function* readUnnamed(
  database: Pick<Database<Tables>, 'read'>,
  isNamed: (sha256: string) => boolean,
): AsyncIterable<string[]> {
  for await (const names of readNames(database)) {
    const unnamed = names.filter((name) => !isNamed(name));
    if (unnamed.length > 0) yield unnamed;
  }
}

async function* readNames({ read }: Pick<Database<Tables>, 'read'>): AsyncIterable<string[]> {
  let last = '';
  for (;;) {
    const { rows } = await read((db) =>
      sql<Blob>`select sha256 from blob where sha256 > ${last} order by sha256 limit ${SLICE}`.execute(db),
    );
    yield rows.map(({ sha256 }) => sha256);
    if (rows.length < SLICE) return;
    last = rows.at(-1)?.sha256 ?? '';
  }
}

/**
 * Removes those that were not written for so long, by the clock of the database. Their chunks go with them.
 * @param removeBytes removes what is elsewhere, before the commit ends: until then, no node can name one of them again
 */
export const removeNames = (
  { write }: Pick<Database<Tables>, 'write'>,
  names: readonly string[],
  untouchedMs: number,
  removeBytes?: (names: readonly string[]) => Promise<void>,
): Promise<void> =>
  write(
    async (db) => {
      const { rows } = await sql<Blob>`delete from blob where sha256 = any(${names})
        and written_at <= clock_timestamp() - ${untouchedMs}::float8 * interval '1 millisecond'
        returning sha256`.execute(db);
      await removeBytes?.(rows.map(({ sha256 }) => sha256));
    },
    [],
    'locked',
  );
