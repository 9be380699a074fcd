// Stores blobs in the database, so that every node has them. A folder of the node holds copies of those that it has used: drawing
// and sealing read files, and a copy is not fetched again. The folder may be emptied at any time.
import { sql } from 'kysely';
import { DamagedStoreError, type Database } from '../../database/database.ts';
import type { Blobs, Spooled } from './blobs.ts';
import type { Tables } from './schema.ts';

/** PostgreSQL takes a row of this size without effort, and a file of 10 MB has forty of them. */
export const CHUNK_BYTES = 256 * 1024;

/** Chunks that are read at once: 4 MB. */
export const CHUNKS_READ = 16;

/** Names that are compared at a time by a sweep. */
const SLICE = 500;

type Blob = { sha256: string };

/** @param copies of this node */
export function createDatabaseBlobs(database: Database<Tables>, copies: Blobs): Blobs {
  /** Copies a blob into the folder. The name of the copy is the hash of what came, so that damaged bytes are not found there. */
  async function fetch(sha256: string): Promise<void> {
    const spooled = await copies.spool(readChunks(database, sha256), Number.POSITIVE_INFINITY);
    if (spooled === 'too_large') return;
    try {
      if (spooled.sha256 === sha256) await spooled.storeBlob();
    } finally {
      await spooled.discard();
    }
  }

  /** Runs `use` on a copy. One that is missing, or was damaged, is fetched first; then `use` reports what is still wrong. */
  async function useCopy<T>(sha256: string, use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof DamagedStoreError)) throw error;
      await fetch(sha256);
      return use();
    }
  }

  const spool: Blobs['spool'] = async (chunks, limitBytes) => {
    const spooled = await copies.spool(chunks, limitBytes);
    if (spooled === 'too_large') return spooled;
    return {
      ...spooled,
      async storeBlob() {
        await storeBytes(database, spooled, spooled.bytes);
        await spooled.storeBlob();
      },
    };
  };

  return {
    spool,
    async put(bytes) {
      const spooled = await copies.spool(yieldBytes(bytes), Number.POSITIVE_INFINITY);
      if (spooled === 'too_large') throw new Error('A blob of the service has no limit of size.');
      await storeBytes(database, spooled, async () => bytes);
      await spooled.storeBlob();
      return spooled.sha256;
    },
    get: (sha256, name) => useCopy(sha256, () => copies.get(sha256, name)),
    check: (sha256, name) => useCopy(sha256, () => copies.check(sha256, name)),
    locate: (sha256, name) => useCopy(sha256, () => copies.locate(sha256, name)),
    async remove(sha256) {
      await removeNames(database, [sha256], 0);
      await copies.remove(sha256);
    },
    async sweep(isNamed, untouchedMs, signal) {
      for await (const names of readNames(database)) {
        if (signal?.aborted) return;
        const unnamed = names.filter((name) => !isNamed(name));
        if (unnamed.length > 0) await removeNames(database, unnamed, untouchedMs);
      }
      await copies.sweep(isNamed, untouchedMs, signal);
    },
  };
}

/** Stores the bytes once. What is there already counts as written now, so that a sweep under way leaves it alone. */
async function storeBytes(
  database: Database<Tables>,
  { sha256, sizeBytes }: Pick<Spooled, 'sha256' | 'sizeBytes'>,
  read: () => Promise<Uint8Array>,
) {
  await database.write(
    async (db) => {
      const { rows } = await sql<{ is_new: boolean }>`
        insert into blob (sha256, size_bytes, written_at) values (${sha256}, ${sizeBytes}, clock_timestamp())
        on conflict (sha256) do update set written_at = clock_timestamp()
        returning (xmax = 0) as is_new`.execute(db);
      if (rows[0]?.is_new !== true) return;
      const bytes = await read();
      for (let start = 0, index = 0; start < bytes.length; start += CHUNK_BYTES, index += 1) {
        const chunk = Buffer.from(bytes.subarray(start, start + CHUNK_BYTES));
        await sql`insert into blob_chunk (sha256, index, bytes) values (${sha256}, ${index}, ${chunk})`.execute(
          db,
        );
      }
    },
    [],
    'locked',
  );
}

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

async function* yieldBytes(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
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

/** Removes those that were not written for so long, by the clock of the database. Their chunks go with them. */
const removeNames = (
  { write }: Pick<Database<Tables>, 'write'>,
  names: readonly string[],
  untouchedMs: number,
) =>
  write(
    (db) =>
      sql`delete from blob where sha256 = any(${names})
        and written_at <= clock_timestamp() - ${untouchedMs}::float8 * interval '1 millisecond'`.execute(db),
    [],
    'locked',
  );
