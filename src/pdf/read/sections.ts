// Reads the cross-reference sections of a PDF (ISO 32000-2, 7.5.4 and 7.5.8): where each object is, and since when. It follows
// them as they are written and repairs nothing: a section that is damaged is the end of reading.
import { isDeepStrictEqual } from 'node:util';
import { READER_LIMITS } from '../limits.ts';
import { isBlank } from './characters.ts';
import { Scanner } from './scanner.ts';
import { type Dict, PdfStream, type Value } from './values.ts';

/** An object is at a place of the file, in an object stream, or nowhere any more. Places count from the file's first byte. */
export type ObjectPlace =
  | { kind: 'direct'; start: number; generation: number }
  | { kind: 'packed'; container: number; index: number }
  | { kind: 'free' };

/** A save of the file wrote these objects and this trailer. Both parts of a hybrid file are one section. */
export type FileSection = {
  kind: 'table' | 'stream' | 'hybrid';
  /** The section begins where `startxref` says, and ends behind its trailer or its stream. */
  start: number;
  end: number;
  /** `startxref` and /Prev count from the header. */
  offset: number;
  /** A cross-reference stream is this object. */
  number?: number;
  trailer: Dict;
  places: Map<number, ObjectPlace>;
  /**
   * Readers may understand something differently: the table and the stream of a hybrid file name two places for one object, or a stream has
   * rows of an unknown kind, or more than it says.
   */
  flaw?: 'XRefStm' | 'XRef';
};

export type UnreadableReason =
  /** There is no `%PDF-` in the first kilobyte. */
  | 'not_a_pdf'
  /** There is no `startxref` near the end. */
  | 'no_end'
  /** A section is not where it is said to be, or is no sound one. */
  | 'cross_reference'
  /** The file has more than anything honest has. */
  | 'too_complex'
  /** The file is encrypted, and opens with a password that was not given. */
  | 'password_wrong'
  /** The file is encrypted in a way that is not known. */
  | 'handler_unknown';

export type Unreadable = { ok: false; reason: UnreadableReason; at: number };

/** Unpacks a stream, within what is left for the file. */
export type Unpack = (stream: PdfStream) => Buffer | undefined;

export type Sections = { ok: true; sections: FileSection[]; shift: number };

/** Reads all sections, the oldest first. `shift` counts the bytes of junk before what offsets count from. */
export function readSections(bytes: Buffer, unpack: Unpack): Sections | Unreadable {
  const header = bytes.subarray(0, READER_LIMITS.headerBytes).indexOf('%PDF-');
  if (header === -1) return { ok: false, reason: 'not_a_pdf', at: 0 };
  const last = startxrefBefore(bytes, bytes.length);
  if (!last) return { ok: false, reason: 'no_end', at: bytes.length };
  const shift = header > 0 && !isSection(bytes, last.offset) ? header : 0;
  const sections: FileSection[] = [];
  const visited = new Set<number>();
  const entries = READER_LIMITS.entries + bytes.length / READER_LIMITS.bytesOfEntry;
  const room: Room = { entries, isExceeded: false };
  for (let offset: number | undefined = last.offset; offset !== undefined; ) {
    const at: number = offset + shift;
    if (visited.has(at)) return { ok: false, reason: 'cross_reference', at };
    if (visited.size >= READER_LIMITS.sections) return { ok: false, reason: 'too_complex', at };
    visited.add(at);
    const section = sectionAt(bytes, at, shift, unpack, room);
    if (!section) return { ok: false, reason: room.isExceeded ? 'too_complex' : 'cross_reference', at };
    room.entries -= section.places.size;
    sections.push({ ...section, offset });
    const previous = section.trailer.get('Prev');
    if (previous !== undefined && !isOffset(previous)) return { ok: false, reason: 'cross_reference', at };
    offset = previous;
  }
  return { ok: true, sections: sections.reverse(), shift };
}

/** Sections may still have so many entries. */
type Room = { entries: number; isExceeded: boolean };

function hasRoom(room: Room, entries: number): boolean {
  room.isExceeded ||= entries > room.entries;
  return !room.isExceeded;
}

const END_MARK = '%%EOF';

/** Finds the last `startxref` before `end`: where it stands, the offset it names, and where the `%%EOF` after it ends. */
export function startxrefBefore(bytes: Buffer, end: number): Startxref | undefined {
  const from = Math.max(0, end - READER_LIMITS.tailBytes);
  const position = bytes.subarray(from, end).lastIndexOf('startxref');
  if (position === -1) return undefined;
  const scanner = new Scanner(bytes, from + position + 'startxref'.length, end);
  const offset = scanner.integer();
  if (offset === undefined) return undefined;
  let mark = scanner.at;
  while (mark < end && isBlank(bytes[mark])) mark += 1;
  const isMarked = bytes.toString('latin1', mark, Math.min(end, mark + END_MARK.length)) === END_MARK;
  return { at: from + position, offset, end: isMarked ? mark + END_MARK.length : undefined };
}

export type Startxref = { at: number; offset: number; end: number | undefined };

const isOffset = (value: Value | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

function isSection(bytes: Buffer, at: number): boolean {
  const scanner = new Scanner(bytes, at);
  if (scanner.takes('xref')) return true;
  return scanner.integer() !== undefined && scanner.integer() !== undefined && scanner.takes('obj');
}

type SectionRead = Omit<FileSection, 'offset'>;

function sectionAt(
  bytes: Buffer,
  at: number,
  shift: number,
  unpack: Unpack,
  room: Room,
): SectionRead | undefined {
  if (at >= bytes.length) return undefined;
  const scanner = new Scanner(bytes, at);
  if (!scanner.takes('xref')) return streamSection(bytes, at, shift, unpack, room);
  const table = readTable(scanner, shift, room);
  if (!table || !scanner.takes('trailer')) return undefined;
  const trailer = scanner.value();
  if (!(trailer instanceof Map) || scanner.hasRepeatedKey) return undefined;
  const { places } = table;
  const flaw = table.isRepeated ? ({ flaw: 'XRef' } as const) : {};
  const section: SectionRead = { kind: 'table', start: at, end: scanner.at, trailer, places, ...flaw };
  const hidden = trailer.get('XRefStm');
  if (hidden === undefined) return section;
  if (!isOffset(hidden)) return undefined;
  const stream = streamSection(bytes, hidden + shift, shift, unpack, room);
  if (!stream) return undefined;
  const isContradictory = [...stream.places].some(([number, place]) => {
    const inTable = places.get(number);
    return inTable !== undefined && !isDeepStrictEqual(inTable, place);
  });
  return {
    ...section,
    kind: 'hybrid',
    places: hybrid(places, stream.places),
    ...(isContradictory ? { flaw: 'XRefStm' } : stream.flaw && { flaw: stream.flaw }),
  };
}

/** Objects that older readers must not see are free in the table and stand in the stream (7.5.8.4). */
function hybrid(table: Map<number, ObjectPlace>, stream: Map<number, ObjectPlace>): Map<number, ObjectPlace> {
  const places = new Map(table);
  for (const [number, place] of stream)
    if ((table.get(number)?.kind ?? 'free') === 'free') places.set(number, place);
  return places;
}

const LETTER_N = 0x6e;
const LETTER_F = 0x66;

type Table = { places: Map<number, ObjectPlace>; isRepeated: boolean };

function readTable(scanner: Scanner, shift: number, room: Room): Table | undefined {
  let isRepeated = false;
  const places = new Map<number, ObjectPlace>();
  for (;;) {
    const before = scanner.at;
    const first = scanner.integer();
    if (first === undefined) {
      scanner.at = before;
      return { places, isRepeated };
    }
    const count = scanner.integer();
    if (count === undefined || !hasRoom(room, places.size + count)) return undefined;
    for (let number = first; number < first + count; number += 1) {
      const [offset, generation, kind] = [scanner.integer(), scanner.integer(), scanner.letter()];
      if (offset === undefined || generation === undefined) return undefined;
      if (kind !== LETTER_N && kind !== LETTER_F) return undefined;
      const isFree = kind === LETTER_F || offset === 0;
      const place: ObjectPlace = isFree
        ? { kind: 'free' }
        : { kind: 'direct', start: offset + shift, generation };
      // Of two places readers take the first or the last.
      const other = places.get(number);
      if (other && !isDeepStrictEqual(other, place)) return undefined;
      isRepeated ||= other !== undefined;
      places.set(number, place);
    }
  }
}

function streamSection(
  bytes: Buffer,
  at: number,
  shift: number,
  unpack: Unpack,
  room: Room,
): SectionRead | undefined {
  const object = streamObjectAt(bytes, at);
  if (!object) return undefined;
  const { dict } = object.stream;
  const widths = dict.get('W');
  if (dict.get('Type') !== 'XRef' || !Array.isArray(widths) || !areWidths(widths)) return undefined;
  const data = unpack(object.stream);
  const rows = data && readRows(data, widths, indexOf(dict), shift, room);
  if (!rows) return undefined;
  const section = {
    kind: 'stream',
    start: at,
    end: object.end,
    number: object.number,
    trailer: dict,
  } as const;
  return { ...section, places: rows.places, ...(rows.isRegular ? {} : { flaw: 'XRef' }) };
}

const areWidths = (widths: Value[]): widths is [number, number, number] =>
  widths.length === 3 && widths.every((width) => isOffset(width) && width <= 8);

/** The index has pairs: the first number, and how many follow each other. */
function indexOf(dict: Dict): number[] {
  const index = dict.get('Index');
  if (!Array.isArray(index)) return [0, Number(dict.get('Size') ?? 0)];
  return index.map(Number);
}

function readRows(
  data: Buffer,
  widths: [number, number, number],
  index: number[],
  shift: number,
  room: Room,
): { places: Map<number, ObjectPlace>; isRegular: boolean } | undefined {
  const places = new Map<number, ObjectPlace>();
  const row = widths[0] + widths[1] + widths[2];
  let at = 0;
  let areKindsKnown = true;
  for (let pair = 0; pair < index.length; pair += 2) {
    const [first, count] = [index[pair]!, index[pair + 1]!];
    if (!isOffset(first) || !isOffset(count) || row === 0) return undefined;
    if (!hasRoom(room, places.size + count) || at + count * row > data.length) return undefined;
    for (let number = first; number < first + count; number += 1) {
      const [kind, second, third] = fieldsAt(data, at, widths);
      at += row;
      if (places.has(number)) return undefined;
      if (kind > 2) areKindsKnown = false;
      places.set(number, placeOf(kind, second, third, shift));
    }
  }
  return { places, isRegular: areKindsKnown && at === data.length };
}

function fieldsAt(data: Buffer, at: number, widths: [number, number, number]): [number, number, number] {
  const read = (from: number, width: number) => {
    let value = 0;
    for (let index = from; index < from + width; index += 1) value = value * 256 + data[index]!;
    return value;
  };
  const kind = widths[0] === 0 ? 1 : read(at, widths[0]);
  return [kind, read(at + widths[0], widths[1]), read(at + widths[0] + widths[1], widths[2])];
}

/** Unknown kinds are references to null (table 18), as what is free. */
function placeOf(kind: number, second: number, third: number, shift: number): ObjectPlace {
  if (kind === 1) return { kind: 'direct', start: second + shift, generation: third };
  if (kind === 2) return { kind: 'packed', container: second, index: third };
  return { kind: 'free' };
}

/** The /Length of a cross-reference stream must be a number, and right. */
function streamObjectAt(bytes: Buffer, at: number) {
  const scanner = new Scanner(bytes, at);
  const number = scanner.integer();
  if (number === undefined || scanner.integer() === undefined || !scanner.takes('obj')) return undefined;
  const dict = scanner.value();
  if (!(dict instanceof Map) || scanner.hasRepeatedKey || !scanner.takes('stream')) return undefined;
  const length = dict.get('Length');
  const start = dataAfter(bytes, scanner.at);
  if (!isOffset(length) || start === undefined || start + length > bytes.length) return undefined;
  scanner.at = start + length;
  if (!scanner.takes('endstream') || !scanner.takes('endobj')) return undefined;
  return { number, stream: new PdfStream(dict, start, start + length), end: scanner.at };
}

/** Finds the data behind the word `stream`: it begins on the next line (7.3.8.1). */
export function dataAfter(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) return at + 2;
  if (bytes[at] === 0x0a) return at + 1;
  // Not allowed, and written all the same.
  return bytes[at] === 0x0d ? at + 1 : undefined;
}
