// The OpenAPI document is one that strangers can work with: every object has a name, numbers are numbers, events are in it, and
// nothing in it is only for us.
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, EVENTS } from '../../../src/api/contract/events.ts';
import { openApiDocument } from '../../../src/api/contract/openapi.ts';

type Node = Record<string, unknown>;
type Operation = {
  parameters: { name: string; in: string; schema: Node }[];
  requestBody?: { content: Record<string, { schema: Node; example?: unknown }> };
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Node> };
};

const document = openApiDocument('/') as unknown as Document;
const text = JSON.stringify(document);
const { schemas } = document.components;

/** Every object of the document with the way to it. */
function* nodesOf(node: unknown, way: readonly string[] = []): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return;
  yield [way.join('/'), node as Node];
  for (const [key, inside] of Object.entries(node))
    if (key !== 'example') yield* nodesOf(inside, [...way, key]);
}

describe('the OpenAPI document', () => {
  test('has a name for every object', () => {
    const without = [...nodesOf(document)].filter(
      ([way, node]) => node.type === 'object' && node.properties && !/^components\/schemas\/\w+$/.test(way),
    );
    expect(without.map(([way]) => way)).toEqual([]);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Transaction', 'Recipient', 'Field']));
  });

  test('refers to each of its schemas, and to no other', () => {
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect([...referred].sort()).toEqual(Object.keys(schemas).sort());
  });

  test('has numbers for what is a number, in queries too', () => {
    const parameters = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => operation.parameters);
    const pages = parameters.filter(({ name }) => ['limit', 'page', 'expires'].includes(name));
    expect(pages.length).toBeGreaterThan(4);
    expect(pages.filter(({ schema }) => schema.type !== 'integer')).toEqual([]);
    const flag = parameters.find(({ name }) => name === 'undelivered');
    expect(flag?.schema).toEqual({ type: 'boolean' });
  });

  test('describes the seven events as a receiver gets them', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
    for (const type of EVENT_TYPES) {
      const { post } = document.webhooks[type]!;
      expect(post.parameters.map(({ name }) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
      const { schema, example } = post.requestBody?.content['application/json'] ?? {};
      const name = String(schema?.$ref).replace('#/components/schemas/', '');
      const { properties } = schemas[name] as { properties: Record<string, Node> };
      expect(properties.type).toEqual({ type: 'string', const: type });
      expect(properties.data?.$ref).toBe(`#/components/schemas/${name.replace('Event', 'Data')}`);
      const { data } = example as { data: unknown };
      expect(EVENTS[type].safeParse(data)).toMatchObject({ success: true });
    }
  });

  test('has nothing that only we could understand', () => {
    expect(text).not.toMatch(/x-source|spec §|decision|assumed:/i);
  });
});
