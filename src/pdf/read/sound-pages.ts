// Reads page count and page sizes of a PDF in which nothing is doubtful, without PDFium, which takes longer to load than
// everything else that is done with a small file. It must never answer where PDFium would answer differently: for
// unusual, damaged, ambiguous or merely rare files it returns undefined, and PDFium reads them.

import { type PageBox, roundedPoints } from '../geometry.ts';
import { SOUND_LIMITS } from '../limits.ts';
import type { PdfRemark } from '../remarks.ts';
import { scanPdf } from './byte-scan.ts';
import { isBlank } from './characters.ts';
import { type PdfFile, type PdfObject, type PdfView, readPdf, startxrefBefore } from './read-pdf.ts';
import { Scanner } from './scanner.ts';
import { type Dict, Ref, type Value } from './values.ts';

/** Reads what PDFium says of the same file (`inspectSound`), or undefined. The caller has refused hostile input before (`isWhole`). */
export function soundPages(
  bytes: Uint8Array,
  { maxPages }: { maxPages: number },
): { pages: PageBox[]; remarks: PdfRemark[] } | undefined {
  const sound = soundFile(bytes);
  if (!sound || sound.pages.length > maxPages) return undefined;
  const { hasSignature } = scanPdf(bytes);
  const boxes = sound.pages.map(({ box }) => box);
  return { pages: boxes, remarks: hasSignature ? [{ code: 'already_signed' }] : [] };
}

export type SoundFile = { file: PdfFile; pages: SoundPage[] };

const cache = new WeakMap<Uint8Array, { sound: SoundFile | undefined }>();

/** Reads the same file with its objects, for further reading. The result is kept, so that the same bytes are read once. */
export function soundFile(bytes: Uint8Array): SoundFile | undefined {
  const cached = cache.get(bytes) ?? { sound: readSound(bytes) };
  cache.set(bytes, cached);
  return cached.sound;
}

function readSound(bytes: Uint8Array): SoundFile | undefined {
  const { mayLackFonts, mayStateUserUnit } = scanPdf(bytes);
  if (mayLackFonts || mayStateUserUnit) return undefined;
  const file = readPdf(bytes);
  if (!file.ok || file.shift !== 0 || file.isEncrypted || !hasPlainEnd(file.bytes)) return undefined;
  if (!areSectionsSound(file) || !areObjectsSound(file)) return undefined;
  const pages = pagesOf(file, SOUND_LIMITS.pages);
  if (!pages || !agreesWithLinearization(file, pages) || file.isExhausted()) return undefined;
  return { file, pages };
}

// ── the file ────────────────────────────────────────────────────────────────────────────────────────────────────

const END = /^startxref\s+\d+\s+%%EOF$/;

/** Tells whether the file ends with `startxref` and `%%EOF`, and has no data after them. */
function hasPlainEnd(bytes: Buffer): boolean {
  const last = startxrefBefore(bytes, bytes.length);
  if (last?.end === undefined || bytes.length - last.end > SOUND_LIMITS.blanksAtEnd) return false;
  if (!isBlank(bytes[last.at - 1]) || !END.test(bytes.toString('latin1', last.at, last.end))) return false;
  return bytes.subarray(last.end).every((byte) => isBlank(byte));
}

/** Tells whether all sections are written as the standard says. Hybrid files, which have both kinds in one, are rare. */
function areSectionsSound({ bytes, sections, latest }: PdfFile): boolean {
  const size = latest.trailer.get('Size');
  if (typeof size !== 'number' || size > SOUND_LIMITS.objects) return false;
  return sections.every(({ kind, start, end, places, trailer }) => {
    if (kind === 'hybrid' || !isBlank(bytes[start - 1])) return false;
    if (kind === 'table' && !(isExactTable(bytes, start) && isFollowedByEnd(bytes, end))) return false;
    if (kind === 'stream' && !hasOnlyIntegers(bytes, start)) return false;
    return trailer.has('Size') && [...places.keys()].every((number) => number < size);
  });
}

/** Tells whether only `startxref` of this section and `%%EOF` follow its trailer. */
function isFollowedByEnd(bytes: Buffer, end: number): boolean {
  return new Scanner(bytes, end).takes('startxref');
}

const SUBSECTION = /^(\d{1,7}) (\d{1,7}) ?(?:\r\n|\r|\n)/;
const ENTRY_BYTES = 20;
const ENTRY = /^\d{10} \d{5} [nf](?: \r| \n|\r\n)$/;

/** Readers take the rows of a table to be 20 bytes long (ISO 32000-1, 7.5.4) without looking. */
function isExactTable(bytes: Buffer, start: number): boolean {
  const text = (from: number, length: number) => bytes.toString('latin1', from, from + length);
  const head = /^xref ?(?:\r\n|\r|\n)/.exec(text(start, 8));
  if (!head) return false;
  let at = start + head[0].length;
  for (;;) {
    const subsection = SUBSECTION.exec(text(at, 24));
    if (!subsection) return /^[\r\n]*trailer\b/.test(text(at, 16));
    at += subsection[0].length;
    for (let remaining = Number(subsection[2]); remaining > 0; remaining -= 1) {
      if (!ENTRY.test(text(at, ENTRY_BYTES))) return false;
      at += ENTRY_BYTES;
    }
  }
}

/** Tells whether every used object is present and in order: otherwise readers rebuild the table, each in its own way. */
function areObjectsSound({ bytes, sections, latest }: PdfFile): boolean {
  return sections.every(({ places }) =>
    [...places].every(([number, place]) => {
      if (place.kind === 'free') return true;
      const object = latest.object(number);
      if (!object || object.isDoubtful) return false;
      if (place.kind === 'packed') return isContainerSound(bytes, latest.object(place.container));
      return beginsObject(bytes, place.start, number, place.generation);
    }),
  );
}

function beginsObject(bytes: Buffer, start: number, number: number, generation: number): boolean {
  const text = bytes.toString('latin1', start, start + 24);
  const [, first, second] = /^(\d+)\s+(\d+)\s+obj\b/.exec(text) ?? [];
  return Number(first) === number && Number(second) === generation && isBlank(bytes[start - 1]);
}

function isContainerSound(bytes: Buffer, container: PdfObject | undefined): boolean {
  if (container?.start === undefined || container.isDoubtful || container.generation !== 0) return false;
  return hasOnlyIntegers(bytes, container.start);
}

/** `8.` is a number to some readers, and none that counts anything to others. */
function hasOnlyIntegers(bytes: Buffer, start: number): boolean {
  return !bytes.toString('latin1', start, bytes.indexOf('stream', start)).includes('.');
}

/** The first object of a file that is made for the web repeats what the page tree says, and readers believe it. */
function agreesWithLinearization({ bytes }: PdfFile, pages: SoundPage[]): boolean {
  const head = bytes.toString('latin1', 0, SOUND_LIMITS.headBytes);
  if (!head.includes('/Linearized')) return true;
  const numberAt = (key: string) => Number(new RegExp(`/${key}\\s+(\\d+)\\s*[/>]`).exec(head)?.[1]);
  // A file that was saved again is longer than it says, and read like any other.
  if (numberAt('L') !== bytes.length) return false;
  return numberAt('N') === pages.length && numberAt('O') === pages[0]?.number && !/\/P\s/.test(head);
}

// ── the pages ───────────────────────────────────────────────────────────────────────────────────────────────────

/** `entries` are those of the page, with what it inherits. */
export type SoundPage = { number: number; box: PageBox; dict: Dict; entries: Inherited };
type Inherited = { MediaBox?: Value; CropBox?: Value; Rotate?: Value; Resources?: Value };

/** Lists every page in reading order, or returns undefined when anything about the tree is not as it should be. */
function pagesOf(file: PdfFile, maxPages: number): SoundPage[] | undefined {
  const view = file.latest;
  const catalog = view.root && soundDict(view, view.root);
  if (catalog?.get('Type') !== 'Catalog' || !hasPlainForm(view, catalog)) return undefined;
  const root = catalog.get('Pages');
  const pages: SoundPage[] = [];
  const visited = new Set<number>();
  const visit = (value: Value | undefined, parent: number | undefined, above: Inherited, depth: number) => {
    if (!(value instanceof Ref) || visited.has(value.number) || depth > SOUND_LIMITS.depth) return false;
    visited.add(value.number);
    const dict = soundDict(view, value);
    if (!dict || !isChildOf(dict, parent)) return false;
    const entries = { ...above, ...inheritableOf(dict) };
    if (dict.get('Type') === 'Page') {
      const box = dict.has('Kids') ? undefined : boxOf(view, entries);
      if (box) pages.push({ number: value.number, box, dict, entries: entries });
      return box !== undefined && pages.length <= maxPages;
    }
    const kids = dict.get('Kids');
    if (dict.get('Type') !== 'Pages' || !Array.isArray(kids) || kids.length === 0) return false;
    const before = pages.length;
    for (const kid of kids) if (!visit(kid, value.number, entries, depth + 1)) return false;
    return dict.get('Count') === pages.length - before;
  };
  return visit(root, undefined, {}, 0) ? pages : undefined;
}

/** Forms of another kind (XFA) and signatures have answers of their own. A form without either changes nothing about pages. */
function hasPlainForm(view: PdfView, catalog: Dict): boolean {
  if (!catalog.has('AcroForm')) return true;
  const form = view.dict(catalog.get('AcroForm'));
  return form !== undefined && !form.has('XFA') && !form.has('SigFlags');
}

function isChildOf(dict: Dict, parent: number | undefined): boolean {
  const named = dict.get('Parent');
  return parent === undefined ? named === undefined : named instanceof Ref && named.number === parent;
}

/** Returns the dictionary that a reference names. All objects are known to be sound by then. */
function soundDict(view: PdfView, { number, generation }: Ref): Dict | undefined {
  const object = view.object(number);
  return object?.generation === generation && object.value instanceof Map ? object.value : undefined;
}

function inheritableOf(dict: Dict): Inherited {
  const entries: Inherited = {};
  for (const key of ['MediaBox', 'CropBox', 'Rotate', 'Resources'] as const) {
    const value = dict.get(key);
    if (value !== undefined) entries[key] = value;
  }
  return entries;
}

type Rectangle = [left: number, bottom: number, right: number, top: number];

function boxOf(view: PdfView, { MediaBox, CropBox, Rotate }: Inherited): PageBox | undefined {
  const media = rectangleOf(view, MediaBox);
  const crop = CropBox === undefined ? media : rectangleOf(view, CropBox);
  const rotation = rotationOf(Rotate);
  if (!media || !crop || rotation === undefined) return undefined;
  const across = lengthBetween(Math.max(media[0], crop[0]), Math.min(media[2], crop[2]));
  const up = lengthBetween(Math.max(media[1], crop[1]), Math.min(media[3], crop[3]));
  if (across === undefined || up === undefined) return undefined;
  const isTurned = rotation % 180 !== 0;
  return { width: isTurned ? up : across, height: isTurned ? across : up, rotation };
}

function rotationOf(value: Value | undefined): PageBox['rotation'] | undefined {
  if (value === undefined) return 0;
  return value === 0 || value === 90 || value === 180 || value === 270 ? value : undefined;
}

/** A rectangle has numbers in the array itself. Corners in another order have no length between them. */
function rectangleOf(view: PdfView, value: Value | undefined): Rectangle | undefined {
  const items = view.array(value);
  if (items?.length !== 4 || !items.every(isCoordinate)) return undefined;
  return items.map(Math.fround) as Rectangle;
}

const isCoordinate = (value: Value): value is number =>
  typeof value === 'number' && Math.abs(value) <= SOUND_LIMITS.coordinate;

/** Measures in points. Returns undefined where numbers of 32 bits, with which PDFium reckons, may be rounded to either side. */
function lengthBetween(from: number, to: number): number | undefined {
  const length = Math.fround(to - from);
  const thousandths = length * 1000;
  const fromHalf = Math.abs(thousandths - Math.floor(thousandths) - 0.5);
  const spacing = 2 ** (Math.floor(Math.log2(Math.max(Math.abs(from), Math.abs(to)))) - MANTISSA_BITS);
  return length >= SOUND_LIMITS.shortest && fromHalf > 1000 * spacing ? roundedPoints(length) : undefined;
}

/** A number of 32 bits has so many (IEEE 754). */
const MANTISSA_BITS = 23;
