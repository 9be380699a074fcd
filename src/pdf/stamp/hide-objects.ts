// Encodes streams in whose bytes readers would find objects of the file, such as a PDF inside that is hardly compressed: readers that search a file
// take them for its own, so a seal over them is not valid (0019).
import { deflateSync } from 'node:zlib';
import { PDFArray, PDFName, PDFNull, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib';

const FILTER = PDFName.of('Filter');
const PARAMETERS = PDFName.of('DecodeParms');
/** The data is in another file. */
const EXTERNAL = PDFName.of('F');

/** @returns the object that stands for it in the file */
export function withoutObjectsInside(object: PDFObject): PDFObject {
  if (!(object instanceof PDFRawStream) || object.dict.has(EXTERNAL)) return object;
  const data = object.getContents();
  if (!mayHoldObjects(data)) return object;
  const filter = object.dict.lookup(FILTER);
  const packed = filter === undefined || filter === PDFNull ? deflateSync(data) : undefined;
  if (packed && !mayHoldObjects(packed)) return encoded(object, packed, 'FlateDecode');
  // Flate leaves what is compressed already as it is.
  return encoded(object, ascii85(data), 'ASCII85Decode');
}

/** Whether some reader would take a place in the data for the beginning of an object, such as `12 0 obj`, also with comments in it. */
function mayHoldObjects(data: Uint8Array): boolean {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  for (let at = bytes.indexOf('obj', 1); at !== -1; at = bytes.indexOf('obj', at + 1)) {
    if (!BEFORE_OBJ.includes(bytes[at - 1]!)) continue;
    const before = bytes.toString('latin1', Math.max(0, at - HEAD_BYTES), at).replace(COMMENT, ' ');
    if (NUMBERS.test(before)) return true;
  }
  return false;
}

/** Digits and what stands between words. */
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

/** Five characters for four bytes, without blanks (ISO 32000-1, 7.4.3). */
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
