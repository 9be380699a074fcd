// Writes a whole PDF anew: only what the catalog leads to, under new numbers, with a plain table of places at the end. The same
// objects give the same bytes. It must never write what nothing leads to: removed scripts and earlier versions stay behind.
import { createHash } from 'node:crypto';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';

/** @param original the bytes that the document came from: what the new identifier stands for */
export function writePdf(context: PDFContext, original: Uint8Array): Uint8Array {
  const { Root, Info } = context.trailerInfo;
  const found = reachable(context, [Root, Info]);
  const size = found.objects.length + 1;
  const places: number[] = [];
  // A version of PDF, and bytes that say that the file is not text (ISO 32000-1, 7.5.2).
  const head = Buffer.from(`%PDF-${versionOf(context)}\n%\u00e2\u00e3\u00cf\u00d3\n`, 'latin1');
  const parts: Uint8Array[] = [head];
  let at = head.length;
  const add = (part: Uint8Array) => {
    parts.push(part);
    at += part.length;
  };
  for (const [index, object] of found.objects.entries()) {
    places.push(at);
    add(Buffer.from(`${index + 1} 0 obj\n`, 'latin1'));
    add(bytesOfObject(object));
    add(Buffer.from('\nendobj\n', 'latin1'));
  }
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  const id = [sha256(original), hash.digest()].map((digest) => `<${digest.toString('hex', 0, 16)}>`);
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  const trailer = [
    `/Size ${size}`,
    `/Root ${found.refOf(Root)}`,
    ...(Info instanceof PDFRef && found.has(Info) ? [`/Info ${found.refOf(Info)}`] : []),
    `/ID [${id.join(' ')}]`,
  ];
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  const end = `${table}trailer\n<< ${trailer.join(' ')} >>\nstartxref\n${at}\n%%EOF\n`;
  add(Buffer.from(end, 'latin1'));
  return Buffer.concat(parts, at);
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** At least 1.7, which has all that is written here. */
const versionOf = ({ header }: PDFContext): string => (/%PDF-2/.test(header.toString()) ? '2.0' : '1.7');

/** As it stands between `obj` and `endobj`. */
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

/** All objects that these lead to, with references that count them in the order in which they were met. */
function reachable(context: PDFContext, roots: readonly (PDFObject | undefined)[]): Reached {
  const numbers = new Map<PDFRef, PDFRef>();
  const objects: PDFObject[] = [];
  const waiting: PDFObject[] = [];
  const seen = new Set<PDFObject>();
  /** What stands for the object in the new file. */
  const renamed = (value: PDFObject): PDFObject => {
    if (!(value instanceof PDFRef)) {
      if (value instanceof PDFDict || value instanceof PDFArray) waiting.push(value);
      return value;
    }
    const known = numbers.get(value);
    if (known) return known;
    const object = context.lookup(value);
    if (object === undefined || object === PDFNull) return PDFNull;
    const ref = PDFRef.of(objects.push(object));
    numbers.set(value, ref);
    waiting.push(object);
    return ref;
  };
  for (const root of roots) if (root) renamed(root);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
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
