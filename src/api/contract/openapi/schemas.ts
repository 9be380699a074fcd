// Schemas of the contract as JSON Schema for OpenAPI: each object under a name of its own, and nothing in it that only
// our own checks need. Pure.
import * as z from 'zod';
import { resolveSchema, resolveSchemaDeep } from '../lazy-schema.ts';
import { email, NUMBERS_IN_QUERIES, TEXT_KEYWORDS } from '../values.ts';

export type Json = Record<string, unknown>;

export type NamedSchemas = {
  /**
   * Gives a shape its name before it is first met, so that it has this name everywhere.
   * @param published stands under the name instead of the shape, where OpenAPI can say more than it does
   */
  register(name: string, schema: Json, published?: Json): void;
  /** @returns a reference where it is an object, otherwise the schema with references for the objects in it */
  named(name: string, schema: Json): Json;
  /** Returns all schemas by their names. */
  components(): Json;
};

/** Describes a value for the authors of clients, in the same way however it is checked here. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(resolveSchemaDeep(schema), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const isEmail = zodSchema === resolveSchema(email);
      Object.assign(jsonSchema, isEmail ? { format: 'email' } : TEXT_KEYWORDS.get(zodSchema));
      const inQuery = NUMBERS_IN_QUERIES.get(zodSchema);
      if (inQuery) replace(jsonSchema, inQuery);
    },
  }) as Json;
  simplify(rest, io);
  return rest;
}

function replace(target: Json, by: Json): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, by);
}

/** Simplifies what is inside first. */
function simplify(schema: Json, io: 'input' | 'output'): void {
  for (const inside of Object.values(schema))
    if (typeof inside === 'object' && inside !== null) simplify(inside as Json, io);
  // A format says it; the pattern is how zod checks it.
  if (schema.format !== undefined) delete schema.pattern;
  delete schema.propertyNames;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // An answer may have more one day; clients should not break then.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  if (JSON.stringify(schema.enum) === '["true","false"]') replace(schema, { type: 'boolean' });
  simplifyNullable(schema);
  if (io === 'input') describeDefault(schema);
  else makeExtensionsOptional(schema);
}

/** Generators take a property with a `default` for one that is always there, which is not so in a request. */
function describeDefault(schema: Json): void {
  if (!('default' in schema)) return;
  const sentence = `Default: ${JSON.stringify(schema.default)}`;
  delete schema.default;
  schema.description = schema.description === undefined ? sentence : `${schema.description} ${sentence}`;
}

/**
 * This keyword names the properties that this service always sends, extensions included, for the types of its client
 * (`scripts/client-types.js`). It is removed from the published document.
 */
export const PROMISED = 'x-promised';

/** Extensions are optional, because other services omit them, and a client is generated for all services. */
function makeExtensionsOptional(schema: Json): void {
  const { properties, required } = schema as { properties?: Record<string, Json>; required?: string[] };
  if (!properties || !Array.isArray(required)) return;
  schema[PROMISED] = required;
  schema.required = required.filter((name) => properties[name]?.['x-extension'] !== true);
}

/** Replaces `anyOf` of something and null by the list of types that says the same, which generators read better. */
function simplifyNullable(schema: Json): void {
  const [type, other] = (schema.anyOf ?? []) as Json[];
  if (other?.type !== 'null' || typeof type?.type !== 'string' || type.type === 'object') return;
  const values = type.enum && { enum: [...(type.enum as unknown[]), null] };
  delete schema.anyOf;
  Object.assign(schema, type, { type: [type.type, 'null'] }, values);
}

export function createNamedSchemas(): NamedSchemas {
  const names = new Map<string, string>();
  const components = new Map<string, Json>();

  function put(name: string, schema: Json): Json {
    const before = components.get(name);
    if (before && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`Two schemas are called ${name}.`);
    components.set(name, schema);
    return refTo(name);
  }

  function withNames(name: string, node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => withNames(name, item));
    if (typeof node !== 'object' || node === null) return node;
    const shape = isNamable(node as Json) ? names.get(JSON.stringify(node)) : undefined;
    if (shape) return refTo(shape);
    const schema = insideOf(name, node as Json);
    return isObject(schema) ? put(name, schema) : schema;
  }

  const insideOf = (name: string, schema: Json): Json =>
    Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [
        key,
        key === 'properties' ? propertiesOf(name, value as Json) : withNames(nameIn(name, key), value),
      ]),
    );

  const propertiesOf = (name: string, properties: Json): Json =>
    Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, propertyOf(name + pascal(key), value as Json)]),
    );

  /** `x-extension` stands beside the reference to an object, because only this property of it is an extension. */
  function propertyOf(name: string, property: Json): unknown {
    if (property['x-extension'] !== true || !isNamable(property)) return withNames(name, property);
    const { description, 'x-extension': mark, ...schema } = property;
    return { ...(withNames(name, schema) as Json), description, 'x-extension': mark };
  }

  return {
    register(name, schema, published = schema) {
      put(name, insideOf(name, published));
      names.set(JSON.stringify(schema), name);
    },
    named: (name, schema) => withNames(name, schema) as Json,
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Only objects get a name; the text of anything else is not worth making. */
const isNamable = (schema: Json): boolean => schema.type === 'object';

const isObject = (schema: Json): boolean => schema.type === 'object' && schema.properties !== undefined;

/** An item is called as its list is, in the singular. */
const nameIn = (name: string, key: string): string => (key === 'items' ? singular(name) : name);

const singular = (name: string): string =>
  name.endsWith('Items') ? name.slice(0, -1) : name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase());
