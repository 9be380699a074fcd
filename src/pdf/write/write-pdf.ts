// Rewrites a whole PDF: only the objects that the catalog refers to, with new numbers, and a plain cross-reference table at the end. The
// same objects give the same bytes. It must never write unreferenced objects: removed scripts and earlier versions are dropped.
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';

/** @param original the bytes that the document came from: what the new identifier stands for */
export function writePdf(context: PDFContext, original: Uint8Array): Uint8Array {
  const { Root } = context.trailerInfo;
  const Info = informationOf(context);
  const reached = reachable(context, [Root, Info]);
  const size = reached.objects.length + 1;
  // A version of PDF, and bytes that say that the file is not text (ISO 32000-1, 7.5.2).
  const head = `%PDF-${versionOf(context)}\n%\u00e2\u00e3\u00cf\u00d3\n`;
  const heads = reached.objects.map((_, index) => `${index + 1} 0 obj\n`);
  const sizes = reached.objects.map(
    (object, index) => heads[index]!.length + object.sizeInBytes() + TAIL.length,
  );
  const bodyBytes = sizes.reduce((sum, bytes) => sum + bytes, head.length);
  const room = bodyBytes + BYTES_OF_ROW * size + MOST_OF_TRAILER;
  // In one piece: put together from parts, it would be in memory twice.
  const file = Buffer.alloc(room);
  const places: number[] = [];
  let at = file.write(head, 'latin1');
  for (const [index, object] of reached.objects.entries()) {
    places.push(at);
    const start = at + file.write(heads[index]!, at, 'latin1');
    object.copyBytesInto(file, start);
    at += sizes[index]!;
    file.write(TAIL, at - TAIL.length, 'latin1');
  }
  const id = [sha256(original), sha256(file.subarray(0, at))].map(
    (digest) => `<${digest.toString('hex', 0, 16)}>`,
  );
  const trailer = [
    `/Size ${size}`,
    `/Root ${reached.refOf(Root)}`,
    ...(Info instanceof PDFRef && reached.has(Info) ? [`/Info ${reached.refOf(Info)}`] : []),
    `/ID [${id.join(' ')}]`,
  ];
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  const end = `${table}trailer\n<< ${trailer.join(' ')} >>\nstartxref\n${at}\n%%EOF\n`;
  return file.subarray(0, at + file.write(end, at, 'latin1'));
}

const TAIL = '\nendobj\n';
const BYTES_OF_ROW = 20;
const MOST_OF_TRAILER = 400;

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/**
 * Some trailers name the page tree or the catalog instead of the document's properties; Ghostscript does not open such a file (`Couldn't
 * initialise file`), so the entry is omitted.
 */
function informationOf(context: PDFContext): PDFObject | undefined {
  const { Info } = context.trailerInfo;
  const value = context.lookup(Info);
  return value instanceof PDFDict && value.has(TYPE) ? undefined : Info;
}

const TYPE = PDFName.of('Type');

/** Version 1.7 has all that is written here. */
const versionOf = ({ header }: PDFContext): string => (/%PDF-2/.test(header.toString()) ? '2.0' : '1.7');

/** Writes it as it stands between `obj` and `endobj`. */
export function bytesOfObject(object: PDFObject): Uint8Array {
  const bytes = new Uint8Array(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return bytes;
}

type Reached = {
  objects: PDFObject[];
  has(ref: PDFRef): boolean;
  refOf(ref: PDFObject | undefined): string;
};

const LENGTH = PDFName.of('Length');

/** Collects all objects that these lead to, with references that count them in the order in which they were met. */
function reachable(context: PDFContext, roots: readonly (PDFObject | undefined)[]): Reached {
  const numbers = new Map<PDFRef, PDFRef>();
  const objects: PDFObject[] = [];
  const waiting: PDFObject[] = [];
  const visited = new Set<PDFObject>();
  /** Returns what stands for the object in the new file. */
  const renamed = (value: PDFObject): PDFObject => {
    if (!(value instanceof PDFRef)) {
      if (value instanceof PDFDict || value instanceof PDFArray) waiting.push(value);
      return value;
    }
    const existing = numbers.get(value);
    if (existing) return existing;
    const stored = context.lookup(value);
    if (stored === undefined || stored === PDFNull) return PDFNull;
    const object = withoutObjectsInside(stored);
    const ref = PDFRef.of(objects.push(object));
    numbers.set(value, ref);
    waiting.push(object);
    return ref;
  };
  for (const root of roots) if (root) renamed(root);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    const dictionary = next instanceof PDFStream ? next.dict : next;
    if (dictionary instanceof PDFDict) {
      // The length of a stream is written with it.
      if (next instanceof PDFStream) dictionary.delete(LENGTH);
      for (const [key, value] of dictionary.entries()) dictionary.set(key, renamed(value));
    } else if (next instanceof PDFArray) {
      for (let index = 0; index < next.size(); index += 1) next.set(index, renamed(next.get(index)));
    }
  }
  return {
    objects,
    has: (ref) => numbers.has(ref),
    refOf: (ref) => numbers.get(ref as PDFRef)?.toString() ?? 'null',
  };
}

const FILTER = PDFName.of('Filter');
const PARAMETERS = PDFName.of('DecodeParms');
/** The data is in another file. */
const EXTERNAL = PDFName.of('F');

/** @returns the object that stands for it in the file */
function withoutObjectsInside(object: PDFObject): PDFObject {
  if (!(object instanceof PDFRawStream) || object.dict.has(EXTERNAL)) return object;
  const data = object.getContents();
  if (!mayHoldObjects(data)) return object;
  const filter = object.dict.lookup(FILTER);
  const packed = filter === undefined || filter === PDFNull ? deflateSync(data) : undefined;
  if (packed && !mayHoldObjects(packed)) return encoded(object, packed, 'FlateDecode');
  // Flate leaves what is compressed already as it is.
  return encoded(object, ascii85(data), 'ASCII85Decode');
}

/** Tells whether some reader would take a place in the data for the beginning of an object, such as `12 0 obj`, also with comments in it. */
function mayHoldObjects(data: Uint8Array): boolean {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  for (let at = bytes.indexOf('obj', 1); at !== -1; at = bytes.indexOf('obj', at + 1)) {
    if (!BEFORE_OBJ.includes(bytes[at - 1]!)) continue;
    const before = bytes.toString('latin1', Math.max(0, at - HEAD_BYTES), at).replace(COMMENT, ' ');
    if (NUMBERS.test(before)) return true;
  }
  return false;
}

/** Only digits and blanks may stand before the word. */
const BEFORE_OBJ = Buffer.from('0123456789 \t\n\f\r\0');
const HEAD_BYTES = 256;
const COMMENT = /%[^\r\n]*[\r\n]/g;
const NUMBERS = /\d[\s\0]+[+-]?\d+[\s\0]*$/;

function encoded({ dict }: PDFRawStream, data: Uint8Array, filter: string): PDFRawStream {
  const { context } = dict;
  const list = (value: PDFObject | undefined): PDFObject[] => {
    if (value instanceof PDFArray) return value.asArray();
    return value === undefined || value === PDFNull ? [] : [value];
  };
  const [filters, parameters] = [FILTER, PARAMETERS].map((key) => list(dict.lookup(key)));
  dict.set(FILTER, context.obj([PDFName.of(filter), ...filters!]));
  if (parameters!.length > 0) dict.set(PARAMETERS, context.obj([PDFNull, ...parameters!]));
  return PDFRawStream.of(dict, data);
}

const FIRST = 0x21;
const FOUR_ZEROS = 0x7a;
const END = '~>';
const GROUP = 4;
const BASE = 85;

/** Four bytes become five characters, without blanks (ISO 32000-1, 7.4.3). */
function ascii85(data: Uint8Array): Uint8Array {
  const groups = Math.ceil(data.length / GROUP);
  const out = Buffer.alloc(groups * (GROUP + 1) + END.length);
  let at = 0;
  for (let from = 0; from < data.length; from += GROUP) {
    const count = Math.min(GROUP, data.length - from);
    let value = 0;
    for (let index = 0; index < GROUP; index += 1) value = value * 256 + (data[from + index] ?? 0);
    if (value === 0 && count === GROUP) {
      out[at] = FOUR_ZEROS;
      at += 1;
      continue;
    }
    for (let index = GROUP; index >= 0; index -= 1) {
      out[at + index] = FIRST + (value % BASE);
      value = Math.floor(value / BASE);
    }
    at += count + 1;
  }
  at += out.write(END, at, 'latin1');
  return out.subarray(0, at);
}
