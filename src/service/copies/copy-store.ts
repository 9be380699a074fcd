// Copies a store from a reader to a writer. Each of them is a folder, a database or a file: a backup is a copy into a file.
import { createHash } from 'node:crypto';
import type { BulkRow } from '../../database/bulk.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { describeStorageError } from '../../database/failure.ts';

export type StoreDescription = {
  /** The names of migrations tell the tables. Those of one kind of database are left out, so that both kinds agree. */
  schema: readonly string[];
  /** A fingerprint is enough to compare keys. */
  key: string;
};

export type StoredBlob = { sha256: string; sizeBytes: number; read(): AsyncIterable<Uint8Array> };

/** Reads one state of a store, whatever is changed there meanwhile. */
export type StoreReader = {
  tables: readonly string[];
  rows(table: string): AsyncIterable<readonly BulkRow[]>;
  /** Yields them in the order of their names. */
  blobs(): AsyncIterable<StoredBlob>;
};

export type StoreWriter = {
  /** Makes a blob durable, unless it is there. */
  writeBlob(blob: StoredBlob): Promise<void>;
  /** Rows follow after all blobs. Others see them when `finish` is done, and not at all before. */
  beginRows(): Promise<void>;
  writeRows(table: string, batches: AsyncIterable<RowBatch>): Promise<void>;
  /** Reads again what was written. @param contents what it has to be */
  readBack(contents: StoreContents, signal: AbortSignal): Promise<StoreContents>;
  finish(): Promise<void>;
  /** Releases what is held. What is not finished can be continued, or is removed. */
  close(): Promise<void>;
};

/** Copies everything, and compares what was written with what was read. @throws the reason of the signal, before the copy is valid */
export async function copyStore(
  reader: StoreReader,
  writer: StoreWriter,
  signal: AbortSignal,
): Promise<StoreContents> {
  const contents = await pump(reader, writer, signal);
  const written = await writer.readBack(contents, signal);
  const difference = findDifference(contents, written);
  if (difference !== undefined)
    throw new DamagedStoreError(
      `The copy differs from what was read in ${difference}, so it was not finished.`,
    );
  signal.throwIfAborted();
  await writer.finish();
  return contents;
}

/**
 * Copies everything, and closes the writer.
 * @param where the target is, for messages @throws StorageError where its disk is full, or in the way otherwise
 */
export async function copyAndClose(
  reader: StoreReader,
  writer: StoreWriter,
  where: string,
  signal: AbortSignal,
): Promise<StoreContents> {
  try {
    return await copyStore(reader, writer, signal);
  } catch (error) {
    throw describeStorageError(error, where);
  } finally {
    await writer.close();
  }
}

/** Counts and hashes everything that a reader has. */
export const readContents = (reader: StoreReader, signal: AbortSignal): Promise<StoreContents> =>
  pump(
    reader,
    { writeBlob: (blob) => drain(blob.read()), beginRows, writeRows: (_, batches) => drain(batches) },
    signal,
  );

const beginRows = async () => undefined;

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

async function pump(
  reader: StoreReader,
  writer: Pick<StoreWriter, 'writeBlob' | 'beginRows' | 'writeRows'>,
  signal: AbortSignal,
): Promise<StoreContents> {
  const blobs = createBlobTally();
  for await (const blob of reader.blobs()) {
    signal.throwIfAborted();
    await writer.writeBlob({ ...blob, read: () => readIntact(blob) });
    blobs.add(blob);
  }
  await writer.beginRows();
  const tables = [];
  for (const name of reader.tables) {
    const tally = createTableTally(name);
    await writer.writeRows(name, stoppable(tally.over(reader.rows(name)), signal));
    tables.push(tally.contents());
  }
  return { tables, blobs: blobs.contents() };
}

async function* stoppable<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
  }
}

/** @throws DamagedStoreError at the end, when the bytes are not those that the name says */
async function* readIntact({ sha256, sizeBytes, read }: StoredBlob): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of read()) {
    hash.update(chunk);
    size += chunk.length;
    yield chunk;
  }
  if (size !== sizeBytes || hash.digest('hex') !== sha256)
    throw new DamagedStoreError(`The stored file ${sha256} was changed or cut after it was stored.`);
}

// --- Contents: figures that are the same wherever a store is stored. Two stores with the same contents are copies of each other ---

export type StoreContents = {
  tables: readonly TableContents[];
  blobs: { count: number; bytes: number; sha256: string };
};

type TableContents = { name: string; rows: number; sha256: string };

/** Finds the first part that differs, as words for a message: `the table "user"`. */
function findDifference(a: StoreContents, b: StoreContents): string | undefined {
  for (const name of new Set([...a.tables, ...b.tables].map((table) => table.name))) {
    const [first, second] = [a, b].map(({ tables }) => tables.find((table) => table.name === name));
    if (first?.rows !== second?.rows || first?.sha256 !== second?.sha256) return `the table "${name}"`;
  }
  return a.blobs.sha256 === b.blobs.sha256 ? undefined : 'the stored files';
}

/** It has some rows, and the lines of all of them. */
export type RowBatch = { rows: readonly BulkRow[]; text: string };

type TableTally = {
  /** Passes rows on, and counts and hashes them. */
  over(rows: AsyncIterable<readonly BulkRow[]>): AsyncIterable<RowBatch>;
  contents(): TableContents;
};

function createTableTally(name: string): TableTally {
  const hash = createHash('sha256');
  let count = 0;
  return {
    async *over(batches) {
      for await (const rows of batches) {
        const text = rows.map(lineOfRow).join('');
        hash.update(text);
        count += rows.length;
        yield { rows, text };
      }
    },
    contents: () => ({ name, rows: count, sha256: hash.digest('hex') }),
  };
}

/** Writes a row as a line of JSON, with the columns in alphabetical order. */
const lineOfRow = (row: BulkRow): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))}\n`;

type BlobTally = {
  add(blob: { sha256: string; sizeBytes: number }): void;
  contents(): StoreContents['blobs'];
};

/** The name of a blob is the hash of its bytes, so the hash of all names, in their order, is that of all bytes. */
function createBlobTally(): BlobTally {
  const hash = createHash('sha256');
  let [count, bytes] = [0, 0];
  return {
    add({ sha256, sizeBytes }) {
      hash.update(`${sha256} ${sizeBytes}\n`);
      count += 1;
      bytes += sizeBytes;
    },
    contents: () => ({ count, bytes, sha256: hash.digest('hex') }),
  };
}
