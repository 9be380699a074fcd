// Writes the values of a PDF as text, with one character for each byte. `reader/` reads them back as the same values.
import { PdfStream, PdfString, Ref, type Value } from './values.ts';

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
  return writeDictionary([...value].map(([key, one]) => [key, writeValue(one)]));
}

/** @param entries each value as it is to stand there */
export const writeDictionary = (entries: Iterable<readonly [key: string, text: string]>): string =>
  `<<\n${[...entries].map(([key, text]) => `${writeName(key)} ${text}`).join('\n')}\n>>`;

/** @param name as bytes, without the slash */
export const writeName = (name: string): string => `/${name.replace(/[^!-~]|[#()<>[\]{}/%]/g, escaped)}`;

const escaped = (one: string): string => `#${one.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;

/** PDF knows no exponents. */
const writeNumber = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(0) : value.toFixed(6).replace(/0+$/, '');

/** In hexadecimal digits, of which none means anything to a reader. */
export const writeHex = (bytes: Uint8Array): string =>
  `<${Buffer.from(bytes).toString('hex').toUpperCase()}>`;

/** Text of people, in UTF-16 with its mark. */
export const writeText = (text: string): string => writeHex(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16());
