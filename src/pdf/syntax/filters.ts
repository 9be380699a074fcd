// Unpacks the data of a stream (ISO 32000-2, 7.4) within limits. It must never decode a picture, and never guess: data that
// is damaged gives nothing.
import { inflateSync } from 'node:zlib';
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { Dict, Value } from './values.ts';

type Filter = (data: Buffer, parameters: Dict, most: number) => Buffer | undefined;

const FILTERS: Record<string, Filter> = {
  FlateDecode: flate,
  Fl: flate,
  LZWDecode: lzw,
  LZW: lzw,
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
  RunLengthDecode: runLength,
  RL: runLength,
};

/**
 * What the packed `data` unpacks to, or undefined where it cannot be unpacked or is larger than `most`.
 * @param resolve follows references in the dictionary
 */
export function decode(
  data: Buffer,
  dict: Dict,
  resolve: (value: Value) => Value,
  most: number,
): Buffer | undefined {
  const named = resolve(dict.get('Filter') ?? null);
  const given = resolve(dict.get('DecodeParms') ?? null);
  // Readers disagree on parameters that are listed where the filter is not, or the other way around, and on data of another file.
  if ((given !== null && Array.isArray(named) !== Array.isArray(given)) || dict.has('F')) return undefined;
  const filters = named === null ? [] : [named].flat().map(resolve);
  const parameters = [given].flat().map((one) => parametersOf(resolve(one), resolve));
  if (filters.length > DOCUMENT_LIMITS.filters || parameters.includes(undefined)) return undefined;
  let bytes: Buffer | undefined = data;
  for (const [index, name] of filters.entries()) {
    const filter = typeof name === 'string' && Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    bytes = filter?.(bytes, parameters[index] ?? new Map(), most);
    if (!bytes) return undefined;
  }
  return bytes.length > most ? undefined : bytes;
}

/** What says how the data is unpacked. */
const NUMBERS = ['Predictor', 'Colors', 'BitsPerComponent', 'Columns', 'EarlyChange'];

/** The parameters of a filter without references. Undefined where a number is none: readers round it, or leave it out. */
function parametersOf(value: Value, resolve: (value: Value) => Value): Dict | undefined {
  if (!(value instanceof Map)) return value === null ? new Map() : undefined;
  const parameters = new Map([...value].map(([key, one]) => [key, resolve(one)]));
  const isNumber = (key: string) => !parameters.has(key) || Number.isInteger(parameters.get(key));
  return NUMBERS.every(isNumber) ? parameters : undefined;
}

function flate(data: Buffer, parameters: Dict, most: number): Buffer | undefined {
  try {
    const bytes = inflateSync(data, { maxOutputLength: most });
    return predicted(bytes, parameters);
  } catch {
    return undefined;
  }
}

function lzw(data: Buffer, parameters: Dict, most: number): Buffer | undefined {
  const bytes = unpackLzw(data, parameters.get('EarlyChange') === 0 ? 0 : 1, most);
  return bytes && predicted(bytes, parameters);
}

const [CLEAR, END, FIRST_FREE, TABLE] = [256, 257, 258, 4096];

/** Each code stands for what an earlier place of the output says, and one byte more: nothing is put together. */
function unpackLzw(data: Buffer, earlyChange: 0 | 1, most: number): Buffer | undefined {
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
    if (code > next || (code === next && previous === -1)) return undefined;
    const length = code < CLEAR ? 1 : code === next ? lengthOf(previous, lengths) + 1 : lengths[code]!;
    if (size + length > most) return undefined;
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

function asciiHex(data: Buffer): Buffer | undefined {
  const text = data.toString('latin1').split('>', 1)[0]!.replace(/\s+/g, '');
  if (!/^[0-9a-fA-F]*$/.test(text)) return undefined;
  return Buffer.from(text.length % 2 === 0 ? text : `${text}0`, 'hex');
}

function ascii85(data: Buffer): Buffer | undefined {
  const text = data.toString('latin1').split('~', 1)[0]!.replace(/\s+/g, '');
  const out = Buffer.alloc(text.length * 4 + 4);
  let [size, digits, value] = [0, 0, 0];
  for (const character of text) {
    if (character === 'z' && digits === 0) {
      size += 4;
      continue;
    }
    const digit = character.charCodeAt(0) - 0x21;
    if (digit < 0 || digit > 84) return undefined;
    value = value * 85 + digit;
    digits += 1;
    if (digits < 5) continue;
    if (value >= 2 ** 32) return undefined;
    size = out.writeUInt32BE(value, size);
    [digits, value] = [0, 0];
  }
  if (digits === 1) return undefined;
  if (digits > 1) {
    for (let missing = digits; missing < 5; missing += 1) value = value * 85 + 84;
    out.writeUInt32BE(value % 2 ** 32, size);
    size += digits - 1;
  }
  return out.subarray(0, size);
}

function runLength(data: Buffer, _: Dict, most: number): Buffer | undefined {
  const parts: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < data.length && data[at] !== 128; ) {
    const length = data[at]!;
    const part =
      length < 128
        ? data.subarray(at + 1, at + 2 + length)
        : Buffer.alloc(257 - length, data.subarray(at + 1, at + 2));
    parts.push(part);
    size += part.length;
    if (size > most) return undefined;
    at += length < 128 ? length + 2 : 2;
  }
  return Buffer.concat(parts, size);
}

/** Undoes what a predictor did to make rows pack better (7.4.4.4). */
function predicted(data: Buffer, parameters: Dict): Buffer | undefined {
  const number = (key: string, otherwise: number) => Number(parameters.get(key) ?? otherwise);
  const predictor = number('Predictor', 1);
  if (predictor === 1) return data;
  const bits = number('Colors', 1) * number('BitsPerComponent', 8);
  const row = Math.ceil((bits * number('Columns', 1)) / 8);
  const pixel = Math.max(1, Math.ceil(bits / 8));
  if (!(row > 0) || row > DOCUMENT_LIMITS.streamBytes) return undefined;
  if (predictor === 2) return number('BitsPerComponent', 8) === 8 ? tiffRows(data, row, pixel) : undefined;
  return predictor >= 10 && predictor <= 15 ? pngRows(data, row, pixel) : undefined;
}

function tiffRows(data: Buffer, row: number, pixel: number): Buffer {
  const out = Buffer.from(data);
  for (let at = 0; at < out.length; at += 1)
    if (at % row >= pixel) out[at] = (out[at]! + out[at - pixel]!) & 0xff;
  return out;
}

function pngRows(data: Buffer, row: number, pixel: number): Buffer | undefined {
  const rows = Math.ceil(data.length / (row + 1));
  const out = Buffer.alloc(rows * row);
  let size = 0;
  for (let index = 0; index < rows; index += 1) {
    const from = index * (row + 1);
    const kind = data[from]!;
    const length = Math.min(row, data.length - from - 1);
    if (kind > 4) return undefined;
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
