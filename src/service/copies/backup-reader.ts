// Reads a store from a file. The whole file is verified before anything of it is used.
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { BulkRow } from '../../database/bulk.ts';
import { BATCH } from '../../database/bulk.ts';
import { whyUnread } from '../../files/read-file.ts';
import { blobIn, readContent, readEntries, verifyStoreFile } from './backup-file.ts';
import type { StoreContents } from './contents.ts';
import type { StoreReader } from './copy-store.ts';
import type { DescriptionOf, StoreFileKind } from './file-kinds.ts';
import type { PlacedEntry } from './zip.ts';

export type OpenFile<K extends StoreFileKind> = {
  reader: StoreReader;
  description: DescriptionOf<K>;
  contents: StoreContents;
  close(): Promise<void>;
};

/** A row has no more: documents are not in rows. */
const LONGEST_LINE_BYTES = 64 * 2 ** 20;

/** @throws StoreError with the code of the kind; NewerStoreError */
export async function openBackup<K extends StoreFileKind>(
  kind: K,
  path: string,
  signal: AbortSignal,
): Promise<OpenFile<K>> {
  const file = await openFile(kind, path);
  try {
    const { description, contents, tables } = await verifyStoreFile({ file, path, kind }, signal);
    const entryOf = (table: string): PlacedEntry => {
      const entry = tables.get(table);
      if (!entry) throw kind.refuse(path, `it has no table "${table}".`);
      return entry;
    };
    const reader: StoreReader = {
      tables: contents.tables.map(({ name }) => name),
      rows: (table) => readRows(readContent(file, entryOf(table)), (why) => kind.refuse(path, why)),
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

async function openFile(kind: StoreFileKind, path: string): Promise<FileHandle> {
  try {
    // Opening a pipe would wait for something to write to it.
    const facts = await stat(path);
    if (facts.isFile()) return await open(path, 'r');
  } catch (error) {
    throw kind.refuse(path, `it cannot be read (${whyUnread(error)}).`);
  }
  throw kind.refuse(path, 'it is not a file.');
}

type Refuse = (why: string) => Error;

async function* readRows(chunks: AsyncIterable<Buffer>, refuse: Refuse): AsyncIterable<readonly BulkRow[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let rows: BulkRow[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      rows.push(parseRow(Buffer.concat([...rest, chunk.subarray(start, end)]), refuse));
      [rest, restBytes, start] = [[], 0, end + 1];
      if (rows.length < BATCH) continue;
      yield rows;
      rows = [];
    }
    if (start === chunk.length) continue;
    rest.push(chunk.subarray(start));
    restBytes += chunk.length - start;
    if (restBytes > LONGEST_LINE_BYTES) throw refuse('a row of it is too long.');
  }
  if (restBytes > 0) throw refuse('a row of it is cut.');
  yield rows;
}

function parseRow(line: Buffer, refuse: Refuse): BulkRow {
  let row: unknown;
  try {
    row = JSON.parse(line.toString('utf8'));
  } catch {
    throw refuse('a row of it is not JSON.');
  }
  const isRow = typeof row === 'object' && row !== null && !Array.isArray(row);
  if (!isRow || !Object.values(row as BulkRow).every(isValue)) throw refuse('a row of it has no columns.');
  return row as BulkRow;
}

const isValue = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number';
