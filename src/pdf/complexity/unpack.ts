// Undoes the filters of a stream as far as a limit allows, to know how large it becomes. It must never hold more than
// the limit, and never decode a picture. Encrypted streams are no valid Flate data: they count nothing here, and only
// the limits of time and memory hold for them.
import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { countLzw } from './count-lzw.ts';

/**
 * `sizeBytes` counts what every filter gave. `bytes` are there when all filters up to one of pictures could be undone;
 * `pictureFilter` is that one. `isTooLarge`: one filter gave more than was allowed.
 */
export type Unpacked = {
  sizeBytes: number;
  bytes: Buffer | undefined;
  pictureFilter: string | undefined;
  isTooLarge: boolean;
};

const PICTURE_FILTERS = new Map([
  ['DCTDecode', 'DCTDecode'],
  ['DCT', 'DCTDecode'],
  ['JPXDecode', 'JPXDecode'],
  ['JBIG2Decode', 'JBIG2Decode'],
  ['CCITTFaxDecode', 'CCITTFaxDecode'],
  ['CCF', 'CCITTFaxDecode'],
]);
const LARGE_CHUNK = 256 * 1024;
const SMALL_CHUNK = 4 * 1024;

/** What a filter gave: all of it, its size where only that was counted, or that it was too much. */
type FilterResult = Buffer | number | 'too_large' | undefined;

const FILTERS: Record<string, (data: Buffer, end: number, most: number) => FilterResult> = {
  FlateDecode: inflated,
  Fl: inflated,
  LZWDecode: lzw,
  LZW: lzw,
  ASCII85Decode: ascii85,
  A85: ascii85,
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  RunLengthDecode: runLength,
  RL: runLength,
};

/** `data` begins with the stream and may go on behind its `end`: Flate data ends where it says. */
export function unpack(data: Buffer, end: number, filters: string[], mostBytes: number): Unpacked {
  let bytes: Buffer | undefined = data;
  let endOfBytes = end;
  let sizeBytes = 0;
  const result = (part: Partial<Unpacked>): Unpacked => ({
    sizeBytes,
    bytes: undefined,
    pictureFilter: undefined,
    isTooLarge: false,
    ...part,
  });
  for (const filter of filters) {
    const pictureFilter = PICTURE_FILTERS.get(filter);
    if (pictureFilter) return result({ bytes: bytes.subarray(0, endOfBytes), pictureFilter });
    const given: FilterResult = FILTERS[filter]?.(bytes, endOfBytes, mostBytes);
    if (given === 'too_large') return result({ sizeBytes: sizeBytes + mostBytes, isTooLarge: true });
    if (given === undefined) return result({});
    if (typeof given === 'number') return result({ sizeBytes: sizeBytes + given });
    sizeBytes += given.length;
    [bytes, endOfBytes] = [given, given.length];
  }
  return result({ bytes: bytes.subarray(0, endOfBytes) });
}

/** Truncated data counts up to its end; wrong checksums are ignored, as PDFium ignores them. */
function inflated(data: Buffer, end: number, most: number): Buffer | 'too_large' | undefined {
  return inflatedBy(inflateSync, data, end, most) ?? inflatedBy(inflateRawSync, data.subarray(2), end, most);
}

function inflatedBy(inflate: typeof inflateSync, data: Buffer, end: number, most: number) {
  // Most streams unpack to less than four times their size: then there is one chunk, and nothing is put together.
  const chunkSize = Math.min(LARGE_CHUNK, Math.max(SMALL_CHUNK, 4 * end));
  try {
    return inflate(data, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH, chunkSize });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : undefined;
  }
}

/** Counts the unpacked bytes without keeping them: no other filter follows LZW. Of both values of /EarlyChange the larger result counts. */
function lzw(data: Buffer, end: number, most: number): number | 'too_large' {
  const packed = data.subarray(0, end);
  const sizeBytes = Math.max(countLzw(packed, most, 1), countLzw(packed, most, 0));
  return sizeBytes > most ? 'too_large' : sizeBytes;
}

/** Counts the unpacked bytes without keeping them: a length byte stands for up to 128 bytes. */
function runLength(data: Buffer, end: number, most: number): number | 'too_large' {
  let sizeBytes = 0;
  for (let at = 0; at < end && data[at] !== 128; ) {
    const length = data[at]!;
    sizeBytes += length < 128 ? length + 1 : 257 - length;
    at += length < 128 ? length + 2 : 2;
    if (sizeBytes > most) return 'too_large';
  }
  return sizeBytes;
}

function asciiHex(data: Buffer, end: number): Buffer {
  const text = data.toString('latin1', 0, end).split('>', 1)[0]!;
  return Buffer.from(text.replace(/\s+/g, ''), 'hex');
}

/** ISO 32000-1, 7.4.3: five characters for four bytes, `z` for four zeros. */
function ascii85(data: Buffer, end: number): Buffer {
  const bytes = Buffer.alloc(end * 4 + 4);
  let size = 0;
  let digits = 0;
  let value = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = data[at]!;
    if (byte === 0x7e) break;
    if (byte === 0x7a && digits === 0) size += 4;
    if (byte < 0x21 || byte > 0x75) continue;
    value = value * 85 + byte - 0x21;
    digits += 1;
    if (digits < 5) continue;
    bytes.writeUInt32BE(value % 2 ** 32, size);
    size += 4;
    [value, digits] = [0, 0];
  }
  if (digits > 1) {
    for (let missing = digits; missing < 5; missing += 1) value = value * 85 + 84;
    bytes.writeUInt32BE(value % 2 ** 32, size);
    size += digits - 1;
  }
  return bytes.subarray(0, size);
}
