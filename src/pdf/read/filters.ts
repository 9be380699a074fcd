// Undoes the filters of streams (ISO 32000-2, 7.4) within limits: strictly, where damaged data gives nothing, or tolerantly, where it
// gives what the most tolerant readers get of it. It must never decode a picture, or hold more than it was allowed.
import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { GREATER, isBlank } from './characters.ts';
import type { Dict, Value } from './values.ts';

/** The answer of a filter is `too_large` where it is more than `most` bytes. */
export type Unfiltered = Buffer | 'too_large' | 'damaged';

export type FilterOptions = {
  parameters: Dict;
  most: number;
  /** Damaged data is read as far as it goes, and predictors stay, which change no size. */
  isTolerant: boolean;
};

type Filter = (data: Buffer, options: FilterOptions) => Unfiltered;

const FILTERS = new Map<Value, Filter>([
  ['FlateDecode', flate],
  ['Fl', flate],
  ['LZWDecode', lzw],
  ['LZW', lzw],
  ['ASCIIHexDecode', asciiHex],
  ['AHx', asciiHex],
  ['ASCII85Decode', ascii85],
  ['A85', ascii85],
  ['RunLengthDecode', runLength],
  ['RL', runLength],
]);

/** Undoes one filter; undefined for one that is not known, and for those of pictures. */
export const unfilter = (name: Value, data: Buffer, options: FilterOptions): Unfiltered | undefined =>
  FILTERS.get(name)?.(data, options);

/**
 * Unpacks `data`, or returns undefined where it cannot be unpacked or is larger than `most`.
 * @param resolve follows references in the dictionary
 */
export function decode(
  data: Buffer,
  dict: Dict,
  resolve: (value: Value) => Value,
  most: number,
): Buffer | undefined {
  const named = resolve(dict.get('Filter') ?? null);
  const decodeParms = resolve(dict.get('DecodeParms') ?? null);
  // Readers disagree on parameters that are listed where the filter is not, or the other way around, and on data of another file.
  if ((decodeParms !== null && Array.isArray(named) !== Array.isArray(decodeParms)) || dict.has('F'))
    return undefined;
  const filters = named === null ? [] : [named].flat().map(resolve);
  const parameters = [decodeParms].flat().map((item) => parametersOf(resolve(item)));
  if (filters.length > DOCUMENT_LIMITS.filters || parameters.includes(undefined)) return undefined;
  let bytes = data;
  for (const [index, name] of filters.entries()) {
    const options = { parameters: parameters[index] ?? new Map(), most, isTolerant: false };
    const output = unfilter(name, bytes, options);
    if (!Buffer.isBuffer(output)) return undefined;
    bytes = output;
  }
  return bytes.length > most ? undefined : bytes;
}

/** These entries say how the data is unpacked, with the values that all readers know. */
const NUMBERS: Record<string, (value: number) => boolean> = {
  Predictor: (value) => value === 1 || value === 2 || (value >= 10 && value <= 15),
  Colors: (value) => value >= 1 && value <= 32,
  BitsPerComponent: (value) => [1, 2, 4, 8, 16].includes(value),
  Columns: (value) => value >= 1 && value < 1 << 24,
  EarlyChange: (value) => value === 0 || value === 1,
};

/**
 * Reads the parameters of a filter. Returns undefined where a number is none of those, or an object of its own: readers round it, or leave
 * it out.
 */
function parametersOf(value: Value): Dict | undefined {
  if (!(value instanceof Map)) return value === null ? new Map() : undefined;
  const isUsual = (key: string) => {
    const number = value.get(key) ?? null;
    return number === null || (Number.isInteger(number) && NUMBERS[key]!(number as number));
  };
  return Object.keys(NUMBERS).every(isUsual) ? value : undefined;
}

// ── Flate ───────────────────────────────────────────────────────────────────────────────────────────────────────

function flate(data: Buffer, options: FilterOptions): Unfiltered {
  const { most, isTolerant, parameters } = options;
  if (isTolerant) return inflateTolerantly(data, most);
  const bytes = inflate(inflateSync, data, { maxOutputLength: most });
  return Buffer.isBuffer(bytes) ? predicted(bytes, parameters) : bytes;
}

/** Truncated data counts up to its end, and a wrong checksum is ignored: PDFium ignores it. */
export function inflateTolerantly(data: Buffer, most: number, chunkSize?: number): Unfiltered {
  const options = {
    maxOutputLength: most,
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(chunkSize !== undefined && { chunkSize }),
  };
  const bytes = inflate(inflateSync, data, options);
  return bytes === 'damaged' ? inflate(inflateRawSync, data.subarray(2), options) : bytes;
}

function inflate(by: typeof inflateSync, data: Buffer, options: Parameters<typeof inflateSync>[1]) {
  try {
    return by(data, options);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'damaged';
  }
}

// ── LZW ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Readers that do not know the parameter take either value of /EarlyChange: tolerantly, the one that gives more counts. */
function lzw(data: Buffer, { parameters, most, isTolerant }: FilterOptions): Unfiltered {
  if (!isTolerant) {
    const bytes = unpackLzw(data, parameters.get('EarlyChange') === 0 ? 0 : 1, { most, isTolerant });
    return Buffer.isBuffer(bytes) ? predicted(bytes, parameters) : bytes;
  }
  const [late, early] = ([1, 0] as const).map((change) => unpackLzw(data, change, { most, isTolerant }));
  if (!Buffer.isBuffer(late) || !Buffer.isBuffer(early)) return 'too_large';
  return late.length >= early.length ? late : early;
}

const [CLEAR, END, FIRST_FREE, TABLE] = [256, 257, 258, 4096];

/** Each code stands for what an earlier place of the output says, and one byte more: nothing is put together. */
function unpackLzw(
  data: Buffer,
  earlyChange: 0 | 1,
  { most, isTolerant }: Pick<FilterOptions, 'most' | 'isTolerant'>,
): Unfiltered {
  const starts = new Uint32Array(TABLE);
  const lengths = new Uint32Array(TABLE);
  let out = Buffer.allocUnsafe(Math.min(most, Math.max(1024, data.length * 4)));
  let size = 0;
  let next = FIRST_FREE;
  let bits = 9;
  let previous = -1;
  let held = 0;
  let heldBits = 0;
  for (let at = 0; ; ) {
    while (heldBits < bits && at < data.length) {
      held = ((held << 8) | data[at++]!) & 0xfffffff;
      heldBits += 8;
    }
    if (heldBits < bits) return out.subarray(0, size);
    heldBits -= bits;
    const code = (held >> heldBits) & ((1 << bits) - 1);
    if (code === END) return out.subarray(0, size);
    if (code === CLEAR) {
      [next, bits, previous] = [FIRST_FREE, 9, -1];
      continue;
    }
    if (code > next || (code === next && previous === -1))
      return isTolerant ? out.subarray(0, size) : 'damaged';
    const length = code < CLEAR ? 1 : code === next ? lengthOf(previous, lengths) + 1 : lengths[code]!;
    if (size + length > most) return 'too_large';
    if (size + length > out.length)
      out = Buffer.concat([out.subarray(0, size)], Math.min(most, (size + length) * 2));
    // A code that is not there yet repeats what was written before, and its first byte.
    const from = code < CLEAR ? -1 : code === next ? size - lengthOf(previous, lengths) : starts[code]!;
    if (from === -1) out[size] = code;
    else for (let index = 0; index < length; index += 1) out[size + index] = out[from + index]!;
    if (previous !== -1 && next < TABLE) {
      const before = lengthOf(previous, lengths);
      starts[next] = size - before;
      lengths[next] = before + 1;
      next += 1;
    }
    previous = code;
    size += length;
    if (next + earlyChange >= 1 << bits && bits < 12) bits += 1;
  }
}

const lengthOf = (code: number, lengths: Uint32Array) => (code < CLEAR ? 1 : lengths[code]!);

// ── text and run lengths ────────────────────────────────────────────────────────────────────────────────────────

const NO_DIGIT = 16;

/** The table tells what each byte is as a hexadecimal digit, or {@link NO_DIGIT}. */
const HEX = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * A byte has two digits, the last of which may be missing (7.4.2). No pattern is matched against the data: its steps would have no limit.
 */
function asciiHex(data: Buffer, { most, isTolerant }: FilterOptions): Unfiltered {
  const out = Buffer.alloc(Math.min(Math.ceil(data.length / 2), most));
  let digits = 0;
  for (const byte of data) {
    if (byte === GREATER) break;
    if (isBlank(byte)) continue;
    const digit = HEX[byte]!;
    if (digit === NO_DIGIT) {
      if (isTolerant) continue;
      return 'damaged';
    }
    const at = digits >> 1;
    if (at >= most) return 'too_large';
    out[at] = digits % 2 === 0 ? digit << 4 : out[at]! | digit;
    digits += 1;
  }
  return out.subarray(0, Math.ceil(digits / 2));
}

const [FIRST_DIGIT, LAST_DIGIT, LETTER_Z, TILDE] = [0x21, 0x75, 0x7a, 0x7e];

/** Five characters stand for four bytes, and `z` for four zeros (7.4.3). */
function ascii85(data: Buffer, { most, isTolerant }: FilterOptions): Unfiltered {
  const out = Buffer.alloc(data.length * 4 + 4);
  let [size, digits, value] = [0, 0, 0];
  for (const byte of data) {
    if (byte === TILDE) break;
    if (byte === LETTER_Z && digits === 0) {
      size += 4;
      continue;
    }
    if (byte < FIRST_DIGIT || byte > LAST_DIGIT) {
      if (isTolerant || isBlank(byte)) continue;
      return 'damaged';
    }
    value = value * 85 + byte - FIRST_DIGIT;
    digits += 1;
    if (digits < 5) continue;
    if (value >= 2 ** 32 && !isTolerant) return 'damaged';
    size = out.writeUInt32BE(value % 2 ** 32, size);
    [digits, value] = [0, 0];
  }
  if (digits === 1 && !isTolerant) return 'damaged';
  if (digits > 1) {
    for (let missing = digits; missing < 5; missing += 1) value = value * 85 + 84;
    out.writeUInt32BE(value % 2 ** 32, size);
    size += digits - 1;
  }
  return size > most ? 'too_large' : out.subarray(0, size);
}

const END_OF_RUNS = 128;

/** Readers fill what is missing at the end in different ways. */
function runLength(data: Buffer, { most, isTolerant }: FilterOptions): Unfiltered {
  const pieces: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < data.length && data[at] !== END_OF_RUNS; ) {
    const length = data[at]!;
    const isCopied = length < END_OF_RUNS;
    const end = at + (isCopied ? length + 2 : 2);
    if (end > data.length && !isTolerant) return 'damaged';
    const part = isCopied ? data.subarray(at + 1, end) : Buffer.alloc(257 - length, data[at + 1] ?? 0);
    pieces.push(part);
    size += part.length;
    if (size > most) return 'too_large';
    at = end;
  }
  return Buffer.concat(pieces, size);
}

// ── predictors ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Undoes what a predictor did to make rows pack better (7.4.4.4). */
function predicted(data: Buffer, parameters: Dict): Unfiltered {
  const number = (key: string, otherwise: number) => Number(parameters.get(key) ?? otherwise);
  const predictor = number('Predictor', 1);
  if (predictor === 1) return data;
  const bits = number('Colors', 1) * number('BitsPerComponent', 8);
  const row = Math.ceil((bits * number('Columns', 1)) / 8);
  const pixel = Math.max(1, Math.ceil(bits / 8));
  if (!(row > 0) || row > DOCUMENT_LIMITS.streamBytes) return 'damaged';
  if (predictor === 2) return number('BitsPerComponent', 8) === 8 ? tiffRows(data, row, pixel) : 'damaged';
  return predictor >= 10 && predictor <= 15 ? pngRows(data, row, pixel) : 'damaged';
}

function tiffRows(data: Buffer, row: number, pixel: number): Buffer {
  const out = Buffer.from(data);
  for (let at = 0; at < out.length; at += 1)
    if (at % row >= pixel) out[at] = (out[at]! + out[at - pixel]!) & 0xff;
  return out;
}

function pngRows(data: Buffer, row: number, pixel: number): Unfiltered {
  const rows = Math.ceil(data.length / (row + 1));
  const out = Buffer.alloc(rows * row);
  let size = 0;
  for (let index = 0; index < rows; index += 1) {
    const from = index * (row + 1);
    const kind = data[from]!;
    const length = Math.min(row, data.length - from - 1);
    if (kind > 4) return 'damaged';
    for (let column = 0; column < length; column += 1) {
      const left = column >= pixel ? out[size + column - pixel]! : 0;
      const above = index > 0 ? out[size + column - row]! : 0;
      const corner = index > 0 && column >= pixel ? out[size + column - row - pixel]! : 0;
      out[size + column] = (data[from + 1 + column]! + guess(kind, left, above, corner)) & 0xff;
    }
    size += length;
  }
  return out.subarray(0, size);
}

function guess(kind: number, left: number, above: number, corner: number): number {
  if (kind === 0) return 0;
  if (kind === 1) return left;
  if (kind === 2) return above;
  if (kind === 3) return (left + above) >> 1;
  const estimate = left + above - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - above), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
