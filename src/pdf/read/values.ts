// Defines the values that a PDF is made of (ISO 32000-2, 7.3), as they come out of the reader, and writes them.

/** A name is text without the slash; a text is a `PdfString`, so that the two cannot be taken for each other. */
export type Value = null | boolean | number | string | PdfString | Ref | PdfStream | Value[] | Dict;
export type Dict = Map<string, Value>;

/** A reference is written as `12 0 R`. */
export class Ref {
  constructor(
    readonly number: number,
    readonly generation: number,
  ) {}
}

/** It has bytes between parentheses or angle brackets, with escapes undone. */
export class PdfString {
  constructor(
    readonly bytes: Buffer,
    readonly isHex: boolean,
    /** A text of an encrypted file may be taken as it is written, where other readers may decrypt it. */
    readonly isUndecrypted = false,
    /** Readers understand some bytes differently as they are written: a raw carriage return, half a byte at the end. */
    readonly written?: Buffer,
  ) {}
}

/** Its data lies in the file, from `start` up to `end`, still packed. */
export class PdfStream {
  constructor(
    readonly dict: Dict,
    readonly start: number,
    readonly end: number,
    /** The data of an encrypted file is decrypted by the object that the stream is. */
    readonly object?: { number: number; generation: number },
  ) {}
}

const BIG_ENDIAN = Buffer.from([0xfe, 0xff]);
const UTF8 = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * They are the characters of PDFDocEncoding that are not those of Latin-1, from 0x80 on (table D.2). The accents below the space are taken
 * as the control characters that they are to most programs.
 */
const SIGNS = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u009f€';

const fromDocEncoding = (text: string): string =>
  text.replace(/[\u0080-\u00a0]/g, (sign) => SIGNS[sign.charCodeAt(0) - 0x80]!);

/** Reads a text string (7.9.2.2). */
export function textOf(value: Value | undefined): string | undefined {
  if (!(value instanceof PdfString)) return undefined;
  const { bytes } = value;
  if (bytes.subarray(0, 3).equals(UTF8)) return bytes.toString('utf8', 3);
  if (!bytes.subarray(0, 2).equals(BIG_ENDIAN)) return fromDocEncoding(bytes.toString('latin1'));
  const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
  return Buffer.from(even).swap16().toString('utf16le');
}

function isSameString(a: PdfString, b: PdfString): boolean {
  const isWrittenAlike = a.written && b.written ? a.written.equals(b.written) : a.written === b.written;
  return isWrittenAlike && a.isUndecrypted === b.isUndecrypted && a.bytes.equals(b.bytes);
}

/** Tells whether two values are the same, references included: nothing is followed. Streams are the caller's business. */
export function isSame(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (a instanceof Ref) return b instanceof Ref && a.number === b.number && a.generation === b.generation;
  if (a instanceof PdfString) return b instanceof PdfString && isSameString(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isSame(item, b[index]));
  }
  if (!(a instanceof Map) || !(b instanceof Map) || a.size !== b.size) return false;
  for (const [key, value] of a) if (!b.has(key) || !isSame(value, b.get(key))) return false;
  return true;
}

export function writeValue(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return writeName(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Ref) return `${value.number} ${value.generation} R`;
  if (value instanceof PdfString) return writeHex(value.bytes);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(' ')}]`;
  // Its data is somewhere in a file, which is not known here.
  if (value instanceof PdfStream) throw new Error('A stream cannot be written as a value.');
  return writeDictionary([...value].map(([key, item]) => [key, writeValue(item)]));
}

/** @param entries each value as it is to stand there */
export const writeDictionary = (entries: Iterable<readonly [key: string, text: string]>): string =>
  `<<\n${[...entries].map(([key, text]) => `${writeName(key)} ${text}`).join('\n')}\n>>`;

/** @param name as bytes, without the slash */
export const writeName = (name: string): string => `/${name.replace(/[^!-~]|[#()<>[\]{}/%]/g, escaped)}`;

const escaped = (character: string): string =>
  `#${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;

/** PDF knows no exponents. */
const writeNumber = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(0) : value.toFixed(6).replace(/0+$/, '');

/** Hexadecimal digits mean nothing else to a reader. */
export const writeHex = (bytes: Uint8Array): string =>
  `<${Buffer.from(bytes).toString('hex').toUpperCase()}>`;

/** Text of people is in UTF-16 with its mark. */
export const writeText = (text: string): string => writeHex(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16());
