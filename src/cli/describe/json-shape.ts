// Parses the sentence by which a command describes its JSON, so that `--select` can refuse the name of an unknown
// property before anything is done. `{id, recipient: {name}, documents: […]}; with --x {…}`.
/** Properties by name; `open` when there may be others. */
export type Shape = { names: Map<string, Shape | undefined>; isOpen: boolean };

const OPEN: Shape = { names: new Map(), isOpen: true };

/** Merges all objects that the sentence shows. Undefined when it shows none. */
export function shapeOf(sentence: string): Shape | undefined {
  const shape: Shape = { names: new Map(), isOpen: false };
  const reader = { text: sentence, at: 0 };
  let found = false;
  for (; reader.at < sentence.length; reader.at += 1)
    if (sentence[reader.at] === '{') {
      found = true;
      readObject(reader, shape);
    }
  return found ? shape : undefined;
}

type Reader = { text: string; at: number };

/** Reads from `{` to its `}`; leaves the reader on it. */
function readObject(reader: Reader, shape: Shape): void {
  reader.at += 1;
  while (reader.at < reader.text.length && reader.text[reader.at] !== '}') {
    const rest = reader.text.slice(reader.at);
    const name = /^[\s,]*([A-Za-z_]\w*)\??(\s*:\s*)?/.exec(rest);
    if (name?.[1]) {
      reader.at += name[0].length;
      shape.names.set(name[1], name[2] === undefined ? shape.names.get(name[1]) : readValue(reader));
    } else {
      if (/^[\s,]*…/.test(rest)) shape.isOpen = true;
      reader.at += 1;
    }
  }
}

/** Reads what follows a colon: an object, a list of them, or words. */
function readValue(reader: Reader): Shape | undefined {
  const shape: Shape = { names: new Map(), isOpen: false };
  let found = false;
  for (let depth = 0; reader.at < reader.text.length; reader.at += 1) {
    const sign = reader.text[reader.at];
    if (sign === '{') {
      found = true;
      readObject(reader, shape);
    } else if (sign === '[') depth += 1;
    else if (sign === ']') depth -= 1;
    else if (depth === 0 && (sign === ',' || sign === '}')) break;
  }
  return found ? shape : undefined;
}

export type Unknown = { name: string; known: readonly string[] };

/**
 * Finds the first of `fields` that names no property; of a list, no property of its items.
 * @param value what is printed, where it is known already: its properties are known as well
 */
export function unknownField(
  fields: readonly string[],
  shape: Shape | undefined,
  value?: unknown,
): Unknown | undefined {
  const top = within(shape ?? OPEN);
  const present = propertiesOf(value);
  for (const field of fields) {
    const missing = missingIn(field.split('.'), top, present);
    if (missing) return missing;
  }
  return undefined;
}

/** `--select` of a list keeps properties of its items. */
const within = (shape: Shape): Shape =>
  shape.names.has('items') ? (shape.names.get('items') ?? OPEN) : shape;

function missingIn(
  path: readonly string[],
  shape: Shape | undefined,
  present: readonly string[] | undefined,
): Unknown | undefined {
  const [name = '', ...rest] = path;
  if (!shape) return undefined;
  if (shape.names.has(name) || present?.includes(name))
    return rest.length > 0 ? missingIn(rest, shape.names.get(name), undefined) : undefined;
  if (shape.isOpen && present === undefined) return undefined;
  const known = [...new Set([...shape.names.keys(), ...(present ?? [])])].sort();
  return { name, known };
}

/** Lists the properties. Undefined when they cannot be known, as of an empty list. */
function propertiesOf(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { items } = value as { items?: unknown };
  const objects: unknown[] = Array.isArray(items) ? items : Array.isArray(value) ? value : [value];
  const names = objects.flatMap((one) => (typeof one === 'object' && one !== null ? Object.keys(one) : []));
  return names.length === 0 ? undefined : [...new Set(names)];
}
