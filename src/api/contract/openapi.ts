// The table of operations, and the events, as OpenAPI 3.1. Pure: the same table gives the same document. Whoever reads it
// has not seen our code: it names nothing that they cannot look up.
import type * as z from 'zod';
import { EVENT_EXAMPLES } from './event-examples.ts';
import { attempt } from './event-log.ts';
import { EVENT_TYPES, EVENTS, type EventType, envelope } from './events.ts';
import { field, fieldInput, fieldValue } from './fields.ts';
import { createNamedSchemas, type Json, jsonSchemaOf, type NamedSchemas, pascal } from './openapi-schemas.ts';
import { isScoped, type Operation } from './operation.ts';
import { OPERATIONS, type OperationId } from './operations.ts';
import { pagination } from './paging.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';
import { remark } from './remarks.ts';
import { SCOPES } from './scopes.ts';
import {
  document,
  documentInput,
  recipient,
  recipientInput,
  sealedDocument,
  template,
  transaction,
} from './transactions.ts';

const TAGS: Record<string, string> = {
  transaction: 'From a draft to its end',
  file: 'Files to use as documents',
  template: 'Reusable content',
  webhook: 'URLs that events are sent to',
  event: 'What happened, and to whom it was delivered',
  oauth: 'Tokens for OAuth applications',
  signing: 'What a recipient does, with the token of the signing URL',
  sandbox: 'Operations that only the esign sandbox has',
};

/** The media types of answers that are no JSON. */
const BINARY: Partial<Record<OperationId, readonly string[]>> = {
  'sandbox.mail_message': ['message/rfc822'],
  'signing.page': ['image/png'],
};

/** @param origin where the service is reached, for the `servers` entry */
export function openApiDocument(origin: string): Json {
  const schemas = createNamedSchemas();
  knowResources(schemas);
  const paths: Record<string, Json> = {};
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const operation: Operation = OPERATIONS[id];
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(id, operation, schemas),
    };
  }
  const webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: delivery(type, schemas) }]));
  schemas.named('Problem', PROBLEM);
  return {
    openapi: '3.1.0',
    info: {
      title: 'esign',
      version: '1',
      summary: 'Electronic signature transactions',
      description:
        'Create, send and track transactions in which people sign documents. `x-extension` marks what only the esign sandbox has. `x-assumed` lists choices by their number in docs/service.md that other services may make differently.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: schemas.components() },
  };
}

/** Shapes that several operations share, under the names that the rules of the service have for them. */
function knowResources(schemas: NamedSchemas): void {
  const read = (schema: z.ZodType) => jsonSchemaOf(schema, 'output');
  const written = (schema: z.ZodType) => jsonSchemaOf(schema, 'input');
  const { file, pages } = read(document).properties as { file: Json; pages: { items: Json } };
  schemas.know('File', file);
  schemas.know('Page', pages.items);
  schemas.know('Remark', read(remark));
  schemas.know('Document', read(document));
  schemas.know('Recipient', read(recipient));
  schemas.know('Field', read(field));
  schemas.know('Template', read(template));
  schemas.know('SealedDocument', read(sealedDocument));
  schemas.know('Transaction', read(transaction));
  schemas.know('Pagination', read(pagination));
  schemas.know('Attempt', read(attempt));
  schemas.know('DocumentInput', written(documentInput));
  schemas.know('RecipientInput', written(recipientInput));
  schemas.know('FieldInput', written(fieldInput));
  schemas.know('FieldValue', written(fieldValue));
  for (const type of EVENT_TYPES) schemas.know(`${pascal(type)}Data`, read(EVENTS[type]));
  const { data } = read(envelope).properties as { data: Json };
  schemas.know('EventData', data, {
    anyOf: EVENT_TYPES.map((type) => ({ $ref: `#/components/schemas/${pascal(type)}Data` })),
  });
  schemas.know('Event', read(envelope));
  const { deliveries } = read(OPERATIONS['event.detail'].success.schema).properties as {
    deliveries: { items: Json };
  };
  schemas.know('Delivery', deliveries.items);
  schemas.know('Webhook', read(OPERATIONS['webhook.detail'].success.schema));
  schemas.know('User', read(OPERATIONS['sandbox.add_user'].success.schema));
}

function describe(id: OperationId, operation: Operation, schemas: NamedSchemas): Json {
  const parameters = [
    ...parametersOf(operation.params, 'path'),
    ...parametersOf(operation.query, 'query'),
    ...idempotencyOf(operation),
  ];
  return {
    operationId: id,
    summary: operation.summary,
    tags: [id.split('.')[0]],
    ...(operation.assumed && { 'x-assumed': operation.assumed }),
    ...(operation.extension && { 'x-extension': true }),
    security: securityOf(operation),
    parameters,
    ...requestBodyOf(id, operation, schemas),
    responses: { ...successOf(id, operation, schemas), ...refusalsOf(operation) },
  };
}

const SECURITY_SCHEMES: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: Object.entries(SCOPES)
      .map(([scope, grants]) => `${scope}: ${grants}`)
      .join('\n'),
  },
  control: { type: 'apiKey', in: 'header', name: 'X-Esign-Control' },
};

function securityOf({ access }: Operation): Json[] {
  if (isScoped(access)) return [{ bearer: [access.scope] }];
  return access === 'control' ? [{ control: [] }] : [];
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

const idempotencyOf = ({ idempotent }: Operation): Json[] =>
  idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', maxLength: 255 },
          'x-assumed': ['A37'],
        },
      ]
    : [];

function requestBodyOf(id: OperationId, operation: Operation, schemas: NamedSchemas): Json {
  const name = `${pascal(id)}Request`;
  const example = operation.example === undefined ? {} : { example: operation.example };
  if (operation.body) {
    const schema = schemas.named(name, jsonSchemaOf(operation.body, 'input'));
    return { requestBody: { required: true, content: { 'application/json': { schema, ...example } } } };
  }
  if (!operation.multipart) return {};
  const form = jsonSchemaOf(operation.multipart, 'input') as { properties: Json };
  const properties = { ...form.properties, file: { type: 'string', format: 'binary' } };
  const schema = schemas.named(name, { ...form, properties, required: ['file'] });
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

function successOf(id: OperationId, { success, summary }: Operation, schemas: NamedSchemas): Json {
  const content = success.binary
    ? Object.fromEntries((BINARY[id] ?? ['application/pdf', 'image/png']).map((type) => [type, {}]))
    : {
        'application/json': {
          schema: schemas.named(`${pascal(id)}Response`, jsonSchemaOf(success.schema, 'output')),
        },
      };
  return { [success.status]: { description: summary, content } };
}

/** Refusals that any operation of a kind may answer, beside its own. */
function problemsOf(operation: Operation): ProblemCode[] {
  const reading: ProblemCode[] = [];
  if (operation.body) reading.push('malformed_json', 'unsupported_media_type', 'body_too_large');
  if (operation.multipart) reading.push('malformed_multipart', 'unsupported_media_type');
  if (operation.params || operation.query || operation.body || operation.multipart)
    reading.push('validation_failed');
  if (operation.idempotent) reading.push('idempotency_key_reused');
  const access: ProblemCode[] = isScoped(operation.access)
    ? ['token_missing', 'token_invalid', 'token_expired', 'insufficient_scope']
    : operation.access === 'control'
      ? ['control_secret_required']
      : [];
  return [...new Set([...access, ...reading, ...operation.problems])];
}

function refusalsOf(operation: Operation): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(operation)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

/** What a receiver of events is sent (assumed: A30). */
function delivery(type: EventType, schemas: NamedSchemas): Json {
  const { properties, ...rest } = jsonSchemaOf(envelope, 'output') as { properties: Json };
  const data = jsonSchemaOf(EVENTS[type], 'output');
  const schema = schemas.named(`${pascal(type)}Event`, {
    ...rest,
    properties: { ...properties, type: { type: 'string', const: type }, data },
  });
  const example = {
    created: '2026-05-04T09:31:08.214Z',
    id: '0199c7a9-4f10-7e6b-8c3d-a1b2c3d4e5f6',
    type,
    data: EVENT_EXAMPLES[type],
  };
  return {
    operationId: `event.${type}`,
    summary: WHEN[type],
    tags: ['event'],
    'x-assumed': ['A30', 'A31'],
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'The event was received. After any other response, it is sent again later.' },
      410: { description: 'The receiver wants no more events, so the webhook is disabled.' },
    },
  };
}

const WHEN: Record<EventType, string> = {
  transaction_created: 'A draft was created',
  transaction_started: 'A transaction was started',
  transaction_completed: 'Everyone has signed, and the documents are sealed',
  transaction_expired: 'A transaction has expired',
  recipient_submitted: 'A recipient has signed',
  transaction_rejected: 'A recipient has rejected the transaction',
  transaction_cancelled: 'A transaction was cancelled',
};

const SIGNATURE_HEADERS: Json[] = [
  ['webhook-id', 'The ID of the event, the same in every attempt'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970'],
  ['webhook-signature', 'Signatures as defined by Standard Webhooks, separated by spaces: v1,BASE64'],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/** RFC 9457 §3, with `code` and `errors` (assumed: A25). */
const PROBLEM: Json = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};
