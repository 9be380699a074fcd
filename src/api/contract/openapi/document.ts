// The table of operations, and the events, as OpenAPI 3.1. Pure: the same table gives the same document. Its readers
// have not seen our code: it names nothing that they cannot look up.
import type * as z from 'zod';
import { remark } from '../documents.ts';
import { attempt } from '../events.ts';
import { field, fieldInput, fieldValue } from '../fields.ts';
import { preparation, recordedPreparation } from '../files.ts';
import { LIMITS } from '../limits.ts';
import { AUTHORIZATION_PARAMETERS, AUTHORIZATION_PATH } from '../oauth.ts';
import { isScoped, needsAccessToken, type Operation, SCOPES } from '../operation.ts';
import { OPERATIONS, type OperationId } from '../operations.ts';
import { HEADERS, type HeaderName, PROBLEM_HEADERS, PROBLEMS, type ProblemCode } from '../problems.ts';
import { recipient, recipientInput } from '../recipients.ts';
import { document, documentInput, sealedDocument, template, transaction } from '../transactions.ts';
import { pagination } from '../values.ts';
import { registerEvents, webhookDeliveries } from './events.ts';
import {
  createNamedSchemas,
  type Json,
  jsonSchemaOf,
  type NamedSchemas,
  PROMISED,
  pascal,
} from './schemas.ts';

const TAGS: Record<string, string> = {
  transaction: 'From a draft to its end',
  file: 'Files to use as documents',
  template: 'Reusable content',
  webhook: 'URLs that events are sent to',
  event: 'What happened, and where it was delivered',
  oauth: 'Tokens for OAuth applications',
  signing: 'What a recipient does, with the token of the signing URL',
  sandbox: 'Operations that only the esign sandbox has',
};

/** @param origin where the service is reached, for the `servers` entry */
export const openApiDocument = (origin: string): Json =>
  JSON.parse(
    JSON.stringify(documentWithPromises(origin), (key, value) => (key === PROMISED ? undefined : value)),
  ) as Json;

/** The document, and in each object of a response what this service always sends, extensions as well. */
export function documentWithPromises(origin: string): Json {
  const schemas = createNamedSchemas();
  registerResources(schemas);
  const paths: Record<string, Json> = {};
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const operation: Operation = OPERATIONS[id];
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(id, operation, schemas),
    };
  }
  paths[AUTHORIZATION_PATH] = { get: authorization() };
  const webhooks = webhookDeliveries(schemas);
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
    components: {
      securitySchemes: SECURITY_SCHEMES,
      ...responseComponents(),
      schemas: schemas.components(),
    },
  };
}

/** Shapes that several operations share, under the names that the rules of the service have for them. */
function registerResources(schemas: NamedSchemas): void {
  const read = (schema: z.ZodType) => jsonSchemaOf(schema, 'output');
  const written = (schema: z.ZodType) => jsonSchemaOf(schema, 'input');
  const { file, pages } = read(document).properties as { file: Json; pages: { items: Json } };
  schemas.register('StoredFile', file);
  schemas.register('Page', pages.items);
  schemas.register('Remark', read(remark));
  schemas.register('Preparation', read(recordedPreparation));
  schemas.register('Document', read(document));
  schemas.register('Recipient', read(recipient));
  schemas.register('Field', read(field));
  schemas.register('Template', read(template));
  schemas.register('SealedDocument', read(sealedDocument));
  schemas.register('Transaction', read(transaction));
  schemas.register('Pagination', read(pagination));
  schemas.register('Attempt', read(attempt));
  schemas.register('PreparationInput', written(preparation));
  schemas.register('DocumentInput', written(documentInput));
  schemas.register('RecipientInput', written(recipientInput));
  schemas.register('FieldInput', written(fieldInput));
  schemas.register('FieldValue', written(fieldValue));
  registerEvents(schemas);
  schemas.register('Webhook', read(OPERATIONS['webhook.detail'].success.schema));
  schemas.register('User', read(OPERATIONS['sandbox.add_user'].success.schema));
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
    responses: responsesOf(id, operation, schemas),
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
  if (access === 'user') return [{ bearer: [] }];
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
          description:
            'Repeating a request with the same key and body returns the first response for 24 hours.',
          schema: { type: 'string', maxLength: LIMITS.idempotencyKeyLength },
          'x-extension': true,
          'x-assumed': ['A37'],
        },
      ]
    : [];

function requestBodyOf(id: OperationId, operation: Operation, schemas: NamedSchemas): Json {
  const name = `${pascal(id)}Request`;
  const example = operation.example === undefined ? {} : { example: operation.example };
  if (operation.body) {
    const schema = schemas.named(name, jsonSchemaOf(operation.body, 'input'));
    const required = !operation.body.safeParse({}).success;
    return { requestBody: { required, content: { 'application/json': { schema, ...example } } } };
  }
  if (!operation.multipart) return {};
  const form = jsonSchemaOf(operation.multipart, 'input') as { properties: Json };
  const properties = { ...form.properties, file: { type: 'string', format: 'binary' } };
  const schema = schemas.named(name, { ...form, properties, required: ['file'] });
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

/** The page of the authorization link (spec §5). The dashboard answers it, at {dashboard_url}. */
const authorization = (): Json => ({
  operationId: 'oauth.authorize',
  summary: 'Ask the user for consent, in a browser',
  description:
    'A page of the dashboard. The user signs in or registers and gives consent. Then the browser goes to the callback URL with `code`, or with `error=access_denied`, and with `state` if it was given.',
  tags: ['oauth'],
  'x-assumed': ['A23', 'A24'],
  security: [],
  parameters: Object.entries(AUTHORIZATION_PARAMETERS).map(([name, { isRequired, description }]) => ({
    name,
    in: 'query',
    required: isRequired,
    description,
    schema: { type: 'string', ...(name === 'redirect_uri' && { format: 'uri' }) },
    ...(!isRequired && { 'x-extension': true }),
  })),
  responses: {
    200: page('The page on which the user gives consent.'),
    303: { description: 'To the page on which the user signs in.' },
    400: page('The link is not valid. The page says why.'),
  },
});

const page = (description: string): Json => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

// ── responses: a success with its media types, and the refusals by status with the headers that they have ──────────

/** The media types of answers that are no JSON. */
const BINARY: Partial<Record<OperationId, readonly string[]>> = {
  'sandbox.mail_message': ['message/rfc822'],
  'signing.page': ['image/png'],
};

const responsesOf = (id: OperationId, operation: Operation, schemas: NamedSchemas): Json => ({
  ...successOf(id, operation, schemas),
  ...refusalsOf(operation),
  default: { $ref: '#/components/responses/Problem' },
});

function successOf(id: OperationId, operation: Operation, schemas: NamedSchemas): Json {
  const { success, summary, idempotent } = operation;
  const content = success.binary
    ? Object.fromEntries((BINARY[id] ?? ['application/pdf', 'image/png']).map((type) => [type, BYTES]))
    : {
        'application/json': {
          schema: schemas.named(`${pascal(id)}Response`, jsonSchemaOf(success.schema, 'output')),
        },
      };
  return {
    [success.status]: {
      description: summary,
      ...(idempotent && headersNamed(['Idempotency-Replayed'])),
      content,
    },
  };
}

const BYTES: Json = { schema: { type: 'string', format: 'binary' } };

/** Refusals that any operation of a kind may answer, beside its own. */
function problemsOf(operation: Operation): ProblemCode[] {
  const reading: ProblemCode[] = [];
  if (operation.body)
    reading.push('malformed_json', 'unsupported_media_type', 'body_too_large', 'receiving_busy');
  if (operation.params) reading.push('malformed_path');
  if (operation.multipart) reading.push('malformed_multipart', 'unsupported_media_type');
  if (operation.params || operation.query || operation.body || operation.multipart)
    reading.push('validation_failed');
  if (operation.idempotent) reading.push('idempotency_key_reused');
  return [...new Set([...refusalsOfAccess(operation), ...reading, ...operation.problems])];
}

function refusalsOfAccess({ access }: Operation): ProblemCode[] {
  if (access === 'control') return ['control_secret_required'];
  if (!needsAccessToken(access)) return [];
  return [
    'token_missing',
    'token_invalid',
    'token_expired',
    ...(isScoped(access) ? (['insufficient_scope'] as const) : []),
  ];
}

function refusalsOf(operation: Operation): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(operation)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusalWith(codes)]));
}

const refusalWith = (codes: readonly ProblemCode[]): Json => ({
  description: codes.join(', '),
  ...headersNamed(codes.flatMap((code) => PROBLEM_HEADERS[code]?.name ?? [])),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

const headersNamed = (names: readonly HeaderName[]): Json =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };

/** Refusals that no operation chooses: of the request as a whole, and of what goes wrong inside. */
const OF_ANY_OPERATION: readonly ProblemCode[] = [
  'host_not_allowed',
  'malformed_path',
  'route_not_found',
  'method_not_allowed',
  'internal_error',
  'program_replaced',
  'storage_damaged',
  'storage_unusable',
  'storage_unavailable',
  'storage_full',
  'rate_limited',
  'failed_on_purpose',
];

/** The responses above refer to these. */
const responseComponents = (): Json => ({
  headers: Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [name, headerOf(name as HeaderName, description)]),
  ),
  responses: { Problem: refusalWith(OF_ANY_OPERATION) },
});

const headerOf = (name: HeaderName, description: string): Json => ({
  description,
  schema: { type: name === 'Retry-After' ? 'integer' : 'string' },
  ...(name === 'Idempotency-Replayed' && { 'x-extension': true, 'x-assumed': ['A37'] }),
});

/** RFC 9457 §3, with `code` and `errors` (assumed: A25). */
const PROBLEM: Json = {
  type: 'object',
  description: 'Why a request was refused (RFC 9457). Other services may answer another object.',
  'x-assumed': ['A25'],
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened, with which value, and what to do next.' },
    instance: { type: 'string', format: 'uri', description: 'The ID of the request.' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    errors: {
      type: 'array',
      description: 'Each value that is not valid.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'Where the value is, such as `fields.0.width`.' },
          message: { type: 'string' },
        },
      },
    },
  },
};
