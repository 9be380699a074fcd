// JSON on stdout: one line in a pipe, indented for a person; and `--select`, which keeps some of its properties.

export const jsonText = (value: unknown, isTerminal: boolean): string =>
  JSON.stringify(value, null, isTerminal ? 2 : 0);

/** `id,recipient.email` of an object, or of each entry of a list. What is not there is null. */
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
