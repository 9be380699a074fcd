// Finds the end of a picture that stands in the content itself (ISO 32000-1, 8.9.7), and tells whether all viewers find the same one:
// some count its samples, some look for the word behind them.
import { isBlank, SLASH } from '../read/characters.ts';
import { unfilter } from '../read/filters.ts';
import { NOTHING, Scanner } from '../read/scanner.ts';
import type { Value } from '../read/values.ts';

export type InlineImageEnd = {
  /** Reading goes on behind `EI`, or ends with the content. */
  at: number;
  isFound: boolean;
  isSound: boolean;
};

const LARGEST_SIDE = 1 << 15;
const MOST_PIXELS = 1 << 24;

const FLATE = ['Fl', 'FlateDecode'];
const FILTERS = new Set([
  ...FLATE,
  ...['A85', 'AHx', 'LZW', 'RL', 'CCF', 'DCT'],
  ...['ASCII85Decode', 'ASCIIHexDecode', 'LZWDecode', 'RunLengthDecode', 'CCITTFaxDecode', 'DCTDecode'],
]);
const COMPONENTS: Record<string, number> = {
  G: 1,
  DeviceGray: 1,
  CalGray: 1,
  I: 1,
  Indexed: 1,
  RGB: 3,
  DeviceRGB: 3,
  CalRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
};

/** @param header where the entries begin, behind `BI` @param data where `ID` ends */
export function inlineImageEnd(
  content: Buffer,
  { header, data }: { header: number; data: number },
): InlineImageEnd {
  const entries = readEntries(content, header, data - 2);
  const start = data + 1;
  const size = entries && sampleBytes(entries);
  const filters = entries ? [entry(entries, 'F', 'Filter') ?? []].flat() : [];
  if (size !== undefined && filters.length === 0) {
    const end = endBehind(content, start + size);
    if (end !== -1) return { at: end, isFound: true, isSound: true };
  }
  const end = loneEnd(content, start);
  if (end === -1) return { at: content.length, isFound: false, isSound: false };
  const isSound =
    entries !== undefined &&
    size !== undefined &&
    filters.length > 0 &&
    filters.every((filter) => typeof filter === 'string' && FILTERS.has(filter)) &&
    canBeUnpacked(content.subarray(start, end - 2), filters[0] as string);
  return { at: end, isFound: true, isSound };
}

type Entries = ReadonlyMap<string, Value>;

/** Returns undefined where the entries are not names with values. */
function readEntries(content: Buffer, from: number, to: number): Entries | undefined {
  const scanner = new Scanner(content, from, to);
  const entries = new Map<string, Value>();
  for (;;) {
    scanner.skipBlanks();
    if (scanner.at >= to) return entries;
    if (content[scanner.at] !== SLASH) return undefined;
    const key = scanner.value();
    const value = scanner.value();
    if (typeof key !== 'string' || value === NOTHING) return undefined;
    entries.set(key, value);
  }
}

const entry = (entries: Entries, short: string, long: string): Value | undefined =>
  entries.get(short) ?? entries.get(long);

/** Counts the bytes of all rows, unpacked. Undefined where that cannot be told, or for a picture that viewers refuse. */
function sampleBytes(entries: Entries): number | undefined {
  const [width, height] = [entry(entries, 'W', 'Width'), entry(entries, 'H', 'Height')];
  if (!isSide(width) || !isSide(height) || width * height > MOST_PIXELS) return undefined;
  if (entry(entries, 'IM', 'ImageMask') === true) return Math.ceil(width / 8) * height;
  const bits = entry(entries, 'BPC', 'BitsPerComponent') ?? 8;
  const space = [entry(entries, 'CS', 'ColorSpace') ?? []].flat()[0];
  const components = typeof space === 'string' ? COMPONENTS[space] : undefined;
  if (components === undefined || ![1, 2, 4, 8, 16].includes(bits as number)) return undefined;
  return Math.ceil((width * components * (bits as number)) / 8) * height;
}

const isSide = (value: Value | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= LARGEST_SIDE;

/** Writers put a line end between the samples and `EI`, or none. */
function endBehind(content: Buffer, samplesEnd: number): number {
  let at = samplesEnd;
  while (at < samplesEnd + 3 && isBlankAt(content, at)) at += 1;
  return content.toString('latin1', at, at + 2) === 'EI' && isBlankAt(content, at + 2) ? at + 2 : -1;
}

function loneEnd(content: Buffer, start: number): number {
  for (let at = content.indexOf('EI', start); at !== -1; at = content.indexOf('EI', at + 1))
    if (isBlankAt(content, at - 1) && isBlankAt(content, at + 2)) return at + 2;
  return -1;
}

/** The end of the content counts as a blank. */
const isBlankAt = (content: Buffer, at: number): boolean => at >= content.length || isBlank(content[at]);

function canBeUnpacked(data: Buffer, filter: string): boolean {
  const options = { parameters: new Map(), most: MOST_PIXELS * 4, isTolerant: false };
  return !FLATE.includes(filter) || Buffer.isBuffer(unfilter(filter, data, options));
}
