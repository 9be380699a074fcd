// The objects of a PDF by their numbers, from the open file and from its object streams, without any cross-reference
// table. Where a number is defined several times, as in a file that was edited, all definitions are given.
import { DOCUMENT_LIMITS } from '../limits.ts';
import {
  objectNumberBefore,
  type RawDict,
  RawRef,
  type RawValue,
  type ReadBudget,
  readValue,
} from './syntax.ts';

/** Objects of one object stream: `bytes` unpacked, and the two entries of its dictionary. */
export type PackedObjects = { bytes: Buffer; count: number; first: number };

export type Objects = {
  count: number;
  /** Whether so much was read that something in the file must have no end: what was found is not all there is. */
  isExhausted(): boolean;
  /** Every definition of the object, in the order of the file. */
  definitions(number: number): RawValue[];
  /** The value itself, or the last definition of the object it refers to. */
  resolved(value: RawValue): RawValue;
  dictOf(value: RawValue): RawDict | undefined;
  /** What stands behind `/key`, wherever in the file. */
  valuesOf(key: string): RawValue[];
};

type ObjectLocation = { bytes: Buffer; at: number };

export function indexObjects(file: Buffer, packed: PackedObjects[]): Objects {
  const places = new Map<number, ObjectLocation[]>();
  const add = (number: number, place: ObjectLocation) => {
    const known = places.get(number);
    if (known) known.push(place);
    else places.set(number, [place]);
  };
  let count = 0;
  for (let at = file.indexOf('obj'); at !== -1; at = file.indexOf('obj', at + 3)) {
    const number = objectNumberBefore(file, at);
    if (number === undefined) continue;
    count += 1;
    if (count <= DOCUMENT_LIMITS.objects) add(number, { bytes: file, at: at + 3 });
  }
  for (const stream of packed) {
    count += stream.count;
    if (count <= DOCUMENT_LIMITS.objects) addPacked(stream, add);
  }
  const budget: ReadBudget = { bytes: DOCUMENT_LIMITS.valueBytes };
  const read = new Map<number, RawValue[]>();

  const definitions = (number: number): RawValue[] => {
    const known = read.get(number);
    if (known) return known;
    const values = (places.get(number) ?? []).map(({ bytes, at }) => readValue(bytes, at, budget));
    read.set(number, values);
    return values;
  };
  const resolved = (value: RawValue) => (value instanceof RawRef ? definitions(value.number).at(-1) : value);
  return {
    count,
    isExhausted: () => budget.bytes <= 0,
    definitions,
    resolved,
    dictOf: (value) => {
      const found = resolved(value);
      return found instanceof Map ? found : undefined;
    },
    valuesOf: (key) =>
      [file, ...packed.map(({ bytes }) => bytes)].flatMap((bytes) => valuesIn(bytes, key, budget)),
  };
}

/** An object stream begins with pairs: a number, and where its object begins behind /First. */
function addPacked(
  { bytes, count, first }: PackedObjects,
  add: (number: number, place: ObjectLocation) => void,
): void {
  const pairs = bytes.toString('latin1', 0, first).trim().split(/\s+/);
  for (let index = 0; index + 1 < pairs.length && index < 2 * count; index += 2) {
    const [number, offset] = [Number(pairs[index]), Number(pairs[index + 1])];
    if (number >= 0 && offset >= 0) add(number, { bytes, at: first + offset });
  }
}

function valuesIn(bytes: Buffer, key: string, budget: ReadBudget): RawValue[] {
  const values: RawValue[] = [];
  const name = `/${key}`;
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + name.length)) {
    const after = bytes[at + name.length];
    // Not the beginning of a longer name.
    if (after === undefined || /[A-Za-z0-9]/.test(String.fromCharCode(after))) continue;
    values.push(readValue(bytes, at + name.length, budget));
    if (values.length > DOCUMENT_LIMITS.pageTreeNodes) break;
  }
  return values;
}
