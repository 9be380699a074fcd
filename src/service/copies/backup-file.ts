// Writes a store into a file, and reads it from one: a backup, or an exported sandbox. It is a ZIP file whose entries are, in this order, `store.json` (format, version, schema, and what
// its kind needs), a file for each blob, a file with a line of JSON for each row of each table, and `contents.json` (counts and hashes). It has no
// time and no name of a machine, so that two files of the same state have the same bytes. `docs/self-hosting.md` and `docs/testing.md` describe it.
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { BATCH, type BulkRow } from '../../database/bulk.ts';
import { NewerStoreError } from '../../database/database.ts';
import type { DatabaseErrorCode } from '../../database/database-error.ts';
import { refuseUnknown } from '../../database/migrate.ts';
import { whyUnread } from '../../files/read-file.ts';
import { syncDirectory } from '../store/blobs/blobs.ts';
import { COMMON_MIGRATIONS } from '../store/migrations.ts';
import { StoreError } from '../store/state/folder.ts';
import type { StoreContents, StoreReader, StoreWriter } from './copy-store.ts';
import {
  contentAt,
  createEntryWriter,
  directoryOf,
  type PlacedEntry,
  readAt,
  readContent,
  readEntries,
} from './zip.ts';

type FileTarget<K extends StoreFileKind> = {
  path: string;
  kind: K;
  description: DescriptionOf<K>;
  newId: () => string;
};

/** Writes under a temporary name, and replaces a file of this name when the new one is complete. @throws StoreError where nothing can be written */
export async function writeBackup<K extends StoreFileKind>({
  path,
  kind,
  description,
  newId,
}: FileTarget<K>): Promise<StoreWriter> {
  const scratch = `${path}.${newId()}.tmp`;
  const file = await open(scratch, 'wx+', 0o600).catch((error: unknown) => {
    throw new StoreError(
      'storage_unusable',
      `"${path}" cannot be written (${whyUnread(error)}).`,
      'Use a directory that exists and that you may write to.',
    );
  });
  let isFinished = false;
  const entries = createEntryWriter(file);
  const close = async () => {
    await file.close();
    if (!isFinished) await rm(scratch, { force: true });
  };
  try {
    await entries.append(DESCRIPTION, [Buffer.from(describedIn(kind, description))]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    writeBlob: ({ sha256, read }) => entries.append(blobEntry(sha256), read()),
    beginRows: async () => undefined,
    writeRows: (table, batches) => entries.append(tableEntry(table), textsOf(batches)),
    async readBack(contents, signal) {
      await entries.append(CONTENTS, [Buffer.from(jsonOf(contents))]);
      await entries.end();
      await file.sync();
      return (await verifyStoreFile({ file, path, kind }, signal)).contents;
    },
    async finish() {
      await rename(scratch, path);
      isFinished = true;
      await syncDirectory(dirname(path));
    },
  };
}

async function* textsOf(batches: AsyncIterable<{ text: string }>): AsyncIterable<Uint8Array> {
  for await (const { text } of batches) yield Buffer.from(text);
}

export type OpenFile<K extends StoreFileKind> = {
  reader: StoreReader;
  description: DescriptionOf<K>;
  contents: StoreContents;
  close(): Promise<void>;
};

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
    const stats = await stat(path);
    if (stats.isFile()) return await open(path, 'r');
  } catch (error) {
    throw kind.refuse(path, `it cannot be read (${whyUnread(error)}).`);
  }
  throw kind.refuse(path, 'it is not a file.');
}

// --- Rows ---

/** Lines of rows are shorter, because documents are not in rows. */
const LONGEST_LINE_BYTES = 64 * 2 ** 20;

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

// --- Verifying ---

/** The file is open; messages name the path. */
type NamedFile<K extends StoreFileKind> = { file: FileHandle; path: string; kind: K };

type VerifiedStoreFile<K extends StoreFileKind> = {
  description: DescriptionOf<K>;
  contents: StoreContents;
  tables: ReadonlyMap<string, PlacedEntry>;
};

/**
 * Reads the whole file and compares every byte of it with what it has to be.
 * @param path for messages
 * @throws StoreError with the code of its kind; NewerStoreError for a file that a newer version has written; UnreleasedStoreError
 */
async function verifyStoreFile<K extends StoreFileKind>(
  { file, path, kind }: NamedFile<K>,
  signal: AbortSignal,
): Promise<VerifiedStoreFile<K>> {
  const named = { file, path, kind };
  const changed = () => isChanged(kind, path);
  const description = await readDescription(named);
  const tables = new Map<string, PlacedEntry>();
  const blobs = createHash('sha256');
  let [count, bytes, lastName, stated] = [0, 0, '', undefined as StoreContents | undefined];
  const verified: StoreContents['tables'][number][] = [];
  const entries = readEntries(file);
  let next = await entries.next();
  for (; !next.done; next = await entries.next()) {
    const entry = next.value;
    signal.throwIfAborted();
    if (stated) throw changed();
    const { sha256, lines } = await hashContent(named, entry);
    const [blob, table] = [blobIn(entry.name), tableIn(entry.name)];
    if (blob !== undefined) {
      // Blobs come in the order of their names, before the tables.
      if (blob !== sha256 || entry.name <= lastName || tables.size > 0) throw changed();
      blobs.update(`${sha256} ${entry.sizeBytes}\n`);
      count += 1;
      bytes += entry.sizeBytes;
      lastName = entry.name;
    } else if (table !== undefined && !tables.has(table)) {
      tables.set(table, entry);
      verified.push({ name: table, rows: lines, sha256 });
    } else if (entry.name === CONTENTS) stated = await readJson(named, entry, CONTENTS_SCHEMA);
    else if (entry.name !== DESCRIPTION || entry.offset !== 0) throw changed();
  }
  const contents = { tables: verified, blobs: { count, bytes, sha256: blobs.digest('hex') } };
  if (JSON.stringify(stated) !== JSON.stringify(contents)) throw changed();
  await compareDirectory(named, next.value);
  return { description, contents, tables };
}

async function readDescription<K extends StoreFileKind>(named: NamedFile<K>): Promise<DescriptionOf<K>> {
  const { file, path, kind } = named;
  const { value: first, done } = await readEntries(file).next();
  if (done || first.name !== DESCRIPTION)
    throw kind.refuse(path, `it is not ${kind.label}, or its beginning was changed.`);
  await hashContent(named, first);
  const raw = await readJson(named, first, z.looseObject({ format: z.string(), version: COUNT }));
  if (raw.format !== kind.format) throw otherKindOf(kind, path, raw.format);
  if (raw.version > kind.version)
    throw new NewerStoreError(
      `"${path}" was written by a newer version of esign (format ${raw.version} instead of ${kind.version}).`,
    );
  const described = z.looseObject({ version: z.literal(kind.version) });
  const { format: _, version: __, ...rest } = await readJson(named, first, described);
  const { data: description } = kind.description.safeParse(rest);
  if (!description) throw isChanged(kind, path);
  refuseUnknown(description.schema, COMMON_MIGRATIONS);
  return description as DescriptionOf<K>;
}

async function readJson<T>(
  { file, path, kind }: NamedFile<StoreFileKind>,
  entry: PlacedEntry,
  schema: z.ZodType<T>,
): Promise<T> {
  if (entry.sizeBytes > LONGEST_JSON_BYTES) throw isChanged(kind, path);
  try {
    const text = (await readAt(file, contentAt(entry), entry.sizeBytes)).toString('utf8');
    return schema.parse(JSON.parse(text));
  } catch {
    throw isChanged(kind, path);
  }
}

/** @throws StoreError where the content is cut, or has another checksum than its header says */
async function hashContent({ file, path, kind }: NamedFile<StoreFileKind>, entry: PlacedEntry) {
  const hash = createHash('sha256');
  let [crc, size, lines] = [0, 0, 0];
  for await (const chunk of readContent(file, entry)) {
    hash.update(chunk);
    crc = crc32(chunk, crc);
    size += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  if (size !== entry.sizeBytes || crc !== entry.crc) throw isChanged(kind, path);
  return { sha256: hash.digest('hex'), lines };
}

/** Compares the end of the file with the one that its entries make. */
async function compareDirectory(
  { file, path, kind }: NamedFile<StoreFileKind>,
  offset: number,
): Promise<void> {
  let at = offset;
  for await (const expected of directoryOf(file)) {
    if (!expected.equals(await readAt(file, at, expected.length))) throw isChanged(kind, path);
    at += expected.length;
  }
  const { size } = await file.stat();
  if (size !== at) throw isChanged(kind, path);
}

// --- Entries ---

const DESCRIPTION = 'store.json';

const CONTENTS = 'contents.json';

const blobEntry = (sha256: string): string => `blobs/${sha256.slice(0, 2)}/${sha256}`;

const tableEntry = (name: string): string => `tables/${name}.jsonl`;

const BLOB = /^blobs\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;

const TABLE = /^tables\/([a-z_]+)\.jsonl$/;

/** @returns the SHA-256 of the blob whose entry this is */
const blobIn = (entry: string): string | undefined => BLOB.exec(entry)?.[2];

const tableIn = (entry: string): string | undefined => TABLE.exec(entry)?.[1];

/** `store.json` and `contents.json` are far smaller. */
const LONGEST_JSON_BYTES = 2 ** 20;

const HASH = z.string().regex(/^[0-9a-f]{64}$/);

const COUNT = z.number().int().nonnegative();

const CONTENTS_SCHEMA = z.strictObject({
  tables: z.array(z.strictObject({ name: z.string(), rows: COUNT, sha256: HASH })),
  blobs: z.strictObject({ count: COUNT, bytes: COUNT, sha256: HASH }),
});

const describedIn = <K extends StoreFileKind>(kind: K, description: DescriptionOf<K>): string =>
  jsonOf({ format: kind.format, version: kind.version, ...description });

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

// --- Kinds of files ---

/** `store.json` says this beside the format and its version. `schema` has the names of the migrations of the tables. */
type Description = { schema: readonly string[] };

type StoreFileKind<D extends Description = Description> = {
  /** The file says that it has this format. */
  format: string;
  version: number;
  description: z.ZodType<D>;
  /** Messages name the kind so. */
  label: string;
  /** @param why a sentence about the file */
  refuse(path: string, why: string): StoreError;
};

export type DescriptionOf<K> = K extends StoreFileKind<infer D> ? D : never;

const refusal =
  (code: DatabaseErrorCode, done: string, hint: string) =>
  (path: string, why: string): StoreError =>
    new StoreError(code, `"${path}" cannot be ${done}: ${why}`, hint);

/** `key` is the fingerprint of the key of the store. */
export const BACKUP = {
  format: 'esign store',
  version: 1,
  description: z.strictObject({ schema: z.array(z.string()).readonly(), key: z.string() }),
  label: 'a backup of esign',
  refuse: refusal('backup_damaged', 'restored', 'Use another backup.'),
} satisfies StoreFileKind;

/** `secrets` says whether it contains them. */
export const EXPORT = {
  format: 'esign sandbox',
  version: 1,
  description: z.strictObject({ schema: z.array(z.string()).readonly(), secrets: z.boolean() }),
  label: 'an export of a sandbox',
  refuse: refusal('export_damaged', 'imported', 'Use another file of `esign sandbox export`.'),
} satisfies StoreFileKind;

const KINDS: readonly { kind: StoreFileKind; use: string }[] = [
  { kind: BACKUP, use: 'restore it with `esign store restore`.' },
  { kind: EXPORT, use: 'import it with `esign sandbox import`.' },
];

const isChanged = (kind: StoreFileKind, path: string): StoreError =>
  kind.refuse(path, 'it was changed, cut or packed again.');

/** @param format what the file says that it is */
function otherKindOf(kind: StoreFileKind, path: string, format: string): StoreError {
  const other = KINDS.find(({ kind: { format: name } }) => name === format);
  return other ? kind.refuse(path, `it is ${other.kind.label}; ${other.use}`) : isChanged(kind, path);
}
