// Finds properties that a command's sentence about its JSON promises and a value lacks: `{id, url?, recipient: {name, email}}; with --x {file}`.
type Promised = Map<string, { isOptional: boolean; inner: Promised | undefined }>;

/**
 * Returns the paths of the properties that are missing in a value. A sentence with several objects promises one of
 * them; objects after "also" do not count.
 * @param sentence the `json` of a command
 */
export function missingIn(value: unknown, sentence: string): string[] {
  const missing = objectsIn(sentence).map((promised) => missingOf(value, promised, ''));
  return missing.sort((a, b) => a.length - b.length)[0] ?? [];
}

function objectsIn(sentence: string): Promised[] {
  const reader = { text: sentence, at: 0 };
  const objects: Promised[] = [];
  for (; reader.at < sentence.length; reader.at += 1)
    if (sentence[reader.at] === '{') {
      const isAddition = sentence.slice(0, reader.at).endsWith('also ');
      const object = readObject(reader);
      if (!isAddition) objects.push(object);
    }
  return objects;
}

/** Reads from `{` to its `}`, at which the reader stops. */
function readObject(reader: { text: string; at: number }): Promised {
  const promised: Promised = new Map();
  let last: { isOptional: boolean; inner: Promised | undefined } | undefined;
  for (reader.at += 1; reader.at < reader.text.length && reader.text[reader.at] !== '}'; reader.at += 1) {
    const rest = reader.text.slice(reader.at);
    const [, name, mark] = /^([A-Za-z_]\w*)(\??)(?=\s*[,:}])/.exec(rest) ?? [];
    if (name !== undefined && /[{,]\s*$/.test(reader.text.slice(0, reader.at))) {
      last = { isOptional: mark === '?', inner: undefined };
      promised.set(name, last);
      reader.at += name.length - 1;
    } else if (rest.startsWith('{') && last) last.inner = readObject(reader);
  }
  return promised;
}

function missingOf(value: unknown, promised: Promised, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => missingOf(one, promised, path));
  if (typeof value !== 'object' || value === null) return [];
  const properties = value as Record<string, unknown>;
  return [...promised].flatMap(([name, { isOptional, inner }]) => {
    if (!(name in properties)) return isOptional ? [] : [`${path}${name}`];
    return inner ? missingOf(properties[name], inner, `${path}${name}.`) : [];
  });
}
