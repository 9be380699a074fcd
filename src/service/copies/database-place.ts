// Copies from and to a database of PostgreSQL, blobs included, which may be in a bucket. Rows are written in one commit, together with the end of the mark that keeps
// nodes from starting on an unfinished copy.
import { type BulkConnection, quoted } from '../../database/bulk.ts';
import { openBulkPostgres, type PostgresBulk } from '../../database/bulk-postgres.ts';
import { openPostgres } from '../../database/postgres.ts';
import { connectPostgres } from '../../database/postgres-connections.ts';
import { type Bucket, blobObjectOf } from '../s3/bucket.ts';
import { refuseUnusable } from '../serve/team-store.ts';
import { BLOBS_PLACE, CHUNK_BYTES, CHUNKS_READ } from '../store/blobs/database-blobs.ts';
import { cutIntoPieces } from '../store/blobs/shared-blobs.ts';
import { migrations, migrationsOf } from '../store/migrations.ts';
import { StoreError, UNFINISHED } from '../store/state/folder.ts';
import { readContents, type StoredBlob } from './copy-store.ts';
import {
  type BlobSource,
  describeStore,
  insertCopiedRows,
  isCopied,
  readDatabase,
  readMetaRows,
  TABLES_OMITTED,
} from './database-rows.ts';
import {
  type BucketOpener,
  isBeingCopied,
  notEmpty,
  type OpenStore,
  type Place,
  type StoreTarget,
  type TargetDeps,
} from './place.ts';

const WHERE = 'the database';

/**
 * An unfinished copy has this row of `meta`, with the identity for a store that has none, so that a repeated copy is the
 * same installation.
 */
const PLANNED_INSTALLATION = 'unfinished-copy-installation';

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

type BegunCopy = {
  installation: string | undefined;
  /** The bucket has its files; undefined where they are in the database. */
  location: string | undefined;
};

/** Begins a copy into a database, or continues one of the same store. @throws StoreError where anything else is there */
export async function prepareDatabase(
  { database: url, blobs }: Extract<Place, { database: string }>,
  { description, newId, bucketAt }: TargetDeps,
): Promise<StoreTarget> {
  await refuseUnusable(url, undefined);
  const bucket = blobs === undefined ? undefined : await bucketAt(blobs);
  await bucket?.probe();
  const connection = await openBulkPostgres(url);
  let planned: string;
  try {
    if (!(await connection.tryLock('copy of a store'))) throw isBeingCopied(WHERE);
    const begun = await refuseOccupied(connection, description.key);
    if (begun) refuseOtherPlace(begun.location, bucket?.location);
    else await bucket?.refuseTaken();
    await migrateDatabase(url, description.schema);
    planned = begun?.installation ?? newId();
    if (!begun)
      await insertMeta(connection, {
        [UNFINISHED]: description.key,
        [PLANNED_INSTALLATION]: planned,
        ...(bucket && { [BLOBS_PLACE]: bucket.location }),
      });
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
        await connection.run('delete from meta where key in ($1, $2)', [UNFINISHED, PLANNED_INSTALLATION]);
      },
      writeRows: (table, batches) => insertCopiedRows(connection, tables, table, batches),
      readBack: (_, signal) =>
        readContents(readDatabase(connection, tables, blobsOf(connection, bucket)), signal),
      async finish() {
        installation = await identify(connection, planned);
        // The place is marked before the commit, because blobs without a mark are refused.
        await bucket?.claim(installation, false);
        await connection.settleNumbers();
        await connection.commit();
        await migrateDatabase(url);
      },
    },
  };
}

/**
 * Refuses a place with other data. Tables without rows may be there: a copy may have been interrupted before its mark.
 * @returns the copy that it continues
 */
async function refuseOccupied(connection: PostgresBulk, key: string): Promise<BegunCopy | undefined> {
  const ownTables = (await connection.tables()).filter(
    ({ name }) => isCopied(name) || Object.hasOwn(TABLES_OMITTED, name),
  );
  if (ownTables.some(({ name }) => name === 'meta')) {
    const meta = await readMetaRows(connection);
    const mark = meta.get(UNFINISHED);
    if (mark === key)
      return { installation: meta.get(PLANNED_INSTALLATION), location: meta.get(BLOBS_PLACE) };
    if (mark !== undefined) throw notEmpty(WHERE, 'an unfinished copy of another store');
  }
  for (const { name } of ownTables.filter((table) => table.name !== 'schema_migration')) {
    const [row] = await connection.run(`select 1 from ${quoted(name)} limit 1`);
    if (row) throw notEmpty(WHERE, `rows in "${name}"`);
  }
  return undefined;
}

/**
 * Refuses another place for files than that of the copy that was begun: files that were copied already are there only.
 */
function refuseOtherPlace(begun: string | undefined, target: string | undefined): void {
  if (begun === target) return;
  throw new StoreError(
    'store_not_empty',
    `The unfinished copy in ${WHERE} stores its files in ${begun ?? WHERE}, but this one would store them in ${target ?? WHERE}.`,
    `${begun === undefined ? 'Leave out --to-blobs' : `Set --to-blobs to ${begun}`} to finish it. Or use an empty database.`,
  );
}

async function insertMeta(connection: BulkConnection, rows: Record<string, string>): Promise<void> {
  const pairs = Object.entries(rows);
  const places = pairs.map((_, index) => `($${2 * index + 1}, $${2 * index + 2})`);
  await connection.run(`insert into meta (key, value) values ${places.join(', ')}`, pairs.flat());
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
  const [stored] = await connection.run('select 1 from blob where sha256 = $1', [sha256]);
  if (stored) return;
  await client.put(blobObjectOf(sha256), blob);
  await connection.run(
    'insert into blob (sha256, size_bytes, written_at) values ($1, $2, clock_timestamp())',
    [sha256, sizeBytes],
  );
}

/** Keeps the identity of an installation. A sandbox has none before it becomes a team server, and gets the planned one. */
async function identify(connection: BulkConnection, planned: string): Promise<string> {
  const stored = (await readMetaRows(connection)).get('installation');
  if (stored !== undefined) return stored;
  await insertMeta(connection, { installation: planned });
  return planned;
}
