// A save after a signature is written as ISO 32000 wants it (7.5.4, 7.5.6, 7.5.7, 7.5.8). Readers repair what is not, each in its own way, and may then show
// objects that this reader does not see. What the signed part looks like does not matter here.
import { READER_LIMITS } from '../../limits.ts';
import { isBlank } from '../../read/characters.ts';
import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import { type DictEntry, entriesAt, NOTHING, Scanner } from '../../read/scanner.ts';
import type { FileSection, ObjectPlace } from '../../read/sections.ts';
import { PdfStream, Ref } from '../../read/values.ts';
import { defineSaveRule, type Irregularity, irregular, type LaterSaves } from './rule.ts';

export const saveSyntax = defineSaveRule({
  name: 'save-syntax',
  allows:
    'Later saves are written as the standard requires: tables, offsets, numbers, streams and names that all programs read the same.',
  source: 'ISO 32000-2, 7.5.4 to 7.5.8',
  codes: ['update_irregular'],
  judge: (saves) => irregular(findIrregularity(saves)),
});

/** Finds the first thing in the later saves that readers may understand differently. */
function findIrregularity({ file, signed }: LaterSaves): Irregularity | undefined {
  for (let index = signed.index + 1; index < file.sections.length; index += 1) {
    const section = file.sections[index]!;
    // Ghostscript repairs files with such a save, and MuPDF follows the entry in a stream as well.
    if (section.trailer.has('XRefStm')) return { at: section.start, part: 'XRefStm' };
    const fault =
      sectionFault(file, index) ??
      endFault(file, section) ??
      earlierFault(file, index) ??
      placesFault(file, index) ??
      packedFault(file, index);
    if (fault) return fault;
  }
  return undefined;
}

/**
 * Finds the first thing in the signed part that readers may understand differently. It was signed as it is: they may have shown it
 * differently from the beginning.
 */
export function findSignedIrregularity(file: PdfFile, signed: PdfView): Irregularity | undefined {
  for (let index = 0; index <= signed.index; index += 1) {
    const fault = sectionFault(file, index) ?? placesFault(file, index);
    if (fault) return fault;
  }
  return undefined;
}

type FindFault = (file: PdfFile, index: number) => Irregularity | undefined;

/** The saves of a file are judged for each of its signatures. */
function oncePerSection(find: FindFault): FindFault {
  const faults = new WeakMap<FileSection, { fault: Irregularity | undefined }>();
  return (file, index) => {
    const section = file.sections[index]!;
    const stored = faults.get(section) ?? { fault: find(file, index) };
    faults.set(section, stored);
    return stored.fault;
  };
}

// ── sections ────────────────────────────────────────────────────────────────────────────────────────────────────

const HEAD = /\s*xref *(?:\r\n|\n|\r)/y;
const SUBSECTION = /(\d{1,10}) (\d{1,10}) *(?:\r\n|\n|\r)/y;
/** Each has twenty bytes, from which readers compute where an entry is. */
const ENTRY_BYTES = 20;
const ENTRY = /^\d{10} \d{5} [nf](?: \r| \n|\r\n)$/;
const TRAILER = /\s*trailer\b/y;
const PLAIN_KEY = /^[\w.:-]{1,127}$/;
const WHOLE = /^\d{1,10}$/;
const REFERENCE = /^\d{1,10} \d{1,5} R$/;

const sectionFault = oncePerSection((file, index) => {
  const section = file.sections[index]!;
  const at = section.start;
  if (section.flaw) return { at, part: section.flaw };
  if (!isOwnObject(file, index) || !beginsWord(file.bytes, at)) return { at, part: 'startxref' };
  const dictionary = section.kind === 'stream' ? dictionaryOf(file, section) : trailerAfter(file, section);
  if (dictionary === undefined) return { at, part: 'xref' };
  const entries = entriesAt(file.bytes, dictionary, section.end);
  // Some readers take a key that is written in another way for a key that they know.
  const isPlain = entries?.every(({ key }) => PLAIN_KEY.test(key));
  return entries && isPlain ? trailerFault(file, section, entries) : { at, part: 'trailer' };
});

/** A place between `9` and `2` makes object 2 of what is written as object 92. */
const beginsWord = (bytes: Buffer, at: number): boolean => isBlank(bytes[at]) || isBlank(bytes[at - 1]);

/** Tells whether a cross-reference stream is the object that it says it is, and takes the number of no other one. Some writers call it free. */
function isOwnObject(file: PdfFile, index: number): boolean {
  const { number, start, places } = file.sections[index]!;
  if (number === undefined) return true;
  const place = places.get(number);
  if (place !== undefined && place.kind !== 'free') return place.kind === 'direct' && place.start === start;
  return index === 0 || (file.view(index - 1).place(number)?.kind ?? 'free') === 'free';
}

/** Finds where the trailer's dictionary begins behind a table that is written byte by byte as it should be. */
function trailerAfter({ bytes }: PdfFile, { start, end }: FileSection): number | undefined {
  const text = bytes.toString('latin1', start, end);
  const take = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  const head = take(HEAD, 0);
  if (!head) return undefined;
  let at = head[0].length;
  for (let subsection = take(SUBSECTION, at); subsection; subsection = take(SUBSECTION, at)) {
    at += subsection[0].length;
    for (let remaining = Number(subsection[2]); remaining > 0; remaining -= 1) {
      if (!ENTRY.test(text.slice(at, at + ENTRY_BYTES))) return undefined;
      at += ENTRY_BYTES;
    }
  }
  const trailer = take(TRAILER, at);
  return trailer ? start + at + trailer[0].length : undefined;
}

/** Finds where the dictionary of a cross-reference stream begins. */
function dictionaryOf({ bytes }: PdfFile, { start }: FileSection): number | undefined {
  const head = /^\d{1,10} 0 obj\b/.exec(bytes.toString('latin1', start, start + 24));
  return head ? start + head[0].length : undefined;
}

function trailerFault(file: PdfFile, section: FileSection, entries: DictEntry[]): Irregularity | undefined {
  const written = (key: string) => {
    const entry = entries.find((candidate) => candidate.key === key);
    return entry && file.bytes.toString('latin1', entry.start, entry.end).trim();
  };
  const wrong = (part: string): Irregularity => ({ at: section.start, part });
  const size = written('Size') ?? '';
  if (!WHOLE.test(size) || Number(size) > HIGHEST_NUMBER + 1) return wrong('Size');
  for (const number of section.places.keys()) if (number >= Number(size)) return wrong('Size');
  if (!WHOLE.test(written('Prev') ?? '0')) return wrong('Prev');
  // The oldest section of a linearized file leaves the catalog to the other one.
  const isOldest = section === file.sections[0];
  if (!REFERENCE.test(written('Root') ?? (isOldest ? '1 0 R' : ''))) return wrong('Root');
  if (section.kind !== 'stream') return undefined;
  for (const key of ['Index', 'W']) if (!/^\[[\s\d]*\]$/.test(written(key) ?? '[]')) return wrong(key);
  return WHOLE.test(written('Length') ?? '') ? undefined : wrong('Length');
}

function endFault({ bytes }: PdfFile, { end, offset }: FileSection): Irregularity | undefined {
  return saveEndAfter(bytes, end)?.offset === offset ? undefined : { at: end, part: 'startxref' };
}

/**
 * Reads what stands behind a section: `startxref`, the offset of the section, and the end of the save. Some writers put their name in a
 * comment between.
 * @returns the offset, and where the save ends
 */
export function saveEndAfter(bytes: Buffer, at: number): { offset: number; end: number } | undefined {
  const tail = bytes.toString('latin1', at, at + READER_LIMITS.tailBytes);
  const match = /^(?:\s|%(?!%EOF)[^\r\n]*[\r\n])*startxref\s+(\d{1,10})\s+%%EOF/.exec(tail);
  return match ? { offset: Number(match[1]), end: at + match[0].length } : undefined;
}

// ── objects ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** PDFium has no objects beyond it. */
const HIGHEST_NUMBER = 4_000_000;

/** Each object that a save names is one that it wrote, where it says, and no other reader can take for another. */
const placesFault = oncePerSection((file, index) => {
  const { sections } = file;
  const section = sections[index]!;
  const view = file.view(index);
  const previous = index > 0 ? file.view(index - 1) : undefined;
  for (const [number, place] of section.places) {
    if (place.kind === 'free') continue;
    const object = view.object(number);
    const wrong = (part: string): Irregularity => ({
      at: place.kind === 'direct' ? place.start : section.start,
      part,
      object: number,
    });
    if (number > HIGHEST_NUMBER || !object || object.isDoubtful) return wrong('object');
    // A reference that is an object of its own: some readers do not follow it.
    if (object.value instanceof Ref) return wrong('reference');
    if (place.kind === 'packed') {
      if (section.places.get(place.container)?.kind !== 'direct') return wrong('ObjStm');
      continue;
    }
    if (!isWrittenAt(file, place, number)) return wrong('object');
    if (previous && !mayHaveGeneration(previous, number, place.generation)) return wrong('generation');
    if (object.value instanceof PdfStream && !isPlainStream(object.value)) return wrong('stream');
  }
  return undefined;
});

/** Each save names only objects that it wrote: what stands before it belongs to another one. */
function earlierFault({ sections }: PdfFile, index: number): Irregularity | undefined {
  const before = sections[index - 1]!.end;
  for (const [number, place] of sections[index]!.places)
    if (place.kind === 'direct' && place.start < before)
      return { at: place.start, part: 'object', object: number };
  return undefined;
}

/** `12 0 obj` stands at the place itself, or behind a line end: nothing else comes before it. */
function isWrittenAt({ bytes }: PdfFile, place: ObjectPlace & { kind: 'direct' }, number: number): boolean {
  const head = `${number} ${place.generation} obj`;
  let at = place.start;
  while (at < place.start + 2 && isLineEnd(bytes[at])) at += 1;
  const end = at + head.length;
  return beginsWord(bytes, place.start) && bytes.toString('latin1', at, end) === head;
}

const isLineEnd = (byte: number | undefined) => byte === 0x0a || byte === 0x0d;

/** The list of free numbers begins with it, and no object has it. */
const HIGHEST_GENERATION = 65_535;

/**
 * An object that is written again keeps its generation, which is 0 in object streams. A number that was free may have any: poppler counts those that it
 * used and freed itself.
 */
function mayHaveGeneration(previous: PdfView, number: number, generation: number): boolean {
  const place = previous.place(number);
  if (place?.kind === 'direct') return generation === place.generation;
  return place?.kind === 'packed' ? generation === 0 : generation < HIGHEST_GENERATION;
}

const FILTERS = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'LZWDecode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
  'DCTDecode',
  'JPXDecode',
]);

/** Short names are for inline images, and data of another file is what that file says. Some readers accept them all the same. */
function isPlainStream({ dict }: PdfStream): boolean {
  const filter = dict.get('Filter') ?? [];
  const names = Array.isArray(filter) ? filter : [filter];
  return (
    names.every((name) => typeof name === 'string' && FILTERS.has(name)) &&
    !['F', 'FFilter', 'FDecodeParms', 'DL', 'DP'].some((key) => dict.has(key))
  );
}

/** All objects of an object stream are named by the save that wrote it: readers that repair find the others as well. */
function packedFault(file: PdfFile, index: number): Irregularity | undefined {
  const section = file.sections[index]!;
  const view = file.view(index);
  for (const [container, place] of section.places) {
    if (place.kind !== 'direct') continue;
    const stream = view.object(container)?.value;
    if (!(stream instanceof PdfStream) || stream.dict.get('Type') !== 'ObjStm') continue;
    const numbers = packedNumbersIn(view, stream);
    const isNamed = (number: number, at: number) => {
      const named = section.places.get(number);
      return named?.kind === 'packed' && named.container === container && named.index === at;
    };
    if (!numbers?.every(isNamed) || stream.dict.has('Extends'))
      return { at: place.start, part: 'ObjStm', object: container };
  }
  return undefined;
}

/** Lists the number of each object, and where it begins in the data. Returns undefined where that cannot be read. */
export function packedPairsIn(
  view: PdfView,
  stream: PdfStream,
): { number: number; start: number }[] | undefined {
  const [count, first] = [view.resolve(stream.dict.get('N')), view.resolve(stream.dict.get('First'))];
  const data = view.data(stream);
  if (typeof count !== 'number' || typeof first !== 'number' || !data || first > data.length)
    return undefined;
  const scanner = new Scanner(data, 0, first);
  const pairs: { number: number; start: number }[] = [];
  for (let index = 0; index < count; index += 1) {
    const [number, offset] = [scanner.integer(), scanner.integer()];
    if (number === undefined || offset === undefined) return undefined;
    pairs.push({ number, start: first + offset });
  }
  return pairs;
}

/**
 * Lists the numbers of the objects in an object stream, in their order. Returns undefined where one does not end before the next begins:
 * some readers read up to the next, others up to the end of the value.
 */
function packedNumbersIn(view: PdfView, stream: PdfStream): number[] | undefined {
  const isWritten = typeof stream.dict.get('N') === 'number' && typeof stream.dict.get('First') === 'number';
  const [pairs, data] = [packedPairsIn(view, stream), view.data(stream)];
  if (!isWritten || !pairs || !data) return undefined;
  const isAlone = (start: number, index: number) => {
    const end = pairs[index + 1]?.start ?? data.length;
    const value = new Scanner(data, start, end);
    if (value.value() === NOTHING) return false;
    value.skipBlanks();
    return value.at === end;
  };
  return pairs.every(({ start }, index) => isAlone(start, index))
    ? pairs.map(({ number }) => number)
    : undefined;
}
