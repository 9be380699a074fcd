// Finds the streams of a PDF: those of its objects, and by their keyword, as readers do without a usable cross-reference table, what else
// looks like one. A table may be wrong, and readers may still read a stream that no table lists. It must never unpack anything.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import { GREATER } from '../characters.ts';
import { inflateTolerantly, type Unfiltered, unfilter } from '../filters.ts';
import { Scanner } from '../scanner.ts';
import type { Dict, Value } from '../values.ts';
import {
  type Objects,
  objectNumberBefore,
  type ReadBudget,
  readValue,
  type StreamObject,
} from './objects.ts';

/** `start` is the offset of the first byte of the data, `end` the offset after the last; `number` is the object number. */
export type Stream = { number: number | undefined; dict: Dict; start: number; end: number };

const KEYWORD_LINE_BYTES = 64;
const NEAR_BYTES = 512;

/**
 * Lists every stream, also one within the data of another, in the order of their data; undefined when there is more of dictionaries and
 * data than fits into a file that means what it says. Call it only for files that pass `isHostileStreams`.
 */
export function findStreams(file: Buffer, objects: Objects): Stream[] | undefined {
  const byKeyword = new Map<number, StreamObject[]>();
  for (const item of objects.streams())
    byKeyword.set(item.keyword, [...(byKeyword.get(item.keyword) ?? []), item]);
  const streams: Stream[] = [];
  const budget: ReadBudget = { bytes: DOCUMENT_LIMITS.dictionariesBytes };
  let dataBytes = 0;
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    const start = afterLine(file, at + 6);
    const dictionaries =
      byKeyword.get(at) ?? (followsDictionary(file, at) ? [readDictionary(file, at, budget)] : []);
    for (const { number, dict } of dictionaries) {
      const end = endOf(file, objects.resolved(dict.get('Length')), start);
      dataBytes += end - start;
      if (budget.bytes <= 0 || dataBytes > DOCUMENT_LIMITS.searchesOfWholeFile * file.length)
        return undefined;
      streams.push({ number, dict, start, end });
    }
  }
  return streams;
}

/** Reads the dictionary that ends at `end`, from the beginning of its object on. */
function readDictionary(file: Buffer, end: number, budget: ReadBudget): Pick<Stream, 'number' | 'dict'> {
  const object = lastObject(file, end);
  const from = object ?? Math.max(0, end - DOCUMENT_LIMITS.dictionaryBytes);
  const begin = file.subarray(from, end).indexOf('<<');
  const value = begin === -1 ? undefined : readValue(file, from + begin, budget, end).value;
  return {
    number: object === undefined ? undefined : objectNumberBefore(file, object),
    dict: value instanceof Map ? value : new Map(),
  };
}

/** Finds the last `obj` before `end`: it is near in almost every file, so the search begins there. */
function lastObject(file: Buffer, end: number): number | undefined {
  for (const sizeBytes of [NEAR_BYTES, DOCUMENT_LIMITS.dictionaryBytes]) {
    const from = Math.max(0, end - sizeBytes);
    const position = file.subarray(from, end).lastIndexOf('obj');
    if (position !== -1) return from + position;
  }
  return undefined;
}

/** Tells whether `stream` at this offset follows a dictionary: it is not part of `endstream`, or a word in a text. */
function followsDictionary(file: Buffer, at: number): boolean {
  let index = at - 1;
  while (index >= 0 && file[index]! <= 0x20) index -= 1;
  return file[index] === GREATER;
}

/** Data begins on the next line. Where there is none near, it begins at once. */
function afterLine(file: Buffer, at: number): number {
  const rest = /^[^\r\n]*(?:\r\n|\r|\n)/.exec(file.toString('latin1', at, at + KEYWORD_LINE_BYTES));
  return at + (rest?.[0].length ?? 0);
}

/** Finds the end of the data as PDFium does: by /Length if `endstream` follows there, otherwise at the next `endstream`. */
function endOf(file: Buffer, length: Value, start: number): number {
  if (typeof length === 'number' && length > 0) {
    const end = start + length;
    const isEnd = file
      .toString('latin1', end, end + 12)
      .trimStart()
      .startsWith('endstr');
    if (isEnd || new Scanner(file, end).takes('endstream')) return end;
  }
  const next = file.indexOf('endstream', start);
  return next === -1 ? file.length : next;
}

/** Names the filters, first the one to undo first. */
export function filtersOf({ dict }: Stream, { resolved }: Objects): string[] {
  const stated = resolved(dict.get('Filter') ?? dict.get('F'));
  return [stated]
    .flat()
    .map(resolved)
    .filter((name) => typeof name === 'string');
}

export const isPicture = ({ dict }: Stream): boolean => dict.get('Subtype') === 'Image';
export const isDrawing = ({ dict }: Stream): boolean => dict.get('Subtype') === 'Form';
export const isObjectStream = ({ dict }: Stream, { resolved }: Objects): boolean =>
  resolved(dict.get('Type')) === 'ObjStm';

const SAMPLES = new Map<Value, number>([
  ['DeviceGray', 1],
  ['G', 1],
  ['CalGray', 1],
  ['Indexed', 1],
  ['I', 1],
  ['Separation', 1],
  ['DeviceCMYK', 4],
  ['CMYK', 4],
]);
// Of an image whose dictionary states neither colors nor bits, as that of a JPEG may.
const USUAL_SAMPLES = 3;
const USUAL_BITS = 8;

/** Multiplies width, height and bits into bytes; zero where the dictionary says nothing that a reader could use. */
export function pictureBytesOf({ dict }: Stream, objects: Objects): number {
  const numberOf = (key: string) => {
    const value = objects.resolved(dict.get(key));
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  const [width, height] = [numberOf('Width') ?? 0, numberOf('Height') ?? 0];
  const isMask = objects.resolved(dict.get('ImageMask')) === true && !dict.has('ColorSpace');
  const bits = numberOf('BitsPerComponent') ?? (isMask ? 1 : USUAL_BITS);
  return (width * height * bits * (isMask ? 1 : samplesOf(objects, dict.get('ColorSpace')))) / 8;
}

function samplesOf(objects: Objects, colors: Value | undefined): number {
  const space = objects.resolved(colors);
  const [name, profile] = Array.isArray(space) ? space.map(objects.resolved) : [space];
  const stated = name === 'ICCBased' && profile instanceof Map ? profile.get('N') : SAMPLES.get(name ?? null);
  return typeof stated === 'number' ? stated : USUAL_SAMPLES;
}

/**
 * `sizeBytes` counts what every filter gave. `bytes` are there when all filters up to one of pictures could be undone; `pictureFilter` is
 * that one. `isTooLarge` says that one filter gave more than was allowed.
 */
type Unpacked = {
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
    const output = undo(filter, bytes, endOfBytes, mostBytes);
    if (output === 'too_large') return result({ sizeBytes: sizeBytes + mostBytes, isTooLarge: true });
    if (output === 'damaged' || output === undefined) return result({});
    sizeBytes += output.length;
    [bytes, endOfBytes] = [output, output.length];
  }
  return result({ bytes: bytes.subarray(0, endOfBytes) });
}

function undo(filter: string, bytes: Buffer, end: number, most: number): Unfiltered | undefined {
  if (!FLATE.has(filter))
    return unfilter(filter, bytes.subarray(0, end), { parameters: NO_PARAMETERS, most, isTolerant: true });
  // Most streams unpack to less than four times their size: then there is one chunk, and nothing is put together.
  return inflateTolerantly(bytes, most, Math.min(LARGE_CHUNK, Math.max(SMALL_CHUNK, 4 * end)));
}

const START_OF_SCAN = Buffer.from([0xff, 0xda]);

/** Tells whether the JPEG has more scans, each of which makes a reader process the whole picture, than any program writes. */
export function hasEndlessScans(jpeg: Buffer): boolean {
  let scans = 0;
  // In the data of a scan a byte 255 is always followed by a zero or a restart marker.
  for (let at = jpeg.indexOf(START_OF_SCAN); at !== -1; at = jpeg.indexOf(START_OF_SCAN, at + 2)) {
    scans += 1;
    if (scans > DOCUMENT_LIMITS.jpegScans) return true;
  }
  return false;
}
