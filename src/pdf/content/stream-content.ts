// Unpacks the content of pages and drawings as far as all viewers do: a packed stream that is truncated, or whose checksum is wrong,
// is read up to its end; anything else that is damaged gives nothing.
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  type PDFStream,
} from '@cantoo/pdf-lib';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { decode, unfilter } from '../read/filters.ts';
import type { Dict, Value } from '../read/values.ts';

/** @returns undefined where viewers would show different parts of it */
export function unpackContent(stream: PDFStream): Buffer | undefined {
  const bytes = Buffer.from(stream.getContents());
  const { dict } = stream;
  const filter = dict.lookup(PDFName.of('Filter'));
  if (filter === undefined || filter === PDFNull) return bytes;
  if (filter === PDFName.of('FlateDecode') && !dict.has(PDFName.of('DecodeParms'))) return inflated(bytes);
  const entries: Dict = new Map();
  for (const key of ['Filter', 'DecodeParms']) entries.set(key, readValue(dict.lookup(PDFName.of(key))));
  const filters = [entries.get('Filter') ?? null].flat();
  // Viewers do not agree on the end of truncated run lengths, and no writer uses them for content.
  if (filters.includes('RunLengthDecode') || filters.includes('RL')) return undefined;
  return decode(bytes, entries, (value) => value, MOST_BYTES);
}

const MOST_BYTES = DOCUMENT_LIMITS.streamBytes;

/** Viewers agree on what does not begin as the standard says only if it can be read to its end. */
function inflated(bytes: Buffer): Buffer | undefined {
  const options = { parameters: new Map(), most: MOST_BYTES, isTolerant: isZlib(bytes) };
  const output = unfilter('FlateDecode', bytes, options);
  return Buffer.isBuffer(output) ? output : undefined;
}

const isZlib = (bytes: Buffer): boolean =>
  bytes.length > 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

/** Filters and their parameters are made of names and numbers in dictionaries in an array. */
function readValue(object: PDFObject | undefined, depth = 3): Value {
  if (object instanceof PDFName) return object.decodeText();
  if (object instanceof PDFNumber) return object.asNumber();
  if (object instanceof PDFBool) return object.asBoolean();
  if (depth === 0) return null;
  if (object instanceof PDFArray)
    return object.asArray().map((_, index) => readValue(object.lookup(index), depth - 1));
  if (!(object instanceof PDFDict)) return null;
  return new Map(
    object.keys().map((key) => [key.decodeText(), readValue(object.lookup(key), depth - 1)] as const),
  );
}
