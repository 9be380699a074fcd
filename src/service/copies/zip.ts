// The parts of a ZIP file (APPNOTE.TXT 6.3, §4.3) as backups are written: entries without compression, one after another, with the sizes of
// ZIP64, and the time 1980-01-01. So the bytes of a file follow from the names and the contents of its entries alone.

export type ZipEntry = {
  name: string;
  sizeBytes: number;
  /** CRC-32 of the content. */
  crc: number;
};

/** An entry with the position of its local header. */
export type PlacedEntry = ZipEntry & { offset: number };

const VERSION = 45;
const MADE_ON_UNIX = 3 << 8;
const FIRST_DAY = 0x21;
const UNKNOWN_16 = 0xffff;
const UNKNOWN_32 = 0xffffffff;
/** A regular file that its owner reads and writes. */
const MODE = 0o100600;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const ZIP64 = { id: 0x0001, end: 0x06064b50, locator: 0x07064b50 };
const END = 0x06054b50;

const LOCAL_FIXED_BYTES = 30;
const LOCAL_EXTRA_BYTES = 20;

/** The longest name of an entry of ours has 71 bytes. */
export const LONGEST_HEADER_BYTES = LOCAL_FIXED_BYTES + LOCAL_EXTRA_BYTES + 200;

/** Appends whole numbers, least significant byte first. Each is given with its size in bytes. */
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

export const localHeaderBytes = (name: string): number => LOCAL_FIXED_BYTES + name.length + LOCAL_EXTRA_BYTES;

/** §4.3.7, with the extended information of §4.5.3 */
export function localHeader({ name, sizeBytes, crc }: ZipEntry): Buffer {
  return Buffer.concat([
    pack([LOCAL, 4], [VERSION, 2], [0, 2], [0, 2], [0, 2], [FIRST_DAY, 2], [crc, 4]),
    pack([UNKNOWN_32, 4], [UNKNOWN_32, 4], [name.length, 2], [LOCAL_EXTRA_BYTES, 2]),
    Buffer.from(name, 'latin1'),
    pack([ZIP64.id, 2], [16, 2], [sizeBytes, 8], [sizeBytes, 8]),
  ]);
}

/** §4.3.12 */
export function centralHeader({ name, sizeBytes, crc, offset }: PlacedEntry): Buffer {
  return Buffer.concat([
    pack([CENTRAL, 4], [MADE_ON_UNIX | VERSION, 2], [VERSION, 2], [0, 2], [0, 2], [0, 2], [FIRST_DAY, 2]),
    pack([crc, 4], [UNKNOWN_32, 4], [UNKNOWN_32, 4], [name.length, 2], [28, 2], [0, 2], [0, 2], [0, 2]),
    pack([MODE * 2 ** 16, 4], [UNKNOWN_32, 4]),
    Buffer.from(name, 'latin1'),
    pack([ZIP64.id, 2], [24, 2], [sizeBytes, 8], [sizeBytes, 8], [offset, 8]),
  ]);
}

/** §4.3.14 to §4.3.16. @param at where the central directory begins, and how many bytes and entries it has */
export function endOfFile(at: { offset: number; sizeBytes: number; count: number }): Buffer {
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

/**
 * Reads a local header. @param bytes from its position on
 * @returns undefined for anything else, and for a header that {@link localHeader} would not write
 */
export function readLocalHeader(bytes: Buffer): ZipEntry | undefined {
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
