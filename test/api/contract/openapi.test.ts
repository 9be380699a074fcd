// The OpenAPI document is one that strangers can work with: every object has a name, numbers are numbers, events are in it, and
// nothing in it is only for us.
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, EVENTS, pingData } from '../../../src/api/contract/events.ts';
import { openApiDocument } from '../../../src/api/contract/openapi/document.ts';

type Node = Record<string, unknown>;
type Operation = {
  operationId: string;
  parameters: { name: string; in: string; schema: Node }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Node; example?: unknown }> };
  responses: Record<string, Response>;
};
type Response = {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: Node }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Node>;
    headers: Record<string, Node>;
    responses: Record<string, Response>;
  };
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

  test('calls no object as the platform calls what generated clients use', () => {
    const platform = ['Blob', 'File', 'FormData', 'Headers', 'Request', 'Response', 'URL', 'Error'];
    expect(platform.filter((name) => Object.hasOwn(schemas, name))).toEqual([]);
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
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES, 'ping']);
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

  test('describes the ping of a webhook, which is an extension and no event of a transaction', () => {
    const { post } = document.webhooks.ping!;
    expect(post).toMatchObject({ operationId: 'event.ping', 'x-extension': true });
    const { schema, example } = post.requestBody?.content['application/json'] ?? {};
    expect(schema).toEqual({ $ref: '#/components/schemas/PingEvent' });
    const { properties } = schemas.PingEvent as { properties: Record<string, Node> };
    expect(properties.type).toEqual({ type: 'string', const: 'ping' });
    expect(Object.keys(properties).sort()).toEqual(['created', 'data', 'id', 'type']);
    const { type, data } = example as { type: string; data: unknown };
    expect([type, pingData.safeParse(data)]).toMatchObject(['ping', { success: true }]);
    expect(JSON.stringify(schemas.Event)).not.toContain('Ping');
  });

  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const ofTable = operations.filter(({ operationId }) => operationId !== 'oauth.authorize');

  test('has every event as one of seven types, told apart by its type', () => {
    const { oneOf, discriminator } = schemas.Event as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe('type');
    expect(Object.keys(discriminator.mapping)).toEqual(EVENT_TYPES);
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping));
    for (const [type, ref] of Object.entries(discriminator.mapping)) {
      const { properties } = schemas[ref.replace('#/components/schemas/', '')] as {
        properties: Record<string, Node>;
      };
      expect(properties.type?.const).toBe(type);
    }
    for (const name of ['EventListItem', 'EventDetail'])
      expect(
        (schemas[name] as { oneOf: { allOf: { $ref: string }[] }[] }).oneOf.map(
          ({ allOf }) => allOf[0]?.$ref,
        ),
      ).toEqual(oneOf.map(({ $ref }) => $ref));
  });

  test('has no default in a schema, which generators take for a property that is always there', () => {
    const defaults = [...nodesOf(schemas)].filter(
      ([way, node]) => 'default' in node && !way.endsWith('/properties'),
    );
    expect(defaults.map(([way]) => way)).toEqual([]);
    const { properties, required } = schemas.FieldInput as {
      properties: Record<string, Node>;
      required: string[];
    };
    expect(required).toHaveLength(8);
    expect(properties.font_size?.description).toBe('Default: 12');
  });

  test('has a body only where one is needed', () => {
    const body = (id: string) => operations.find(({ operationId }) => operationId === id)?.requestBody;
    expect(body('transaction.create')?.required).toBe(false);
    expect(body('transaction.update')?.required).toBe(true);
    expect(body('file.upload')?.required).toBe(true);
  });

  test('has lengths and formats of what is a URL', () => {
    const property = (schema: string, name: string) =>
      (schemas[schema] as { properties: Record<string, Node> }).properties[name];
    expect(property('TransactionCreateRequest', 'notification_endpoint')).toMatchObject({
      type: ['string', 'null'],
      format: 'uri',
      maxLength: 255,
    });
    expect(property('SandboxAddClientRequest', 'callback_url')).toMatchObject({
      format: 'uri',
      maxLength: 2048,
    });
    for (const schema of ['WebhookCreateRequest', 'WebhookListResponseItem', 'Webhook', 'Delivery'])
      expect([schema, property(schema, 'endpoint')?.format]).toEqual([schema, 'uri']);
  });

  test('has the headers of every response', () => {
    const named = (response: Response | undefined) => Object.keys(response?.headers ?? {});
    for (const { operationId, responses, parameters } of ofTable) {
      const has = (status: string) => [operationId, status, named(responses[status])];
      if (responses['401']) expect(has('401')).toEqual([operationId, '401', ['WWW-Authenticate']]);
      if (responses['429']) expect(has('429')).toEqual([operationId, '429', ['Retry-After']]);
      const success = responses['200'] ?? responses['201'];
      expect([operationId, named(success)]).toEqual([
        operationId,
        parameters.some(({ name }) => name === 'Idempotency-Key') ? ['Idempotency-Replayed'] : [],
      ]);
      expect(responses.default).toEqual({ $ref: '#/components/responses/Problem' });
    }
    const { Problem } = document.components.responses;
    expect([named(Problem), Problem]).toMatchObject([
      ['Allow', 'Retry-After'],
      { description: expect.stringContaining('method_not_allowed') },
    ]);
    const referred = [...text.matchAll(/"#\/components\/headers\/([\w-]+)"/g)].map(([, name]) => name);
    expect([...new Set(referred)].sort()).toEqual(Object.keys(document.components.headers).sort());
  });

  test('has a schema for every content, files included', () => {
    const contents = operations.flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.entries(content).map(([type, media]) => ({ operationId, type, schema: media.schema })),
      ),
    );
    expect(contents.filter(({ schema }) => schema === undefined)).toEqual([]);
    expect(contents.find(({ type }) => type === 'application/pdf')?.schema).toEqual({
      type: 'string',
      format: 'binary',
    });
  });

  test('has the authorization link with its parameters', () => {
    const { get } = document.paths['/oauth/authorize'] ?? {};
    expect(get?.parameters).toMatchObject([
      { name: 'client_id', in: 'query', required: true },
      { name: 'scopes', in: 'query', required: true },
      { name: 'state', in: 'query', required: false, 'x-extension': true },
      { name: 'redirect_uri', in: 'query', required: false, 'x-extension': true },
      { name: 'code_challenge', in: 'query', required: false, 'x-extension': true },
      { name: 'code_challenge_method', in: 'query', required: false, 'x-extension': true },
    ]);
    expect(get).toMatchObject({ operationId: 'oauth.authorize', security: [] });
    const page = { 'text/html': { schema: { type: 'string' } } };
    expect(get?.responses).toMatchObject({ 200: { content: page }, 303: {}, 400: { content: page } });
    expect(Object.keys(get?.responses ?? {})).toEqual(['200', '303', '400']);
  });

  test('has nothing that only we could understand', () => {
    expect(text).not.toMatch(/x-source|spec §|decision|assumed:/i);
  });
});
