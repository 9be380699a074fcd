// Writes the readers of responses for the published client. They check every property that the OpenAPI document names; which of
// them an answer must have is said by `received` in the row of its operation (decision 0031).
import * as lenient from '../src/api/contract/lenient.ts';

const KINDS = { string: 'Text', number: 'Number', integer: 'Number', boolean: 'Flag' };

export function responseReaders(schemas) {
  const constants = new Map();
  const needs = new Map();
  const used = new Set();

  const resolve = (schema) => (schema.$ref ? schemas[nameOf(schema)] : schema);

  /** An object with the properties of all alternatives: which of them it is depends on the service. */
  function merged(schema) {
    const whole = resolve(schema);
    const parts = whole.oneOf ?? whole.allOf;
    if (!parts) return whole;
    const objects = parts.map(merged);
    const properties = {};
    for (const [key, property] of objects.flatMap((one) => Object.entries(one.properties)))
      properties[key] = properties[key] ? joined(properties[key], property) : property;
    return { type: 'object', properties };
  }

  /** What two alternatives have under one name. */
  function joined(one, other) {
    const [first, second] = [merged(one), merged(other)];
    if (first.type !== 'object') return first;
    return { type: 'object', properties: { ...first.properties, ...second.properties } };
  }

  /** Reads one value. @param received how the command line reads it, where it does */
  function readerOf(schema, received, isItem = false) {
    const isNeeded = isItem || received?.isNeeded === true;
    const { alternatives, ...plain } = withoutNull(schema);
    const whole = merged(alternatives ?? plain);
    if (whole.properties) return objectOf(alternatives ?? plain, whole, received, isNeeded);
    const [prefix, use] = [isNeeded ? 'needed' : 'some', (name) => name];
    if (whole.type === 'array') {
      used.add(isNeeded ? 'list' : 'someList');
      const item = readerOf(whole.items, received?.item, true);
      return item && `${isNeeded ? 'list' : 'someList'}(${item})`;
    }
    const isId = received === lenient.neededId || received === lenient.someId;
    const kind = isId ? 'Id' : whole.type === 'object' ? 'Object' : KINDS[whole.type];
    if (!kind) return undefined;
    used.add(`${prefix}${kind}`);
    return use(`${prefix}${kind}`);
  }

  function objectOf(schema, whole, received, isNeeded) {
    const shape = received?.shape ?? {};
    const rows = Object.entries(whole.properties).flatMap(([key, property]) => {
      const reader = readerOf(property, neededReader(key, shape[key], whole));
      return reader ? [`${key}: ${reader}`] : [];
    });
    remember(schema, shape);
    used.add(isNeeded ? 'record' : 'someRecord');
    const name = schema.$ref && constant(nameOf(schema), `{ ${rows.join(', ')} }`);
    return `${isNeeded ? 'record' : 'someRecord'}(${name || `{ ${rows.join(', ')} }`})`;
  }

  /** Every event carries data, from each service that has events. */
  const neededReader = (key, reader, { properties }) =>
    key === 'data' && properties.type && properties.created ? { isNeeded: true, shape: {} } : reader;

  /** A shape that several readers use is one constant. */
  function constant(name, text) {
    for (let count = 1; ; count += 1) {
      const key = camel(count === 1 ? name : `${name}${count}`);
      if (!constants.has(key)) constants.set(key, text);
      if (constants.get(key) === text) return key;
    }
  }

  /** Notes which properties every reader of a named shape needs: only these are promised by its type. */
  function remember(schema, shape) {
    for (const part of schema.oneOf ?? schema.allOf ?? []) remember(part, shape);
    if (!schema.$ref) return;
    const name = nameOf(schema);
    const named = schemas[name];
    for (const part of named.oneOf ?? named.allOf ?? []) remember(part, shape);
    const keys = Object.keys(merged(schema).properties ?? {});
    const needed = keys.filter((key) => neededReader(key, shape[key], merged(schema))?.isNeeded);
    const before = needs.get(name);
    needs.set(name, before ? before.filter((key) => needed.includes(key)) : needed);
    for (const property of Object.values(named.properties ?? {})) {
      const inside = property.items ?? property;
      if (inside.$ref && !needs.has(nameOf(inside))) remember(inside, {});
    }
  }

  return {
    /** @returns the source of the reader of a response */
    add: (response, received) => readerOf(response, { isNeeded: true, shape: received?.shape }),
    /** The reader of an event that a webhook received. */
    event() {
      for (const part of [ref('Event'), ref('PingEvent')]) remember(part, EVENT.shape);
      return readerOf({ oneOf: [ref('Event'), ref('PingEvent')] }, EVENT);
    },
    needs: (name) => needs.get(name) ?? [],
    has: (name) => needs.has(name),
    imports: () => [...used].sort(),
    source: () => [...constants].map(([name, text]) => `const ${name} = ${text};`).join('\n'),
  };
}

const EVENT = {
  isNeeded: true,
  shape: { id: lenient.neededId, type: lenient.neededText, created: lenient.neededText },
};

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });

const nameOf = ({ $ref }) => $ref.split('/').at(-1);

const camel = (name) => name.charAt(0).toLowerCase() + name.slice(1);

/** Null passes in every optional reader. */
function withoutNull(schema) {
  const { anyOf, type, ...rest } = schema;
  const some = anyOf?.filter((one) => one.type !== 'null');
  if (some) return { ...rest, alternatives: some[0] };
  return { ...schema, type: Array.isArray(type) ? type.find((one) => one !== 'null') : type };
}
