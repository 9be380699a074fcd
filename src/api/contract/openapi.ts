// The table of operations as OpenAPI 3.1. Pure: the same table gives the same document.
import * as z from 'zod';
import { isScoped, type Operation } from './operation.ts';
import { OPERATIONS, type OperationId } from './operations.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';
import { SCOPES } from './scopes.ts';
import { email, LENGTHS } from './values.ts';

type Json = Record<string, unknown>;

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

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, zodSchema === email ? { format: 'email' } : LENGTHS.get(zodSchema));
    },
  }) as Json;
  return rest;
};

/** @param origin where the service is reached, for the `servers` entry */
export function openApiDocument(origin: string): Json {
  const paths: Record<string, Json> = {};
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const operation: Operation = OPERATIONS[id];
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(id, operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'esign',
      version: '1',
      summary: 'Electronic signature transactions',
      description:
        'Operations under /v1 follow the specification; those with x-extension are additions, x-assumed names open points.',
    },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: Object.entries(SCOPES)
            .map(([scope, grants]) => `${scope}: ${grants}`)
            .join('\n'),
        },
        control: { type: 'apiKey', in: 'header', name: 'X-Esign-Control' },
      },
      schemas: { Problem: PROBLEM },
    },
  };
}

function describe(id: string, operation: Operation): Json {
  return {
    operationId: id,
    summary: operation.summary,
    tags: [id.split('.')[0]],
    ...(operation.source !== 'none' && { 'x-source': operation.source }),
    ...(operation.assumed && { 'x-assumed': operation.assumed }),
    ...(operation.extension && { 'x-extension': true }),
    security: securityOf(operation),
    parameters: [
      ...parametersOf(operation.params, 'path'),
      ...parametersOf(operation.query, 'query'),
      ...idempotencyOf(operation),
    ],
    ...requestBodyOf(operation),
    responses: { ...successOf(operation), ...refusalsOf(operation) },
  };
}

function securityOf({ access }: Operation): Json[] {
  if (isScoped(access)) return [{ bearer: [access.scope] }];
  return access === 'control' ? [{ control: [] }] : [];
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
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

function requestBodyOf(operation: Operation): Json {
  const example = operation.example === undefined ? {} : { example: operation.example };
  if (operation.body)
    return {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(operation.body, 'input'), ...example } },
      },
    };
  if (!operation.multipart) return {};
  const schema = schemaOf(operation.multipart, 'input') as { properties: Json };
  const properties = { ...schema.properties, file: { type: 'string', format: 'binary' } };
  return {
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: { ...schema, properties, required: ['file'] } } },
    },
  };
}

function successOf({ success, summary }: Operation): Json {
  const content = success.binary
    ? { 'application/pdf': {}, 'image/png': {} }
    : { 'application/json': { schema: schemaOf(success.schema, 'output') } };
  return { [success.status]: { description: summary, content } };
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
