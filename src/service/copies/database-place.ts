// Copies from and to a database of PostgreSQL, blobs included, which may be in a bucket. Rows are written in one commit, together with the end of the mark that keeps
// nodes from starting on an unfinished copy.
import { type BulkConnection, quoted } from '../../database/bulk.ts';
import { openBulkPostgres, type PostgresBulk } from '../../database/bulk-postgres.ts';
import { openPostgres } from '../../database/postgres.ts';
import { connectPostgres } from '../../database/postgres-connections.ts';
import { blobObjectOf } from '../s3/blobs.ts';
import type { Bucket } from '../s3/bucket.ts';
import { refuseUnusable } from '../serve/team-store.ts';
import { BLOBS_PLACE, CHUNK_BYTES, CHUNKS_READ } from '../store/database-blobs.ts';
import { migrations, migrationsOf } from '../store/migrations.ts';
import { cutIntoPieces } from '../store/shared-blobs.ts';
import { UNFINISHED } from '../store/unfinished-copy.ts';
import { readContents, type StoredBlob } from './copy-store.ts';
import {
  type BlobSource,
  describeStore,
  insertCopiedRows,
  readDatabase,
  readMetaRows,
} from './database-rows.ts';
import {
  type BucketOpener,
  isBeingCopied,
  notEmpty,
  type OpenStore,
  type Place,
  type StoreTarget,
  type TargetFacts,
} from './place.ts';
import { isCopied, TABLES_OMITTED } from './tables.ts';

const WHERE = 'the database';

/** @throws StoreError, NewerStoreError, StorageError, UnavailableError */
export async function openDatabaseStore(url: string, bucketAt: BucketOpener): Promise<OpenStore> {
  const connection = await openBulkPostgres(url);
  try {
    await connection.begin('snapshot');
    const description = await describeStore(connection, WHERE, 'run `esign serve migrate` on this database.');
    const location = (await readMetaRows(connection)).get(BLOBS_PLACE);
    const bucket = location === undefined ? undefined : await bucketAt(location);
    const reader = readDatabase(connection, await connection.tables(), blobsOf(connection, bucket));
    return { reader, description, key: undefined, close: () => connection.close() };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function blobsOf(connection: BulkConnection, bucket: Bucket | undefined): BlobSource {
  return {
    async sizeOf(sha256) {
      const [row] = await connection.run('select size_bytes from blob where sha256 = $1', [sha256]);
      return row && Number(row.size_bytes);
    },
    async *read(sha256) {
      if (bucket) yield* bucket.client.read(blobObjectOf(sha256));
      else yield* readChunks(sha256);
    },
  };

  async function* readChunks(sha256: string): AsyncIterable<Uint8Array> {
    for (let start = 0; ; start += CHUNKS_READ) {
      const rows = await connection.run(
        'select bytes from blob_chunk where sha256 = $1 and index >= $2 and index < $3 order by index',
        [sha256, start, start + CHUNKS_READ],
      );
      for (const { bytes } of rows) yield bytes as Uint8Array;
      if (rows.length < CHUNKS_READ) return;
    }
  }
}

/** Begins a copy into a database, or continues one of the same store. @throws StoreError where anything else is there */
export async function prepareDatabase(
  { database: url, blobs }: Extract<Place, { database: string }>,
  { description, newId, bucketAt }: TargetFacts,
): Promise<StoreTarget> {
  await refuseUnusable(url, undefined);
  const bucket = blobs === undefined ? undefined : await bucketAt(blobs);
  await bucket?.probe();
  const connection = await openBulkPostgres(url);
  try {
    if (!(await connection.tryLock('copy of a store'))) throw isBeingCopied(WHERE);
    const isBegun = await refuseOccupied(connection, description.key);
    if (!isBegun) await bucket?.refuseTaken();
    await migrateDatabase(url, description.schema);
    if (!isBegun)
      await connection.run('insert into meta (key, value) values ($1, $2)', [UNFINISHED, description.key]);
  } catch (error) {
    await connection.close();
    throw error;
  }
  let installation: string | undefined;
  const tables = await connection.tables();
  return {
    installation: () => installation,
    writer: {
      close: () => connection.close(),
      writeBlob: (blob) => (bucket ? storeObject(connection, bucket, blob) : storeBlob(connection, blob)),
      async beginRows() {
        await connection.begin('changes');
        await connection.run('delete from meta where key = $1', [UNFINISHED]);
      },
      writeRows: (table, batches) => insertCopiedRows(connection, tables, table, batches),
      readBack: (_, signal) =>
        readContents(readDatabase(connection, tables, blobsOf(connection, bucket)), signal),
      async finish() {
        installation = await identify(connection, newId);
        if (bucket) await keepPlace(connection, bucket, installation);
        await connection.settleNumbers();
        await connection.commit();
        await migrateDatabase(url);
      },
    },
  };
}

/**
 * Tables without rows may be there: a copy may have been interrupted before its mark.
 * @returns whether it continues a copy
 */
async function refuseOccupied(connection: PostgresBulk, key: string): Promise<boolean> {
  const own = (await connection.tables()).filter(
    ({ name }) => isCopied(name) || Object.hasOwn(TABLES_OMITTED, name),
  );
  if (own.some(({ name }) => name === 'meta')) {
    const mark = (await readMetaRows(connection)).get(UNFINISHED);
    if (mark === key) return true;
    if (mark !== undefined) throw notEmpty(WHERE, 'an unfinished copy of another store');
  }
  for (const { name } of own.filter((table) => table.name !== 'schema_migration')) {
    const [row] = await connection.run(`select 1 from ${quoted(name)} limit 1`);
    if (row) throw notEmpty(WHERE, `rows in "${name}"`);
  }
  return false;
}

async function migrateDatabase(url: string, schema?: readonly string[]): Promise<void> {
  const steps = schema ? migrationsOf('postgres', schema) : migrations('postgres');
  await (await openPostgres({ ...connectPostgres({ url, poolSize: 1 }), migrations: steps })).close();
}

/** Stores the bytes in a commit of their own. */
async function storeBlob(connection: BulkConnection, { sha256, sizeBytes, read }: StoredBlob): Promise<void> {
  await connection.begin('changes');
  try {
    const [isNew] = await connection.run(
      `insert into blob (sha256, size_bytes, written_at) values ($1, $2, clock_timestamp())
       on conflict (sha256) do nothing returning 1`,
      [sha256, sizeBytes],
    );
    if (isNew) {
      let index = 0;
      for await (const bytes of cutIntoPieces(read(), CHUNK_BYTES))
        await connection.run('insert into blob_chunk (sha256, index, bytes) values ($1, $2, $3)', [
          sha256,
          index++,
          bytes,
        ]);
    }
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  }
}

/** Stores the bytes as an object, before the row that names it: a row means that its object is complete. */
async function storeObject(connection: BulkConnection, { client }: Bucket, blob: StoredBlob): Promise<void> {
  const { sha256, sizeBytes } = blob;
  const [known] = await connection.run('select 1 from blob where sha256 = $1', [sha256]);
  if (known) return;
  await client.put(blobObjectOf(sha256), blob);
  await connection.run(
    'insert into blob (sha256, size_bytes, written_at) values ($1, $2, clock_timestamp())',
    [sha256, sizeBytes],
  );
}

/** The place is marked before the commit, because blobs without a mark are refused. */
async function keepPlace(connection: BulkConnection, bucket: Bucket, installation: string): Promise<void> {
  await connection.run('insert into meta (key, value) values ($1, $2)', [BLOBS_PLACE, bucket.location]);
  await bucket.claim(installation, false);
}

/** Keeps the identity of an installation. A sandbox has none before it becomes a team server. */
async function identify(connection: BulkConnection, newId: () => string): Promise<string> {
  const known = (await readMetaRows(connection)).get('installation');
  if (known !== undefined) return known;
  const made = newId();
  await connection.run('insert into meta (key, value) values ($1, $2)', ['installation', made]);
  return made;
}
