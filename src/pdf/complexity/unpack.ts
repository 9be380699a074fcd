// Undoes the filters of a stream as far as a limit allows, to know how large it becomes. It must never hold more than
// the limit, and never decode a picture. Encrypted streams are no valid Flate data: they count nothing here, and only
// the limits of time and memory hold for them.
import { inflateTolerantly, type Unfiltered, unfilter } from '../syntax/filters.ts';
import type { Dict } from '../syntax/values.ts';

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
const FLATE = new Set(['FlateDecode', 'Fl']);
/** PDFium passes over it. */
const CRYPT = 'Crypt';
const NO_PARAMETERS: Dict = new Map();
const LARGE_CHUNK = 256 * 1024;
const SMALL_CHUNK = 4 * 1024;

/** `data` begins with the stream and may go on behind its `end`: Flate data ends where it says. */
export function unpack(data: Buffer, end: number, filters: string[], mostBytes: number): Unpacked {
  let [bytes, endOfBytes] = [data, end];
  let sizeBytes = 0;
  const result = (part: Partial<Unpacked>): Unpacked => ({
    sizeBytes,
    bytes: undefined,
    pictureFilter: undefined,
    isTooLarge: false,
    ...part,
  });
  for (const filter of filters) {
    if (filter === CRYPT) continue;
    const pictureFilter = PICTURE_FILTERS.get(filter);
    if (pictureFilter) return result({ bytes: bytes.subarray(0, endOfBytes), pictureFilter });
    const given = undo(filter, bytes, endOfBytes, mostBytes);
    if (given === 'too_large') return result({ sizeBytes: sizeBytes + mostBytes, isTooLarge: true });
    if (given === 'damaged' || given === undefined) return result({});
    sizeBytes += given.length;
    [bytes, endOfBytes] = [given, given.length];
  }
  return result({ bytes: bytes.subarray(0, endOfBytes) });
}

function undo(filter: string, bytes: Buffer, end: number, most: number): Unfiltered | undefined {
  if (!FLATE.has(filter))
    return unfilter(filter, bytes.subarray(0, end), { parameters: NO_PARAMETERS, most, isTolerant: true });
  // Most streams unpack to less than four times their size: then there is one chunk, and nothing is put together.
  return inflateTolerantly(bytes, most, Math.min(LARGE_CHUNK, Math.max(SMALL_CHUNK, 4 * end)));
}
