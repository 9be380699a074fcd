// Indexes the objects of a PDF by their numbers: wherever the word `obj` stands, where a cross-reference section says, and in object streams.
// Where a number is defined several times, as in a file that was edited, all definitions are given.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import { afterLiteral, BRACKET_END, GREATER, isBlank, isDigit, LESS, SLASH } from '../characters.ts';
import { decode } from '../filters.ts';
import { NOTHING, Scanner } from '../scanner.ts';
import { readSections } from '../sections.ts';
import { type Dict, Ref, type Value } from '../values.ts';

/** `bytes` are unpacked; `count` and `first` are entries of the dictionary of the object stream. */
type PackedObjects = { bytes: Buffer; count: number; first: number };
/** `keyword` is the offset of the word `stream`. */
export type StreamObject = { number: number; dict: Dict; keyword: number };

export type Objects = {
  count(): number;
  /** Tells whether so much was read that something in the file must have no end: then more is there than was found. */
  isExhausted(): boolean;
  /** Lists every definition of the object, in the order of the file. A stream is defined by its dictionary. */
  definitions(number: number): Value[];
  /** Returns the value itself, or the last definition of the object it refers to. */
  resolved(value: Value | undefined): Value;
  dictOf(value: Value | undefined): Dict | undefined;
  /** Lists the values behind `/key`, wherever in the file. */
  valuesOf(key: string): Value[];
  /** Lists streams of objects in the open. Those that lie elsewhere are found by `findStreams`. */
  streams(): StreamObject[];
  addPacked(stream: PackedObjects): void;
};

type ObjectLocation = { bytes: Buffer; at: number };
/** So many bytes may still be read for values: what has no end is read from each place where it begins. */
export type ReadBudget = { bytes: number };

export function indexObjects(file: Buffer): Objects {
  const places = new Map<number, ObjectLocation[]>();
  const packed: Buffer[] = [];
  const budget: ReadBudget = { bytes: DOCUMENT_LIMITS.valueBytes };
  const read = new Map<number, Value[]>();
  let count = 0;
  const add = (number: number, place: ObjectLocation) => {
    const locations = places.get(number);
    if (locations) locations.push(place);
    else places.set(number, [place]);
  };
  const numbers = new Map<number, number>();
  for (let at = file.indexOf('obj'); at !== -1; at = file.indexOf('obj', at + 3)) {
    const number = objectNumberBefore(file, at);
    if (number === undefined) continue;
    count += 1;
    if (count > DOCUMENT_LIMITS.objects) continue;
    numbers.set(at + 3, number);
    add(number, { bytes: file, at: at + 3 });
  }
  for (const { number, at } of listedObjects(file)) {
    if (numbers.get(at) === number) continue;
    count += 1;
    if (count <= DOCUMENT_LIMITS.objects) add(number, { bytes: file, at });
  }

  const definitions = (number: number): Value[] => {
    const cached = read.get(number);
    if (cached) return cached;
    const values = (places.get(number) ?? []).map(({ bytes, at }) => readValue(bytes, at, budget).value);
    read.set(number, values);
    return values;
  };
  const resolved = (value: Value | undefined): Value =>
    value instanceof Ref ? (definitions(value.number).at(-1) ?? null) : (value ?? null);
  return {
    count: () => count,
    isExhausted: () => budget.bytes <= 0,
    definitions,
    resolved,
    dictOf: (value) => {
      const target = resolved(value);
      return target instanceof Map ? target : undefined;
    },
    valuesOf: (key) => [file, ...packed].flatMap((bytes) => valuesIn(bytes, key, budget)),
    streams: () =>
      [...places].flatMap(([number, all]) =>
        all.flatMap(({ bytes, at }) => streamAt(bytes, at, number, budget) ?? []),
      ),
    addPacked(stream) {
      count += stream.count;
      if (count > DOCUMENT_LIMITS.objects) return;
      packed.push(stream.bytes);
      for (const { number, at } of packedObjects(stream)) {
        add(number, { bytes: stream.bytes, at });
        read.delete(number);
      }
    },
  };
}

/** Reads the value that begins at `at`, and where it ends; nothing behind `end` is read. */
export function readValue(
  bytes: Buffer,
  at: number,
  budget: ReadBudget,
  end = bytes.length,
): { value: Value; end: number } {
  if (budget.bytes <= 0) return { value: null, end: at };
  const scanner = new TolerantScanner(bytes, at, Math.min(end, bytes.length));
  const value = scanner.value();
  budget.bytes -= scanner.at - at;
  return { value, end: scanner.at };
}

function streamAt(bytes: Buffer, at: number, number: number, budget: ReadBudget): StreamObject | undefined {
  const begin = new Scanner(bytes, at);
  begin.skipBlanks();
  if (bytes[begin.at] !== LESS) return undefined;
  const { value, end } = readValue(bytes, begin.at, budget);
  const scanner = new Scanner(bytes, end);
  if (!(value instanceof Map) || !scanner.takes('stream')) return undefined;
  return { number, dict: value, keyword: scanner.at - 'stream'.length };
}

/** Lists objects by the cross-reference sections of a file that can be read as it is written; `at` is behind the word `obj`. */
function listedObjects(file: Buffer): { number: number; at: number }[] {
  let remaining: number = DOCUMENT_LIMITS.objectStreamsBytes;
  const read = readSections(file, ({ dict, start, end }) => {
    const most = Math.min(remaining, DOCUMENT_LIMITS.objectStreamBytes);
    const rows = most > 0 ? decode(file.subarray(start, end), dict, (value) => value, most) : undefined;
    remaining -= rows?.length ?? end - start;
    return rows;
  });
  if (!read.ok) return [];
  return read.sections.flatMap(({ places }) =>
    [...places].flatMap(([number, place]) => {
      if (place.kind !== 'direct') return [];
      const scanner = new Scanner(file, place.start);
      const isThere = scanner.integer() === number && scanner.integer() !== undefined && scanner.takes('obj');
      return isThere ? [{ number, at: scanner.at }] : [];
    }),
  );
}

/** An object stream begins with pairs: a number, and where its object begins behind /First. */
function packedObjects({ bytes, count, first }: PackedObjects): { number: number; at: number }[] {
  const objects: { number: number; at: number }[] = [];
  const pairs = new Scanner(bytes, 0, Math.min(first, bytes.length));
  for (let index = 0; index < count; index += 1) {
    const [number, offset] = [pairs.integer(), pairs.integer()];
    if (number === undefined || offset === undefined) break;
    objects.push({ number, at: first + offset });
  }
  return objects;
}

function valuesIn(bytes: Buffer, key: string, budget: ReadBudget): Value[] {
  const values: Value[] = [];
  const name = `/${key}`;
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + name.length)) {
    const after = bytes[at + name.length];
    // Not the beginning of a longer name.
    if (after === undefined || /[A-Za-z0-9]/.test(String.fromCharCode(after))) continue;
    values.push(readValue(bytes, at + name.length, budget).value);
    if (values.length > DOCUMENT_LIMITS.pageTreeNodes) break;
  }
  return values;
}

/** Reads the object number of the `obj` at `at` (`12 0 obj`); undefined for the end of another word. */
export function objectNumberBefore(bytes: Buffer, at: number): number | undefined {
  let index = at - 1;
  const back = (matches: (byte: number | undefined) => boolean) => {
    const from = index;
    while (index >= 0 && matches(bytes[index])) index -= 1;
    return from - index;
  };
  if (back(isBlank) === 0 || back(isDigit) === 0 || back(isBlank) === 0) return undefined;
  const last = index;
  const digits = back(isDigit);
  return digits > 0 && digits <= 10 ? Number(bytes.toString('latin1', index + 1, last + 1)) : undefined;
}

/** Deeper values are refused before, where they are in the open. */
const DEPTH = DOCUMENT_LIMITS.nesting;
const ANY_DIGITS = Number.POSITIVE_INFINITY;

class TolerantScanner extends Scanner {
  override value(depth: number = DEPTH): Value {
    const value = super.value(depth);
    if (value !== NOTHING) return value;
    this.at = this.end;
    return null;
  }

  override dict(depth: number = DEPTH): Dict {
    this.at += 2;
    const dict: Dict = new Map();
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.end) return dict;
      const byte = this.bytes[this.at];
      if (byte === GREATER) {
        this.at += this.at + 1 < this.end && this.bytes[this.at + 1] === GREATER ? 2 : 1;
        return dict;
      }
      if (byte !== SLASH) this.value(depth - 1);
      else dict.set(this.name(), this.value(depth - 1));
    }
  }

  protected override array(depth: number): Value[] {
    this.at += 1;
    const items: Value[] = [];
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.end) return items;
      if (this.bytes[this.at] === BRACKET_END) {
        this.at += 1;
        return items;
      }
      items.push(this.value(depth - 1));
    }
  }

  protected override hex(): null {
    const close = this.bytes.indexOf(GREATER, this.at);
    this.at = close === -1 ? this.end : Math.min(this.end, close + 1);
    return null;
  }

  protected override literal(): null {
    this.at = afterLiteral(this.bytes, this.at, this.end);
    return null;
  }

  protected override numberOrWord(): Value {
    const start = this.at;
    const number = super.numberOrWord();
    if (this.at === start) this.at += 1; // a closing bracket that nothing opened
    if (number === NOTHING) return null;
    if (typeof number !== 'number' || !Number.isInteger(number)) return number;
    const generation = this.restOfReference(ANY_DIGITS);
    return generation === undefined ? number : new Ref(number, generation);
  }
}
