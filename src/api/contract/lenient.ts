// Readers from which schemas of received answers are built. Another service may omit, add and rename properties: unknown
// properties stay as they are, a known one that cannot be used is omitted, and only a missing one that is needed makes an
// answer incomplete. The types are inferred from the readers. They are plain functions, because every command pays for what is
// built and read here, and zod took 3 ms for the first transaction (decision 0031).
import { isRecord } from '../../common/json.ts';
import { LONE_SURROGATE } from '../../common/text.ts';

/** The path of something needed that is missing: `template.recipients.0.email`. */
export class Missing {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}

/**
 * Reads one value; undefined when it cannot be used.
 * @property shape the readers of the properties of an object
 * @property item the reader of the items of a list
 */
export type Reader<T, Needed extends boolean = boolean> = {
  readonly isNeeded: Needed;
  readonly shape?: Shape;
  readonly item?: Reader<unknown>;
  read(value: unknown): T | undefined | Missing;
};

/** The type of what a reader returns. */
export type ReadBy<R> = R extends Reader<infer T> ? T : never;

type Shape = Readonly<Record<string, Reader<unknown>>>;

/** A property that a service may leave out is optional. */
type RecordOf<S extends Shape> = {
  [K in keyof S as S[K] extends Reader<unknown, true> ? K : never]: ReadBy<S[K]>;
} & {
  [K in keyof S as S[K] extends Reader<unknown, true> ? never : K]?: ReadBy<S[K]> | undefined;
};

type Flat<T> = { [K in keyof T]: T[K] };

const isText = (value: unknown): value is string => typeof value === 'string';
const isUrlText = (value: unknown): value is string =>
  isText(value) && value !== '' && !LONE_SURROGATE.test(value);
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const needed = <T>(is: (value: unknown) => value is T): Reader<T, true> => ({
  isNeeded: true,
  read: (value) => (is(value) ? value : undefined),
});

/** Null stays null: some services write it where others leave a property out. */
const some = <T>(is: (value: unknown) => value is T): Reader<T | null, false> => ({
  isNeeded: false,
  read: (value) => (value === null || is(value) ? value : undefined),
});

/** An id is never empty and can be part of a URL. */
export const neededId = needed(isUrlText);
export const neededText = needed(isText);
export const neededNumber = needed(isNumber);
export const neededFlag = needed(isFlag);
export const neededObject = needed(isRecord);

export const someId = some(isUrlText);
export const someText = some(isText);
export const someNumber = some(isNumber);
export const someFlag = some(isFlag);
/** Nothing is known of the properties of this object. */
export const someObject = some(isRecord);

/** Unknown properties pass, and the type does not speak of them. */
export function record<S extends Shape>(shape: S): Reader<Flat<RecordOf<S>>, true> {
  const properties = Object.entries(shape);
  return {
    isNeeded: true,
    shape,
    read(value) {
      if (!isRecord(value)) return undefined;
      const result: Record<string, unknown> = { ...value };
      for (const [name, reader] of properties) {
        const read = reader.read(value[name]);
        if (read instanceof Missing) return new Missing(`${name}.${read.path}`);
        if (read !== undefined) result[name] = read;
        else if (reader.isNeeded) return new Missing(name);
        else if (name in result) delete result[name];
      }
      // The one place that cannot be inferred: each property was just read by the reader that its type comes from.
      return result as Flat<RecordOf<S>>;
    },
  };
}

/** Something that is no object counts as omitted, except null; an object has to contain what is needed. */
export function someRecord<S extends Shape>(shape: S): Reader<Flat<RecordOf<S>> | null, false> {
  const { read } = record(shape);
  return { isNeeded: false, shape, read: (value) => (value === null ? null : read(value)) };
}

/** Every item must be readable. */
export const list = <T>(item: Reader<T>): Reader<T[], true> => ({
  isNeeded: true,
  item,
  read(value) {
    if (!Array.isArray(value)) return undefined;
    const items: T[] = [];
    for (const [index, entry] of value.entries()) {
      const read = item.read(entry);
      if (read instanceof Missing) return new Missing(`${index}.${read.path}`);
      if (read === undefined) return new Missing(String(index));
      items.push(read);
    }
    return items;
  },
});

/** Something that is no list counts as omitted. */
export const someList = <T>(item: Reader<T>): Reader<T[], false> => ({ ...list(item), isNeeded: false });

/** @returns what can be relied on, or the path of what is missing */
export function readReceived<T>(
  reader: Reader<T>,
  value: unknown,
): { ok: true; value: T } | { ok: false; missing: string } {
  const read = reader.read(isRecord(value) ? value : {});
  if (read instanceof Missing) return { ok: false, missing: read.path };
  return read === undefined ? { ok: false, missing: '' } : { ok: true, value: read };
}
