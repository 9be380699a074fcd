// Recognises plain files: small ones, in which no page can be slow to draw. Every construct that could be slow counts as unusual,
// although most of these are honest. It must never cost more than a search through a small file.
import { DOCUMENT_LIMITS, ENGINE_LIMITS } from '../limits.ts';
import { searchable } from './characters.ts';
import { unfilter } from './filters.ts';

// What draws other things many times, is packed in ways that are not unpacked here, asks for a password, or is a name
// written in another way (ISO 32000-1, 7.3.5). Form fields are drawn from the tree of the form, notes from drawings of their own, and layers may
// be hidden: what a sealed copy shows of them is compared with the page (0056).
const UNUSUAL =
  /\/(OCProperties|Subtype\s*\/(Text|FreeText|Line|Square|Circle|Poly|Highlight|Underline|Squiggly|StrikeOut|Stamp|Caret|Ink|FileAttachment|Sound|Movie|Widget|Screen|Watermark|Redact)|Encrypt|PatternType|ShadingType|Type3|Subtype\s*\/Form|AcroForm|XFA|UserUnit|Crypt|LZW\w*|LZWDecode|ASCII\w+Decode|RunLengthDecode|CCITTFaxDecode|JBIG2Decode|JPXDecode|Filter\s*\[|F\s*\[|Predictor)|\/[^\s/<>[\](){}%]*#[0-9A-Fa-f]{2}/;
// Readers look for the end of a file in its last kilobyte (ISO 32000-1, annex H.3.4.4).
const TAIL_BYTES = 1024;
/** A long line may have short dashes (ISO 32000-1, 8.4.3.6). */
const DASHES = /\[\s*[\d.][^\]]*\]\s*[\d.+-]+\s+d\b/;
const PICTURE = /\/Subtype\s*\/Image/;

const results = new WeakMap<Uint8Array, boolean>();

/**
 * Returns true if the file looks complete, is small, and has nothing that could make a page slow. The result is kept, because a command
 * asks before each job on the same bytes.
 */
export function isPlain(bytes: Uint8Array): boolean {
  const result = results.get(bytes) ?? hasOnlyPlainContent(bytes);
  results.set(bytes, result);
  return result;
}

function hasOnlyPlainContent(bytes: Uint8Array): boolean {
  if (bytes.length > ENGINE_LIMITS.plainBytes || !isWhole(bytes)) return false;
  const file = searchable(bytes);
  let inflatedBytes = 0;
  let at = 0;
  for (let count = 0; count < ENGINE_LIMITS.plainStreams; count += 1) {
    const start = file.indexOf('stream', at);
    const between = file.toString('latin1', at, start === -1 ? file.length : start);
    if (UNUSUAL.test(withoutXref(between))) return false;
    if (start === -1) return true;
    const end = file.indexOf('endstream', start);
    if (end === -1) return false;
    const dictionary = between.slice(between.lastIndexOf(' obj'));
    const content = contentOf(
      file.subarray(start, end),
      dictionary,
      ENGINE_LIMITS.plainUnpackedBytes - inflatedBytes,
    );
    if (!content || UNUSUAL.test(content) || DASHES.test(content)) return false;
    inflatedBytes += content.length;
    at = end + 'endstream'.length;
  }
  return false;
}

/** Tells whether the file ends as a sound file does, and has no content that makes a search through it slow. */
export function isWhole(bytes: Uint8Array): boolean {
  const file = searchable(bytes);
  const tail = file.toString('latin1', Math.max(0, file.length - TAIL_BYTES));
  return tail.includes('startxref') && tail.includes('%%EOF') && !isHostileStreams(bytes);
}

/** A stream of cross references is packed row by row, which says nothing of the pages. */
const withoutXref = (text: string): string =>
  /\/Type\s*\/XRef\b/.test(text) ? text.replace(/\/Predictor\b/g, '') : text;

/** Reads a stream as text; a picture's pixels are none. Returns undefined for streams that are not unpacked. */
function contentOf(stream: Buffer, dictionary: string, mostBytes: number): string | undefined {
  if (PICTURE.test(dictionary))
    return pixelsOf(dictionary) <= ENGINE_LIMITS.inProcessPixels ? '\n' : undefined;
  const from = stream[6] === 0x0d && stream[7] === 0x0a ? 8 : 7;
  const body = stream.subarray(from);
  if (body.length > mostBytes) return undefined;
  if (!/\/Filter\b/.test(dictionary)) return `${body.toString('latin1')}\n`;
  if (!/\/Filter\s*\/FlateDecode\b/.test(dictionary)) return undefined;
  const options = { parameters: new Map(), most: Math.max(1, mostBytes), isTolerant: false };
  const content = unfilter('FlateDecode', body, options);
  return Buffer.isBuffer(content) ? `${content.toString('latin1')}\n` : undefined;
}

function pixelsOf(dictionary: string): number {
  const [, width] = /\/Width\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary) ?? [];
  const [, height] = /\/Height\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary) ?? [];
  const pixels = Number(width) * Number(height);
  // A JPEG has a size of its own, and may be one that takes long.
  return /\/DCTDecode/.test(dictionary) || Number.isNaN(pixels) ? Number.POSITIVE_INFINITY : pixels;
}

/** Tells whether looking for the end of every stream would take seconds or more. It costs a search through the bytes. */
export function isHostileStreams(bytes: Uint8Array): boolean {
  return costsTooMuch(bytes, 'stream', 'endstream');
}

/** PDFium knows objects better than @cantoo/pdf-lib does, which would search for the end of each. */
export function isHostileObjects(bytes: Uint8Array): boolean {
  return costsTooMuch(bytes, ' obj', 'endobj') || isHostileStreams(bytes);
}

/** Counts the bytes outside of streams, which a parser reads one by one. */
export function looseBytes(bytes: Uint8Array): number {
  const text = searchable(bytes);
  let loose = 0;
  let at = 0;
  while (at < text.length) {
    const begin = text.indexOf('stream', at);
    if (begin === -1) return loose + text.length - at;
    const end = text.indexOf('endstream', begin);
    loose += begin - at;
    if (end === -1) return loose;
    at = end + 'endstream'.length;
  }
  return loose;
}

function costsTooMuch(bytes: Uint8Array, begin: string, end: string): boolean {
  const text = searchable(bytes);
  const allowed = DOCUMENT_LIMITS.searchBytes + DOCUMENT_LIMITS.searchesOfWholeFile * text.length;
  let searched = 0;
  let next = 0;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at + begin.length)) {
    if (next !== -1 && next < at) next = text.indexOf(end, at);
    searched += (next === -1 ? text.length : next) - at;
    if (searched > allowed) return true;
  }
  return false;
}
