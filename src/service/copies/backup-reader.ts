// Reads a store from a file. The whole file is verified before anything of it is used.
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { BulkRow } from '../../database/bulk.ts';
import { BATCH } from '../../database/bulk.ts';
import { whyUnread } from '../../files/file-errors.ts';
import { blobIn, damagedBackup, readContent, readEntries, verifyBackup } from './backup-file.ts';
import type { StoreContents } from './contents.ts';
import type { StoreDescription, StoreReader } from './copy-store.ts';
import type { PlacedEntry } from './zip.ts';

export type OpenBackup = {
  reader: StoreReader;
  description: StoreDescription;
  contents: StoreContents;
  close(): Promise<void>;
};

/** A row has no more: documents are not in rows. */
const LONGEST_LINE_BYTES = 64 * 2 ** 20;

/** @throws StoreError `backup_damaged`; NewerStoreError */
export async function openBackup(path: string, signal: AbortSignal): Promise<OpenBackup> {
  const file = await openFile(path);
  try {
    const { description, contents, tables } = await verifyBackup(file, path, signal);
    const entryOf = (table: string): PlacedEntry => {
      const entry = tables.get(table);
      if (!entry) throw damagedBackup(path, `it has no table "${table}".`);
      return entry;
    };
    const reader: StoreReader = {
      tables: contents.tables.map(({ name }) => name),
      rows: (table) => readRows(readContent(file, entryOf(table)), path),
      async *blobs() {
        for await (const entry of readEntries(file)) {
          const sha256 = blobIn(entry.name);
          if (sha256 !== undefined)
            yield { sha256, sizeBytes: entry.sizeBytes, read: () => readContent(file, entry) };
        }
      },
    };
    return { reader, description, contents, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    // Opening a pipe would wait for something to write to it.
    const facts = await stat(path);
    if (facts.isFile()) return await open(path, 'r');
  } catch (error) {
    throw damagedBackup(path, `it cannot be read (${whyUnread(error)}).`);
  }
  throw damagedBackup(path, 'it is not a file.');
}

/** @param path for messages */
async function* readRows(chunks: AsyncIterable<Buffer>, path: string): AsyncIterable<readonly BulkRow[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let rows: BulkRow[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      rows.push(parseRow(Buffer.concat([...rest, chunk.subarray(start, end)]), path));
      [rest, restBytes, start] = [[], 0, end + 1];
      if (rows.length < BATCH) continue;
      yield rows;
      rows = [];
    }
    if (start === chunk.length) continue;
    rest.push(chunk.subarray(start));
    restBytes += chunk.length - start;
    if (restBytes > LONGEST_LINE_BYTES) throw damagedBackup(path, 'a row of it is too long.');
  }
  if (restBytes > 0) throw damagedBackup(path, 'a row of it is cut.');
  yield rows;
}

function parseRow(line: Buffer, path: string): BulkRow {
  let row: unknown;
  try {
    row = JSON.parse(line.toString('utf8'));
  } catch {
    throw damagedBackup(path, 'a row of it is not JSON.');
  }
  const isRow = typeof row === 'object' && row !== null && !Array.isArray(row);
  if (!isRow || !Object.values(row as BulkRow).every(isValue))
    throw damagedBackup(path, 'a row of it has no columns.');
  return row as BulkRow;
}

const isValue = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number';
