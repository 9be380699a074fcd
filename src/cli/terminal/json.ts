// Writes JSON for stdout: one line in a pipe, indented for a person; and selects properties for `--select`.
import { isRecord } from '../../common/json.ts';

/** Writes JSON on one line for a pipe and indented for a terminal. */
export const jsonText = (value: unknown, isTerminal = false): string =>
  escapedJson(JSON.stringify(value, null, isTerminal ? 2 : 0));

/** Escapes characters in JSON that a terminal would interpret. */
export const escapedJson = (json: string): string => json?.replace(UNSAFE_IN_JSON, escapedInJson);

/** DEL, C1 controls and bidi controls, which a terminal interprets and JSON.stringify does not escape. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Escapes one character, which can only be inside a string. */
const escapedInJson = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Selects properties such as `id,recipient.email` of an object, or of each entry of a list. Missing ones are null. */
export function select(value: unknown, fields: readonly string[]): unknown {
  if (isRecord(value) && Array.isArray(value.items))
    return { ...value, items: value.items.map((item) => select(item, fields)) };
  return Object.fromEntries(fields.map((field) => [field, valueAt(value, field.split('.'))]));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value ?? null;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path));
  return isRecord(value) && Object.hasOwn(value, first) ? valueAt(value[first], rest) : null;
}
