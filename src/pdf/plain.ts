// Tells the files that cost nothing: small ones, in which no page can be slow to draw. Everything that could be is called
// unusual, most of which is honest all the same. It must never cost more than a search through a small file.
import { inflateSync } from 'node:zlib';
import { searchable } from './bytes.ts';
import { ENGINE_LIMITS } from './engine/limits.ts';
import { isHostileStreams } from './hostile-input.ts';

// What draws other things many times, is packed in ways not looked into here, asks for a password, or is a name
// written in another way (ISO 32000-1, 7.3.5). Form fields are drawn from the tree of the form.
const UNUSUAL =
  /\/(Encrypt|PatternType|ShadingType|Type3|Subtype\s*\/Form|AcroForm|XFA|UserUnit|Crypt|LZW\w*|LZWDecode|ASCII\w+Decode|RunLengthDecode|CCITTFaxDecode|JBIG2Decode|JPXDecode|Filter\s*\[|F\s*\[|Predictor)|\/[^\s/<>[\](){}%]*#[0-9A-Fa-f]{2}/;
/** Short dashes of a long line: ISO 32000-1, 8.4.3.6. */
const DASHES = /\[\s*[\d.][^\]]*\]\s*[\d.+-]+\s+d\b/;
const PICTURE = /\/Subtype\s*\/Image/;
const INFLATED_BYTES = 4 * 1024 * 1024;
const STREAMS = 2000;

/** Whether the file is whole by its looks, small, and has nothing in it that a page could be slow by. */
export function isPlain(bytes: Uint8Array): boolean {
  if (bytes.length > ENGINE_LIMITS.inProcessBytes || isHostileStreams(bytes)) return false;
  const file = searchable(bytes);
  const tail = file.toString('latin1', Math.max(0, file.length - 1024));
  if (!tail.includes('startxref') || !tail.includes('%%EOF')) return false;
  let inflatedBytes = 0;
  let at = 0;
  for (let count = 0; count < STREAMS; count += 1) {
    const start = file.indexOf('stream', at);
    const between = file.toString('latin1', at, start === -1 ? file.length : start);
    if (UNUSUAL.test(withoutXref(between))) return false;
    if (start === -1) return true;
    const end = file.indexOf('endstream', start);
    if (end === -1) return false;
    const dictionary = between.slice(between.lastIndexOf(' obj'));
    const content = contentOf(file.subarray(start, end), dictionary, INFLATED_BYTES - inflatedBytes);
    if (!content || UNUSUAL.test(content) || DASHES.test(content)) return false;
    inflatedBytes += content.length;
    at = end + 'endstream'.length;
  }
  return false;
}

/** A stream of cross references is packed row by row, which says nothing of the pages. */
const withoutXref = (text: string): string =>
  /\/Type\s*\/XRef\b/.test(text) ? text.replace(/\/Predictor\b/g, '') : text;

/** What stands in a stream as text; a picture's pixels are none. Undefined for what is not looked into. */
function contentOf(stream: Buffer, dictionary: string, mostBytes: number): string | undefined {
  if (PICTURE.test(dictionary))
    return pixelsOf(dictionary) <= ENGINE_LIMITS.inProcessPixels ? '\n' : undefined;
  const from = stream[6] === 0x0d && stream[7] === 0x0a ? 8 : 7;
  const body = stream.subarray(from);
  if (body.length > mostBytes) return undefined;
  if (!/\/Filter\b/.test(dictionary)) return `${body.toString('latin1')}\n`;
  if (!/\/Filter\s*\/FlateDecode\b/.test(dictionary)) return undefined;
  try {
    return `${inflateSync(body, { maxOutputLength: Math.max(1, mostBytes) }).toString('latin1')}\n`;
  } catch {
    return undefined;
  }
}

function pixelsOf(dictionary: string): number {
  const [, width] = /\/Width\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary) ?? [];
  const [, height] = /\/Height\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary) ?? [];
  const pixels = Number(width) * Number(height);
  // A JPEG has a size of its own, and may be one that takes long.
  return /\/DCTDecode/.test(dictionary) || Number.isNaN(pixels) ? Number.POSITIVE_INFINITY : pixels;
}
