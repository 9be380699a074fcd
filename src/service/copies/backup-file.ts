// The file of a backup, and of an exported sandbox: a ZIP file whose entries are, in this order, `store.json` (format, version, schema, and what
// its kind needs), a file for each blob, a file with a line of JSON for each row of each table, and `contents.json` (counts and hashes). It has no
// time and no name of a machine, so that two files of the same state have the same bytes. `docs/self-hosting.md` and `docs/testing.md` describe it.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { NewerStoreError } from '../../database/database.ts';
import { refuseUnknown } from '../../database/migrate.ts';
import { COMMON_MIGRATIONS } from '../store/migrations.ts';
import type { StoreContents } from './contents.ts';
import { type DescriptionOf, isChanged, otherKindOf, type StoreFileKind } from './file-kinds.ts';
import {
  centralHeader,
  endOfFile,
  LONGEST_HEADER_BYTES,
  localHeaderBytes,
  type PlacedEntry,
  readLocalHeader,
} from './zip.ts';

export const DESCRIPTION = 'store.json';
export const CONTENTS = 'contents.json';
export const blobEntry = (sha256: string): string => `blobs/${sha256.slice(0, 2)}/${sha256}`;
export const tableEntry = (name: string): string => `tables/${name}.jsonl`;

const BLOB = /^blobs\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;
const TABLE = /^tables\/([a-z_]+)\.jsonl$/;

/** @returns the SHA-256 of the blob whose entry this is */
export const blobIn = (entry: string): string | undefined => BLOB.exec(entry)?.[2];
export const tableIn = (entry: string): string | undefined => TABLE.exec(entry)?.[1];

/** `store.json` and `contents.json` are far smaller. */
const LONGEST_JSON_BYTES = 2 ** 20;

export const READ_BYTES = 256 * 1024;

const HASH = z.string().regex(/^[0-9a-f]{64}$/);
const COUNT = z.number().int().nonnegative();

const CONTENTS_SCHEMA = z.strictObject({
  tables: z.array(z.strictObject({ name: z.string(), rows: COUNT, sha256: HASH })),
  blobs: z.strictObject({ count: COUNT, bytes: COUNT, sha256: HASH }),
});

export const describedIn = <K extends StoreFileKind>(kind: K, description: DescriptionOf<K>): string =>
  jsonOf({ format: kind.format, version: kind.version, ...description });

export const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Reads a piece of a file; fewer bytes only at its end. */
export async function readAt(file: FileHandle, offset: number, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let done = 0;
  while (done < sizeBytes) {
    const { bytesRead } = await file.read(bytes, done, sizeBytes - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

export const contentAt = ({ name, offset }: PlacedEntry): number => offset + localHeaderBytes(name);

export async function* readContent(file: FileHandle, entry: PlacedEntry): AsyncIterable<Buffer> {
  const start = contentAt(entry);
  for (let done = 0; done < entry.sizeBytes; ) {
    const chunk = await readAt(file, start + done, Math.min(READ_BYTES, entry.sizeBytes - done));
    if (chunk.length === 0) return;
    done += chunk.length;
    yield chunk;
  }
}

/** Reads the local headers, one after another. It ends at the first thing that is none. @returns where that is */
export async function* readEntries(file: FileHandle, from = 0): AsyncGenerator<PlacedEntry, number> {
  for (let offset = from; ; ) {
    const entry = readLocalHeader(await readAt(file, offset, LONGEST_HEADER_BYTES));
    if (!entry) return offset;
    const placed = { ...entry, offset };
    yield placed;
    offset = contentAt(placed) + entry.sizeBytes;
  }
}

/** The end of a file with these entries: the central directory, which is made of the local headers again. */
export async function* directoryOf(file: FileHandle): AsyncIterable<Buffer> {
  const entries = readEntries(file);
  let [sizeBytes, count] = [0, 0];
  for (;;) {
    const next = await entries.next();
    if (next.done) {
      yield endOfFile({ offset: next.value, sizeBytes, count });
      return;
    }
    const header = centralHeader(next.value);
    sizeBytes += header.length;
    count += 1;
    yield header;
  }
}

/** An open file. The path is for messages. */
export type NamedFile<K extends StoreFileKind> = { file: FileHandle; path: string; kind: K };

export type VerifiedStoreFile<K extends StoreFileKind> = {
  description: DescriptionOf<K>;
  contents: StoreContents;
  tables: ReadonlyMap<string, PlacedEntry>;
};

/**
 * Reads the whole file and compares every byte of it with what it has to be.
 * @param path for messages
 * @throws StoreError with the code of its kind; NewerStoreError for a file that a newer version has written; UnreleasedStoreError
 */
export async function verifyStoreFile<K extends StoreFileKind>(
  { file, path, kind }: NamedFile<K>,
  signal: AbortSignal,
): Promise<VerifiedStoreFile<K>> {
  const named = { file, path, kind };
  const changed = () => isChanged(kind, path);
  const description = await readDescription(named);
  const tables = new Map<string, PlacedEntry>();
  const blobs = createHash('sha256');
  let [count, bytes, lastName, stated] = [0, 0, '', undefined as StoreContents | undefined];
  const found: StoreContents['tables'][number][] = [];
  const entries = readEntries(file);
  let next = await entries.next();
  for (; !next.done; next = await entries.next()) {
    const entry = next.value;
    signal.throwIfAborted();
    if (stated) throw changed();
    const { sha256, lines } = await hashContent(named, entry);
    const [blob, table] = [blobIn(entry.name), tableIn(entry.name)];
    if (blob !== undefined) {
      // In the order of their names, before the tables.
      if (blob !== sha256 || entry.name <= lastName || tables.size > 0) throw changed();
      blobs.update(`${sha256} ${entry.sizeBytes}\n`);
      count += 1;
      bytes += entry.sizeBytes;
      lastName = entry.name;
    } else if (table !== undefined && !tables.has(table)) {
      tables.set(table, entry);
      found.push({ name: table, rows: lines, sha256 });
    } else if (entry.name === CONTENTS) stated = await readJson(named, entry, CONTENTS_SCHEMA);
    else if (entry.name !== DESCRIPTION || entry.offset !== 0) throw changed();
  }
  const contents = { tables: found, blobs: { count, bytes, sha256: blobs.digest('hex') } };
  if (JSON.stringify(stated) !== JSON.stringify(contents)) throw changed();
  await compareDirectory(named, next.value);
  return { description, contents, tables };
}

async function readDescription<K extends StoreFileKind>(named: NamedFile<K>): Promise<DescriptionOf<K>> {
  const { file, path, kind } = named;
  const { value: first, done } = await readEntries(file).next();
  if (done || first.name !== DESCRIPTION)
    throw kind.refuse(path, `it is not ${kind.what}, or its beginning was changed.`);
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
