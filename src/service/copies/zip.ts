// Writes and reads a ZIP file (APPNOTE.TXT 6.3, §4.3) as backups have it: entries without compression, one after another, with the sizes of
// ZIP64, and the time 1980-01-01. So the bytes of a file follow from the names and the contents of its entries alone.
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

export type ZipEntry = {
  name: string;
  sizeBytes: number;
  crc: number;
};

/** Its local header begins at the `offset`. */
export type PlacedEntry = ZipEntry & { offset: number };

// --- Writing ---

export function createEntryWriter(file: FileHandle) {
  let end = 0;
  const write = async (bytes: Uint8Array, at: number) => {
    for (let done = 0; done < bytes.length; )
      done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  };
  return {
    /** Appends an entry. Its header is written after its content, whose checksum it has. */
    async append(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
      const offset = end;
      let at = offset + localHeaderBytes(name);
      let crc = 0;
      const start = at;
      for await (const chunk of chunks) {
        crc = crc32(chunk, crc);
        await write(chunk, at);
        at += chunk.length;
      }
      await write(localHeader({ name, sizeBytes: at - start, crc }), offset);
      end = at;
    },
    async end(): Promise<void> {
      for await (const part of directoryOf(file)) {
        await write(part, end);
        end += part.length;
      }
    },
  };
}

/** Makes the end of a file with these entries: the central directory, which repeats the local headers. */
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

// --- Reading ---

/** Reads the local headers, one after another. It ends at the first thing that is none, and returns where that is. */
export async function* readEntries(file: FileHandle, from = 0): AsyncGenerator<PlacedEntry, number> {
  for (let offset = from; ; ) {
    const entry = readLocalHeader(await readAt(file, offset, LONGEST_HEADER_BYTES));
    if (!entry) return offset;
    const placed = { ...entry, offset };
    yield placed;
    offset = contentAt(placed) + entry.sizeBytes;
  }
}

export async function* readContent(file: FileHandle, entry: PlacedEntry): AsyncIterable<Buffer> {
  const start = contentAt(entry);
  for (let done = 0; done < entry.sizeBytes; ) {
    const chunk = await readAt(file, start + done, Math.min(READ_BYTES, entry.sizeBytes - done));
    if (chunk.length === 0) return;
    done += chunk.length;
    yield chunk;
  }
}

const READ_BYTES = 256 * 1024;

export const contentAt = ({ name, offset }: PlacedEntry): number => offset + localHeaderBytes(name);

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

// --- Headers ---

const VERSION = 45;

const MADE_ON_UNIX = 3 << 8;

const FIRST_DAY = 0x21;

const UNKNOWN_16 = 0xffff;

const UNKNOWN_32 = 0xffffffff;

/** The mode says that the owner reads and writes a regular file. */
const MODE = 0o100600;

const LOCAL = 0x04034b50;

const CENTRAL = 0x02014b50;

const ZIP64 = { id: 0x0001, end: 0x06064b50, locator: 0x07064b50 };

const END = 0x06054b50;

const LOCAL_FIXED_BYTES = 30;

const LOCAL_EXTRA_BYTES = 20;

/** The longest name of an entry of ours has 71 bytes. */
const LONGEST_HEADER_BYTES = LOCAL_FIXED_BYTES + LOCAL_EXTRA_BYTES + 200;

const localHeaderBytes = (name: string): number => LOCAL_FIXED_BYTES + name.length + LOCAL_EXTRA_BYTES;

/** Writes a header by §4.3.7, with the extended information of §4.5.3. */
function localHeader({ name, sizeBytes, crc }: ZipEntry): Buffer {
  return Buffer.concat([
    pack([LOCAL, 4], [VERSION, 2], [0, 2], [0, 2], [0, 2], [FIRST_DAY, 2], [crc, 4]),
    pack([UNKNOWN_32, 4], [UNKNOWN_32, 4], [name.length, 2], [LOCAL_EXTRA_BYTES, 2]),
    Buffer.from(name, 'latin1'),
    pack([ZIP64.id, 2], [16, 2], [sizeBytes, 8], [sizeBytes, 8]),
  ]);
}

/**
 * Reads a local header. @param bytes from its position on
 * @returns undefined for anything else, and for a header that {@link localHeader} would not write
 */
function readLocalHeader(bytes: Buffer): ZipEntry | undefined {
  if (bytes.length < LOCAL_FIXED_BYTES || bytes.readUInt32LE(0) !== LOCAL) return undefined;
  const nameBytes = bytes.readUInt16LE(26);
  const end = LOCAL_FIXED_BYTES + nameBytes;
  if (bytes.length < end + LOCAL_EXTRA_BYTES) return undefined;
  const sizeBytes = Number(bytes.readBigUInt64LE(end + 4));
  if (!Number.isSafeInteger(sizeBytes)) return undefined;
  const entry = {
    name: bytes.toString('latin1', LOCAL_FIXED_BYTES, end),
    sizeBytes,
    crc: bytes.readUInt32LE(14),
  };
  return localHeader(entry).equals(bytes.subarray(0, end + LOCAL_EXTRA_BYTES)) ? entry : undefined;
}

/** Writes an entry of the central directory by §4.3.12. */
function centralHeader({ name, sizeBytes, crc, offset }: PlacedEntry): Buffer {
  return Buffer.concat([
    pack([CENTRAL, 4], [MADE_ON_UNIX | VERSION, 2], [VERSION, 2], [0, 2], [0, 2], [0, 2], [FIRST_DAY, 2]),
    pack([crc, 4], [UNKNOWN_32, 4], [UNKNOWN_32, 4], [name.length, 2], [28, 2], [0, 2], [0, 2], [0, 2]),
    pack([MODE * 2 ** 16, 4], [UNKNOWN_32, 4]),
    Buffer.from(name, 'latin1'),
    pack([ZIP64.id, 2], [24, 2], [sizeBytes, 8], [sizeBytes, 8], [offset, 8]),
  ]);
}

/**
 * Writes the end of the file by §4.3.14 to §4.3.16.
 * @param at where the central directory begins, and how many bytes and entries it has
 */
function endOfFile(at: { offset: number; sizeBytes: number; count: number }): Buffer {
  return Buffer.concat([
    pack([ZIP64.end, 4], [44, 8], [MADE_ON_UNIX | VERSION, 2], [VERSION, 2], [0, 4], [0, 4]),
    pack([at.count, 8], [at.count, 8], [at.sizeBytes, 8], [at.offset, 8]),
    pack([ZIP64.locator, 4], [0, 4], [at.offset + at.sizeBytes, 8], [1, 4]),
    pack(
      [END, 4],
      [0, 2],
      [0, 2],
      [UNKNOWN_16, 2],
      [UNKNOWN_16, 2],
      [UNKNOWN_32, 4],
      [UNKNOWN_32, 4],
      [0, 2],
    ),
  ]);
}

/** Appends whole numbers, least significant byte first. Each stands with its size in bytes. */
function pack(...numbers: readonly [value: number, bytes: 2 | 4 | 8][]): Buffer {
  const packed = Buffer.alloc(numbers.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of numbers) {
    if (bytes === 8) packed.writeBigUInt64LE(BigInt(value), at);
    else packed.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return packed;
}
