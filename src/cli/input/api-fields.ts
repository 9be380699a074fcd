// Parses the fields of `esign api`: `name=value`, `a[b]=c`, `a[]=x`; as text, or as a JSON value.
import { invalidValue } from '../command/wrong-input.ts';
import type { FileReader } from './files.ts';

/** @property keys `a[b][]` is a, b and the empty key, which appends to a list */
export type ApiField = { text: string; keys: string[]; value: unknown; file?: string };

const KEY = /^([^[\]=]+)((?:\[[^[\]=]*\])*)$/;

function split(text: string, flag: string): { keys: string[]; value: string } {
  const equals = text.indexOf('=');
  const match = equals < 1 ? null : KEY.exec(text.slice(0, equals));
  if (!match)
    throw invalidValue({
      name: flag,
      value: text,
      use: `KEY=VALUE, for example ${flag} name=Agreement, ${flag} 'a[b]=c' or ${flag} 'a[]=x'`,
    });
  const [, name = '', inner = ''] = match;
  return {
    keys: [name, ...[...inner.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key)],
    value: text.slice(equals + 1),
  };
}

export function rawField(text: string): ApiField {
  const { keys, value } = split(text, '-f');
  return { text, keys, value };
}

const WORDS: Record<string, unknown> = { true: true, false: false, null: null };
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Parses a typed field: `true`, `false`, `null` and numbers become JSON values; `@FILE` is the content of the file, `@-` standard input. */
export async function parseTypedField(text: string, reader: FileReader, asFile: boolean): Promise<ApiField> {
  const { keys, value } = split(text, '-F');
  if (Object.hasOwn(WORDS, value)) return { text, keys, value: WORDS[value] };
  if (NUMBER.test(value) && Number.isFinite(Number(value))) return { text, keys, value: Number(value) };
  if (!value.startsWith('@')) return { text, keys, value };
  const file = value.slice(1);
  const bytes = await reader.read(file);
  return { text, keys, value: asFile ? bytes : new TextDecoder().decode(bytes), file };
}

/** Makes a JSON object of fields. It refuses a key that is a list and an object, or a value and an object. */
export function objectOf(fields: readonly ApiField[]): Record<string, unknown> {
  const root: Record<string, unknown> = Object.create(null);
  for (const field of fields) put(root, field.keys, field);
  return root;
}

function put(into: Record<string, unknown>, keys: readonly string[], field: ApiField): void {
  const [key = '', next, ...rest] = keys;
  if (next === undefined) {
    into[key] = field.value;
    return;
  }
  if (next === '') {
    if (rest.length > 0) throw misshapen(field, 'only a value can be appended to a list');
    const list = into[key] ?? [];
    if (!Array.isArray(list)) throw misshapen(field, `"${key}" is not a list`);
    into[key] = [...list, field.value];
    return;
  }
  const inner = into[key] ?? Object.create(null);
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
    throw misshapen(field, `"${key}" is not an object`);
  into[key] = inner;
  put(inner as Record<string, unknown>, [next, ...rest], field);
}

const misshapen = ({ text }: ApiField, why: string) =>
  invalidValue({
    name: text,
    problem: `contradicts the fields before it: ${why}`,
    use: '--input to give the whole body',
  });
