// What a command prints with `--json`, as a JSON Schema (draft 2020-12). The line of help, the check of `--select`, `esign help json
// COMMAND` and the check of every output in the tests are made from it. Properties may be added in later versions, so a schema for
// programs is open; the tests take it as closed, except where `open` says that a service decides.

export type JsonSchema = {
  $schema?: string;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  enum?: readonly unknown[];
  [BRIEF]?: true;
  [NAME_ONLY]?: true;
  [OPEN]?: true;
  /** The property is a secret; --env-path writes it to the variable of this name. */
  [SECRET]?: string;
};

// JSON has no symbols. They are those of the whole process, because the build describes commands in another bundle than it loads them.
const BRIEF: unique symbol = Symbol.for('esign: brief');
const NAME_ONLY: unique symbol = Symbol.for('esign: name only');
const OPEN: unique symbol = Symbol.for('esign: open');
const SECRET: unique symbol = Symbol.for('esign: secret');

/** Help prints shapes with words between and behind them: `[shape, '; with --output ', other]`. */
export type JsonOutput = readonly (JsonSchema | string)[];

/** Describes what a command prints: a shape, or the words for an output that is not the command's own. */
export const prints = (...parts: JsonOutput): JsonOutput => parts;

export const text: JsonSchema = { type: 'string' };
export const number: JsonSchema = { type: 'number' };
/** A secret, and the variable that --env-path writes it to where --env-name does not name another. */
export const secret = (variable: string): JsonSchema => ({ type: 'string', [SECRET]: variable });
export const boolean: JsonSchema = { type: 'boolean' };
export const anything: JsonSchema = {};
export const only = (...values: readonly (string | number | boolean | null)[]): JsonSchema => ({
  enum: values,
});

export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
/** Describes an object whose names are not those of properties, such as the headers of a response. */
export const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values });
export const either = (...schemas: readonly JsonSchema[]): JsonSchema => ({ anyOf: schemas });
/** Help shows this object or list as `{…}` or `[…]`. */
export const brief = (schema: JsonSchema): JsonSchema => ({ ...schema, [BRIEF]: true });
/** Help names this property without what is in it. */
export const nameOnly = (schema: JsonSchema): JsonSchema => ({ ...schema, [NAME_ONLY]: true });
/** The service decides which other properties the object has. */
export const open = (schema: JsonSchema): JsonSchema => ({ ...schema, [OPEN]: true });

/** Explains a property. The line of help stays short; the schema and the man page have the sentence. */
export const described = (schema: JsonSchema, description: string): JsonSchema => ({
  ...schema,
  description,
});

/** Allows null beside a plain type, or any other schema. */
export function nullable(schema: JsonSchema): JsonSchema {
  return typeof schema.type === 'string' && schema.type !== 'object' && schema.type !== 'array'
    ? { ...schema, type: [schema.type, 'null'] }
    : either(schema, { type: 'null' });
}

/** A property whose name ends with `?` may be absent. */
export function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const entries = Object.entries(properties);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
  };
}

/** Lists the properties that are secrets, with their variables. `*` stands for the names in a map of secrets. */
export function secretsOf(output: JsonOutput): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  const walk = (schema: JsonSchema): void => {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const variable = property[SECRET] ?? property.additionalProperties?.[SECRET];
      if (variable !== undefined) secrets.set(name, variable);
      walk(property);
    }
    if (schema.items) walk(schema.items);
    schema.anyOf?.forEach(walk);
  };
  for (const part of output) if (typeof part !== 'string') walk(part);
  return secrets;
}

/** Describes what is printed when the secrets are written to a file: objects name it and their variables instead. */
export function savedOf(output: JsonOutput): JsonOutput {
  const secrets = secretsOf(output);
  const saved = (schema: JsonSchema): JsonSchema => {
    if (schema.items) return { ...schema, items: saved(schema.items) };
    const names = Object.keys(schema.properties ?? {});
    if (!names.some((name) => secrets.has(name))) return schema;
    const remaining = names.filter((name) => !secrets.has(name));
    const isOptional = !names.some((name) => secrets.has(name) && schema.required?.includes(name));
    const mark = isOptional ? '?' : '';
    const { properties } = object({ [`env_file${mark}`]: text, [`env_names${mark}`]: nameOnly(list(text)) });
    return {
      ...schema,
      properties: {
        ...Object.fromEntries(remaining.map((name) => [name, schema.properties?.[name] ?? anything])),
        ...properties,
      },
      required: [
        ...(schema.required ?? []).filter((name) => !secrets.has(name)),
        ...(isOptional ? [] : ['env_file', 'env_names']),
      ],
    };
  };
  const shapes = output.flatMap((part) => (typeof part === 'string' ? [] : [saved(part)]));
  const different = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
  return ['; with --env-path ', different.length > 1 ? either(...different) : (different[0] ?? anything)];
}

/** Writes the line of help: `{id, url?, recipient: {name}, documents: […]}`. */
export const jsonLine = (output: JsonOutput): string =>
  output.map((part) => (typeof part === 'string' ? part : shapeText(part))).join('');

/** Makes the schema of everything that the command may print. Undefined where it prints nothing of its own. */
export function schemaOf(output: JsonOutput): JsonSchema | undefined {
  const schemas: JsonSchema[] = [];
  for (const [index, part] of output.entries()) {
    if (typeof part === 'string') continue;
    const before = output[index - 1];
    const [first] = schemas;
    if (first && typeof before === 'string' && before.endsWith('also ')) schemas.push(withAll(first, part));
    else schemas.push(part);
  }
  return schemas.length > 1 ? either(...schemas) : schemas[0];
}

const withAll = (first: JsonSchema, more: JsonSchema): JsonSchema => ({
  ...first,
  properties: { ...first.properties, ...more.properties },
  required: [...new Set([...(first.required ?? []), ...(more.required ?? [])])],
});

function shapeText(schema: JsonSchema): string {
  if (schema.anyOf) {
    const [first, ...others] = schema.anyOf.map(shapeText);
    return others.every((other) => other === 'null') && !first?.startsWith('{')
      ? `${first} | null`
      : [first, ...others].join(' | ');
  }
  if (schema.type === 'array') {
    const items = schema.items ?? anything;
    return items[BRIEF] || !isDetailed(items) ? '[…]' : `[${shapeText(items)}]`;
  }
  if (schema.type === 'object') {
    if (schema[BRIEF]) return '{…}';
    const names = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const mark = schema.required?.includes(name) ? '' : '?';
      return isDetailed(property) ? `${name}${mark}: ${shapeText(property)}` : `${name}${mark}`;
    });
    return `{${[...names, ...(schema[OPEN] ? ['…'] : [])].join(', ')}}`;
  }
  return (schema.enum ?? [schema.type ?? '…']).flat().join(' | ');
}

/** Help names a property alone, unless it has properties or entries of its own. */
const isDetailed = (schema: JsonSchema): boolean =>
  !schema[NAME_ONLY] &&
  (schema.type === 'object' ||
    schema.type === 'array' ||
    schema.enum !== undefined ||
    (schema.anyOf?.some(isDetailed) ?? false));

/** Lists the properties that are explained, by their names as `--select` takes them: `evidence.signers`. */
export function explainedProperties(output: JsonOutput): [name: string, description: string][] {
  const explained = objectsIn(schemaOf(output)).flatMap((schema) => explainedIn(itemsOf(schema), ''));
  return [...new Map(explained)];
}

function explainedIn(schema: JsonSchema, path: string): [name: string, description: string][] {
  return objectsIn(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([key, property]) => {
      const name = `${path}${key}`;
      const { description } = property;
      return [
        ...(description === undefined ? [] : [[name, description] satisfies [string, string]]),
        ...explainedIn(property, `${name}.`),
      ];
    }),
  );
}

export type UnknownProperty = { name: string; alternatives: readonly string[] };

/**
 * Finds the first of `fields` that names no property; of a list, no property of its items.
 * @param value what is printed, once it is there: its properties count as well
 */
export function unknownProperty(
  fields: readonly string[],
  output: JsonOutput,
  value?: unknown,
): UnknownProperty | undefined {
  const objects = fitting(objectsIn(schemaOf(output)), value).map(itemsOf);
  const present = propertiesOf(value);
  for (const field of fields) {
    const unknown = unknownIn(field.split('.'), objects, present);
    if (unknown) return unknown;
  }
  return undefined;
}

/** What is printed is one of several objects. @returns those that describe the value best; all of them where there is no value yet */
function fitting(objects: readonly JsonSchema[], value: unknown): readonly JsonSchema[] {
  if (value === undefined || objects.length < 2) return objects;
  const items = Array.isArray(value) ? value : [value];
  const counts = objects.map((schema) =>
    items.reduce((sum: number, item) => sum + differencesFrom(schema, item).length, 0),
  );
  return objects.filter((_, index) => counts[index] === Math.min(...counts));
}

const OF_OPTION = /\bwith --(?<option>[a-z-]+) (?:also )?$/;

/** @returns the output without what is printed only with an option that is not set */
export const outputWith = (output: JsonOutput, isSet: (option: string) => boolean): JsonOutput =>
  output.filter((part, index) => {
    const before = output[index - 1];
    if (typeof part === 'string' || typeof before !== 'string') return true;
    const { option } = OF_OPTION.exec(before)?.groups ?? {};
    return option === undefined || isSet(option);
  });

/** `--select` of a list keeps properties of its items. */
const itemsOf = (schema: JsonSchema): JsonSchema => schema.properties?.items?.items ?? schema;

function unknownIn(
  [name = '', ...rest]: readonly string[],
  objects: readonly JsonSchema[],
  present: readonly string[] | undefined,
): UnknownProperty | undefined {
  if (objects.length === 0) return undefined;
  const described = objects.flatMap(({ properties }) => Object.keys(properties ?? {}));
  if (described.includes(name) || present?.includes(name)) {
    const inner = objects.flatMap(({ properties }) => objectsIn(properties?.[name]));
    return rest.length > 0 ? unknownIn(rest, inner, undefined) : undefined;
  }
  if (present === undefined && objects.some((schema) => schema[OPEN] || schema[BRIEF])) return undefined;
  return { name, alternatives: [...new Set([...described, ...(present ?? [])])].sort() };
}

/** Lists the objects that a value or an item of a list may be. */
function objectsIn(schema: JsonSchema | undefined): readonly JsonSchema[] {
  if (schema === undefined) return [];
  if (schema.anyOf) return schema.anyOf.flatMap(objectsIn);
  if (schema.items) return objectsIn(schema.items);
  return schema.properties ? [schema] : [];
}

/** Lists the properties. Undefined when they cannot be known, as of an empty list. */
function propertiesOf(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { items } = value as { items?: unknown };
  const objects: unknown[] = Array.isArray(items) ? items : Array.isArray(value) ? value : [value];
  const names = objects.flatMap((item) =>
    typeof item === 'object' && item !== null ? Object.keys(item) : [],
  );
  return names.length === 0 ? undefined : [...new Set(names)];
}

/**
 * Lists what a printed value has that its schema lacks, and what it lacks, as `recipients.0.email is missing`.
 * @returns nothing where the value is as described
 */
export function differencesFrom(schema: JsonSchema, value: unknown, path = ''): string[] {
  const at = (name: string | number) => (path === '' ? `${name}` : `${path}.${name}`);
  if (schema.anyOf) {
    const attempts = schema.anyOf.map((alternative) => differencesFrom(alternative, value, path));
    return attempts.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${path || 'the value'} is not one of its values`];
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value)))
    return [`${path || 'the value'} is ${typeOf(value)}, not ${[schema.type].flat().join(' or ')}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => differencesFrom(schema.items ?? anything, item, at(index)));
  const { properties, additionalProperties: entries } = schema;
  if (typeof value !== 'object' || value === null) return [];
  if (entries)
    return Object.entries(value).flatMap(([name, inner]) => differencesFrom(entries, inner, at(name)));
  if (!properties) return [];
  return [
    ...(schema.required ?? []).filter((name) => !(name in value)).map((name) => `${at(name)} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property) return differencesFrom(property, inner, at(name));
      return schema[OPEN] ? [] : [`${at(name)} is not described`];
    }),
  ];
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
