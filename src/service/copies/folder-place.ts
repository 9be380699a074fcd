// Copies from and to the folder of a sandbox: `store.db`, `key` and `blobs/`. A mark in the folder keeps it from being opened before it is
// complete.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BulkConnection } from '../../database/bulk.ts';
import { openBulkSqlite } from '../../database/bulk-sqlite.ts';
import { holdFreeFile } from '../../database/file-locks.ts';
import { openSqlite } from '../../database/sqlite.ts';
import { makeFolder } from '../../files/trust.ts';
import { syncDirectory } from '../store/blobs/blobs.ts';
import { migrations, migrationsOf } from '../store/migrations.ts';
import {
  blobsIn,
  ignoreMissingFile,
  keyIsMissing,
  makeStoreFolder,
  pathsIn,
  readKey,
  refuseIncomplete,
  storeKey,
} from '../store/state/folder.ts';
import { doesNotFit } from '../store/store.ts';
import { readContents, type StoreWriter } from './copy-store.ts';
import {
  type BlobSource,
  describeStore,
  insertCopiedRows,
  noStore,
  readDatabase,
  readMetaRows,
} from './database-rows.ts';
import {
  isBeingCopied,
  keyFingerprint,
  notEmpty,
  type OpenStore,
  refuseKey,
  type StoreTarget,
  type TargetDeps,
} from './place.ts';

/** @throws StoreError, DamagedStoreError, NewerStoreError, StorageError */
export async function openFolderStore(folder: string): Promise<OpenStore> {
  const { database } = pathsIn(folder);
  await refuseIncomplete(folder);
  if (!(await isThere(database))) throw noStore(folder);
  const connection = openBulkSqlite(database, { isReadOnly: true });
  try {
    await connection.begin('snapshot');
    const description = await describeStore(
      connection,
      folder,
      'run `esign sandbox status` with this sandbox.',
    );
    const key = await readKey(folder);
    if (!key) throw keyIsMissing(folder);
    if (keyFingerprint(key) !== description.key) throw doesNotFit(folder);
    const reader = readDatabase(connection, await connection.tables(), blobsOf(folder));
    return { reader, description, key, close: () => connection.close() };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(ignoreMissingFile)) !== undefined;

function blobsOf(folder: string): BlobSource {
  const pathOf = (sha256: string) => join(pathsIn(folder).blobs, sha256.slice(0, 2), sha256);
  return {
    sizeOf: async (sha256) => (await stat(pathOf(sha256)).catch(ignoreMissingFile))?.size,
    read: (sha256) => createReadStream(pathOf(sha256)),
  };
}

/**
 * Begins a copy into a folder, or continues one of the same store.
 * @param key the key of the store @throws StoreError where anything else is there
 */
export async function prepareFolder(
  folder: string,
  key: Uint8Array,
  { description, newId }: Pick<TargetDeps, 'description' | 'newId'>,
): Promise<StoreTarget> {
  const { database, unfinished } = pathsIn(folder);
  refuseKey(key, description);
  await refuseOccupied(folder, description.key);
  makeFolder(folder);
  makeStoreFolder(folder);
  const lock = lockOf(unfinished);
  const hold = holdFreeFile(lock);
  if (!hold) throw isBeingCopied(folder);
  let connection: BulkConnection | undefined;
  const close = async () => {
    await connection?.close();
    hold.release();
  };
  try {
    await writeDurably(unfinished, description.key);
    // Rows of an interrupted copy are read again; its blobs stay.
    for (const end of ['', '-wal', '-shm', '-count']) await rm(`${database}${end}`, { force: true });
    await migrateFolder(folder, description.schema);
    connection = openBulkSqlite(database, { isReadOnly: false });
  } catch (error) {
    await close();
    throw error;
  }
  let installation: string | undefined;
  const writer = writeFolder(folder, connection, { newId, close });
  return {
    installation: () => installation,
    writer: {
      ...writer,
      async finish() {
        installation = (await readMetaRows(connection)).get('installation');
        await writer.finish();
        await migrateFolder(folder);
        await storeKey(folder, key, newId);
        await rm(unfinished);
        await syncDirectory(folder);
      },
    },
  };
}

/**
 * Refuses a folder that has anything but a copy of this store that was interrupted, or its key. A copy may have been interrupted before
 * its mark was written: then there are the lock, an empty mark and an empty folder of blobs.
 */
async function refuseOccupied(folder: string, key: string): Promise<void> {
  const { blobs, unfinished } = pathsIn(folder);
  const entries = (await readdir(folder).catch(ignoreMissingFile)) ?? [];
  const mark = await readFile(unfinished, 'utf8').catch(ignoreMissingFile);
  if (mark === key) return;
  if (mark) throw notEmpty(folder, 'an unfinished copy of another store');
  const begun = ['key', basename(unfinished), basename(lockOf(unfinished))];
  if (((await readdir(blobs).catch(ignoreMissingFile)) ?? []).length === 0) begun.push(basename(blobs));
  const other = entries.find((name) => !begun.includes(name));
  if (other !== undefined) throw notEmpty(folder, `"${other}"`);
}

/** Names the file that a copy holds while it is written. */
const lockOf = (unfinished: string): string => `${unfinished}.lock`;

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function migrateFolder(folder: string, schema?: readonly string[]): Promise<void> {
  const steps = schema ? migrationsOf('sqlite', schema) : migrations('sqlite');
  await (await openSqlite({ file: pathsIn(folder).database, migrations: steps })).close();
}

type FolderWriterDeps = { newId: () => string; close(): Promise<void> };

function writeFolder(
  folder: string,
  connection: BulkConnection,
  { newId, close }: FolderWriterDeps,
): StoreWriter {
  const blobs = blobsIn(folder, newId);
  const source = blobsOf(folder);
  return {
    close,
    async writeBlob({ sha256, read }) {
      if ((await source.sizeOf(sha256)) !== undefined && (await hashOf(source.read(sha256))) === sha256)
        return;
      const spooled = await blobs.spool(read(), Number.POSITIVE_INFINITY);
      if (spooled !== 'too_large') await spooled.storeBlob();
    },
    beginRows: () => connection.begin('changes'),
    writeRows: async (table, batches) =>
      insertCopiedRows(connection, await connection.tables(), table, batches),
    readBack: async (_, signal) =>
      readContents(readDatabase(connection, await connection.tables(), source), signal),
    async finish() {
      await connection.settleNumbers();
      await connection.commit();
      await connection.run('pragma wal_checkpoint(truncate)');
    },
  };
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
