// Reads a PDF byte-exactly: its saves one after the other, and every object with the place of its bytes. It must never throw,
// repair or guess, whatever the bytes are: what two readers could understand differently is reported, not decided.

import { DOCUMENT_LIMITS, READER_LIMITS } from '../limits.ts';
import { POINT, searchable } from './characters.ts';
import { createDecryption, type Decryption, type DecryptionRefused } from './decryption.ts';
import { decode } from './filters.ts';
import { NOTHING, Scanner } from './scanner.ts';
import { dataAfter, type FileSection, type ObjectPlace, readSections, type Unreadable } from './sections.ts';
import { type Dict, PdfStream, PdfString, Ref, type Value } from './values.ts';

export type { FileSection, ObjectPlace, Startxref, Unreadable, UnreadableReason } from './sections.ts';
export { startxrefBefore } from './sections.ts';

/** `start` is at its number, `end` behind `endobj`; an object of an object stream has no place of its own. */
export type PdfObject = {
  number: number;
  generation: number;
  value: Value;
  start?: number;
  end?: number;
  /** It lies in this object stream. */
  container?: number;
  /** Different readers read something in it differently: a key twice, a disguised name, a wrong /Length, `2.0` for 2, no `endobj`. */
  isDoubtful: boolean;
  /** A number in it has more than 31 bits. */
  hasHugeNumber: boolean;
};

/** It shows the file as it was after one of its saves. */
export type PdfView = {
  /** The last section has this number, counted from 0. */
  index: number;
  trailer: Dict;
  root: Ref | undefined;
  place(number: number): ObjectPlace | undefined;
  /** Tells whether a section up to this one names the number, for an object or as free. */
  isNamed(number: number): boolean;
  object(number: number): PdfObject | undefined;
  /** Returns the value itself, or what it refers to, through as many references as there are; null where there is nothing. */
  resolve(value: Value | undefined): Value;
  /** Returns the dictionary, also that of a stream. */
  dict(value: Value | undefined): Dict | undefined;
  array(value: Value | undefined): Value[] | undefined;
  /** Unpacks the data of a stream. Returns undefined for what is none, is damaged or is too large. */
  data(value: Value | undefined): Buffer | undefined;
};

export type PdfFile = {
  ok: true;
  bytes: Buffer;
  /** This many bytes stand before what offsets count from. */
  shift: number;
  /** The oldest save comes first. A linearized file has two for its first. */
  sections: FileSection[];
  latest: PdfView;
  view(index: number): PdfView;
  highestNumber: number;
  isEncrypted: boolean;
  /** Encrypted data cannot be read for this reason; undefined where it can. */
  locked: DecryptionRefused | undefined;
  /** Counts work that is done again for each signature or save, in steps of about the same cost. */
  spend(steps: number): void;
  /** Tells whether reading was given up because it would not end: then more is there than was found. */
  isExhausted(): boolean;
};

/**
 * Reads only the cross-reference sections at first; objects are read when they are asked for.
 * @param password of an encrypted file; most open without one
 */
export function readPdf(input: Uint8Array, password = ''): PdfFile | Unreadable {
  const bytes = searchable(input);
  const budget: Budget = {
    unpacked: READER_LIMITS.unpackedBytes,
    values: READER_LIMITS.valueBytes + READER_LIMITS.valueBytesOfFile * bytes.length,
  };
  let steps: number = READER_LIMITS.steps;
  const plain = (stream: PdfStream) => unpackWithin(bytes, stream, (value) => value, budget);
  const read = readSections(bytes, plain);
  if (!read.ok) return read;
  const { sections, shift } = read;
  const history = historyOf(sections);
  const isEncrypted = sections.some(({ trailer }) => trailer.has('Encrypt'));
  const decryption = isEncrypted ? decryptionOf(bytes, sections, history, budget, password) : undefined;
  const opened = typeof decryption === 'string' ? undefined : decryption;
  const reader = createReader(bytes, budget, opened);
  const views = new Map<number, PdfView>();
  const view = (index: number): PdfView => {
    const cached = views.get(index) ?? viewOf(index, sections, history, reader);
    views.set(index, cached);
    return cached;
  };
  return {
    ok: true,
    bytes,
    shift,
    sections,
    latest: view(sections.length - 1),
    view,
    highestNumber: [...history.keys()].reduce((most, number) => Math.max(most, number), 0),
    isEncrypted,
    locked: typeof decryption === 'string' ? decryption : undefined,
    spend(count) {
      steps -= count;
    },
    isExhausted: () => budget.values <= 0 || budget.unpacked <= 0 || steps <= 0,
  };
}

/** Reads the dictionary of the encryption as it is written, and tries the password. */
function decryptionOf(
  bytes: Buffer,
  sections: FileSection[],
  history: History,
  budget: Budget,
  password: string,
): (Decryption & { number: number | undefined }) | DecryptionRefused {
  const plain = viewOf(sections.length - 1, sections, history, createReader(bytes, budget, undefined));
  const named = plain.trailer.get('Encrypt');
  const encrypt = plain.dict(named);
  const [first] = plain.array(plain.trailer.get('ID')) ?? [];
  const id = plain.resolve(first);
  if (!encrypt) return 'handler_unknown';
  const resolved = new Map([...encrypt].map(([key, value]) => [key, plain.resolve(value)]));
  const decryption = createDecryption(
    resolved,
    id instanceof PdfString ? id.bytes : Buffer.alloc(0),
    password,
  );
  if (typeof decryption === 'string') return decryption;
  return { ...decryption, number: named instanceof Ref ? named.number : undefined };
}

// ── which place an object had after which save ──────────────────────────────────────────────────────────────────

type History = Map<number, { index: number; place: ObjectPlace }[]>;

function historyOf(sections: FileSection[]): History {
  const history: History = new Map();
  for (const [index, { places }] of sections.entries())
    for (const [number, place] of places) {
      const earlier = history.get(number);
      if (earlier) earlier.push({ index, place });
      else history.set(number, [{ index, place }]);
    }
  return history;
}

function viewOf(index: number, sections: FileSection[], history: History, reader: Reader): PdfView {
  const objects = new Map<number, PdfObject | undefined>();
  const place = (number: number) => history.get(number)?.findLast((item) => item.index <= index)?.place;
  const underWay = new Set<number>();
  const object = (number: number): PdfObject | undefined => {
    const at = place(number);
    if (at === undefined || at.kind === 'free') return undefined;
    if (objects.has(number)) return objects.get(number);
    // An object whose length or object stream is the object itself.
    if (underWay.has(number)) return undefined;
    underWay.add(number);
    const parsed = reader.objectAt(number, at, view);
    underWay.delete(number);
    objects.set(number, parsed);
    return parsed;
  };
  const resolve = (value: Value | undefined): Value => {
    let current = value ?? null;
    for (let step = 0; current instanceof Ref; step += 1) {
      const next: PdfObject | undefined = step < MOST_REFERENCES ? object(current.number) : undefined;
      current = next?.generation === current.generation ? next.value : null;
    }
    return current;
  };
  const { trailer } = sections[index]!;
  const root = trailer.get('Root');
  const view: PdfView = {
    index,
    trailer,
    root: root instanceof Ref ? root : undefined,
    place,
    isNamed: (number) => (history.get(number)?.[0]?.index ?? Number.POSITIVE_INFINITY) <= index,
    object,
    resolve,
    dict(value) {
      const target = resolve(value);
      if (target instanceof PdfStream) return target.dict;
      return target instanceof Map ? target : undefined;
    },
    array(value) {
      const target = resolve(value);
      return Array.isArray(target) ? target : undefined;
    },
    data(value) {
      const target = resolve(value);
      return target instanceof PdfStream ? reader.unpack(target, resolve) : undefined;
    },
  };
  return view;
}

/** A reference to an object that is a reference is rare, and two in a row are no accident. */
const MOST_REFERENCES = 8;

// ── objects ─────────────────────────────────────────────────────────────────────────────────────────────────────

type Budget = { unpacked: number; values: number };

type Reader = {
  objectAt(number: number, place: ObjectPlace | undefined, view: PdfView): PdfObject | undefined;
  unpack(stream: PdfStream, resolve: (value: Value) => Value): Buffer | undefined;
};

/** Keeps what it read: most objects are the same after every save. */
function createReader(
  bytes: Buffer,
  budget: Budget,
  decryption: (Decryption & { number: number | undefined }) | undefined,
): Reader {
  /** The key is the place where the object begins. */
  const direct = new Map<number, PdfObject>();
  const packed = new Map<number, Map<number, PdfObject>>();
  const unpack = (stream: PdfStream, resolve: (value: Value) => Value) =>
    unpackWithin(bytes, stream, resolve, budget, decryption);

  const decrypted = (object: PdfObject): PdfObject =>
    decryption && object.number !== decryption.number
      ? { ...object, value: decryption.value(object.value, object) }
      : object;

  const directAt = (number: number, start: number, generation: number, view: PdfView) => {
    const cached = direct.get(start);
    if (cached?.number === number && cached.generation === generation) return cached;
    const parsed = readObject(bytes, start, budget, (value) => view.resolve(value));
    if (parsed?.number !== number || parsed.generation !== generation) return undefined;
    const object = decrypted(parsed);
    direct.set(start, object);
    return object;
  };

  const packedIn = (container: number, view: PdfView): Map<number, PdfObject> | undefined => {
    const place = view.place(container);
    if (place?.kind !== 'direct') return undefined;
    const cached = packed.get(place.start);
    if (cached) return cached;
    const stream = view.object(container)?.value;
    const objects =
      stream instanceof PdfStream ? readPacked(stream, container, view, unpack, budget) : undefined;
    packed.set(place.start, objects ?? new Map());
    return objects;
  };

  return {
    unpack,
    objectAt(number, place, view) {
      if (place?.kind === 'direct') return directAt(number, place.start, place.generation, view);
      if (place?.kind !== 'packed') return undefined;
      const packedObject = packedIn(place.container, view)?.get(place.index);
      return packedObject?.number === number ? packedObject : undefined;
    },
  };
}

function unpackWithin(
  bytes: Buffer,
  stream: PdfStream,
  resolve: (value: Value) => Value,
  budget: Budget,
  decryption?: Decryption,
): Buffer | undefined {
  const most = Math.min(DOCUMENT_LIMITS.streamBytes, budget.unpacked);
  if (most <= 0) return undefined;
  const written = bytes.subarray(stream.start, stream.end);
  const packed =
    decryption && stream.object ? decryption.stream(written, stream.dict, stream.object) : written;
  const data = packed && decode(packed, stream.dict, resolve, most);
  // It may be larger than what was left.
  if (!data && most < DOCUMENT_LIMITS.streamBytes) budget.unpacked = 0;
  // What failed may have been as large as it was allowed to be; only what had a filter costs anything.
  budget.unpacked -= stream.dict.has('Filter') ? (data?.length ?? stream.end - stream.start) : 0;
  return data;
}

/** Reads the object that begins at `start`, whatever its number. */
export function readObject(
  bytes: Buffer,
  start: number,
  budget: { values: number },
  resolve: (value: Value) => Value,
): PdfObject | undefined {
  if (budget.values <= 0 || start >= bytes.length) return undefined;
  const scanner = new Scanner(bytes, start);
  const number = scanner.integer();
  const generation = scanner.integer();
  const isObject = number !== undefined && generation !== undefined && scanner.takes('obj');
  const value = isObject ? scanner.value() : NOTHING;
  budget.values -= scanner.at - start;
  if (!isObject) return undefined;
  if (value === NOTHING) return undefined;
  const { hasHugeNumber } = scanner;
  const object = { number, generation, start: firstDigit(bytes, start), hasHugeNumber };
  const isUnclear = scanner.isAmbiguous || isWholeReal(bytes, start, scanner.at, value);
  if (!(value instanceof Map) || !scanner.takes('stream')) {
    const isEnded = scanner.takes('endobj');
    return { ...object, value, end: scanner.at, isDoubtful: isUnclear || !isEnded };
  }
  const stream = streamAt(bytes, scanner.at, value, budget, resolve);
  if (!stream) return undefined;
  scanner.at = stream.behind;
  const isEnded = scanner.takes('endobj');
  const isDoubtful = isUnclear || !isEnded || !stream.isClear;
  return { ...object, value: new PdfStream(value, stream.start, stream.end), end: scanner.at, isDoubtful };
}

/** Tells whether an object is a whole number that is written as `2.0`. */
const isWholeReal = (bytes: Buffer, start: number, end: number, value: Value): boolean =>
  typeof value === 'number' && Number.isInteger(value) && bytes.subarray(start, end).includes(POINT);

function firstDigit(bytes: Buffer, start: number): number {
  const scanner = new Scanner(bytes, start);
  scanner.skipBlanks();
  return scanner.at;
}

/** The data between `stream` and `endstream` is as long as /Length says, or reaches to the next end where that is wrong. */
function streamAt(
  bytes: Buffer,
  at: number,
  dict: Dict,
  budget: { values: number },
  resolve: (value: Value) => Value,
) {
  const start = dataAfter(bytes, at);
  if (start === undefined) return undefined;
  const length = resolve(dict.get('Length') ?? null);
  if (
    typeof length === 'number' &&
    Number.isInteger(length) &&
    length >= 0 &&
    start + length <= bytes.length
  ) {
    const scanner = new Scanner(bytes, start + length);
    if (scanner.takes('endstream'))
      return { start, end: start + length, behind: scanner.at, isClear: bytes[start - 1] !== 0x0d };
  }
  const end = bytes.indexOf('endstream', start);
  budget.values -= (end === -1 ? bytes.length : end) - start;
  return end === -1 ? undefined : { start, end, behind: end + 'endstream'.length, isClear: false };
}

/** Reads the objects of an object stream by their index (7.5.7). */
function readPacked(
  stream: PdfStream,
  container: number,
  view: PdfView,
  unpack: Reader['unpack'],
  budget: Budget,
): Map<number, PdfObject> | undefined {
  const [count, first] = [view.resolve(stream.dict.get('N')), view.resolve(stream.dict.get('First'))];
  if (stream.dict.get('Type') !== 'ObjStm' || typeof count !== 'number' || typeof first !== 'number')
    return undefined;
  const data = count <= DOCUMENT_LIMITS.objects ? unpack(stream, view.resolve) : undefined;
  if (!data || first > data.length) return undefined;
  const pairs = new Scanner(data, 0, first);
  const objects = new Map<number, PdfObject>();
  for (let index = 0; index < count; index += 1) {
    const [number, offset] = [pairs.integer(), pairs.integer()];
    if (number === undefined || offset === undefined) return objects;
    if (budget.values <= 0) return objects;
    const scanner = new Scanner(data, first + offset);
    const value = scanner.value();
    budget.values -= scanner.at - first - offset;
    if (value === NOTHING) continue;
    const isDoubtful = scanner.isAmbiguous || isWholeReal(data, first + offset, scanner.at, value);
    const { hasHugeNumber } = scanner;
    objects.set(index, { number, generation: 0, value, container, isDoubtful, hasHugeNumber });
  }
  return objects;
}

/** Returns undefined for what is no array of numbers. */
export function numbersIn(view: PdfView, value: Value | undefined): number[] | undefined {
  const items = view.array(value)?.map((item) => view.resolve(item));
  return items?.every((item) => typeof item === 'number') ? items : undefined;
}
