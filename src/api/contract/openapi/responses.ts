// What an operation answers, as OpenAPI: its success with the media types of files, and its refusals by status, with the headers
// that they have. Pure.

import { isScoped, needsAccessToken, type Operation } from '../operation.ts';
import type { OperationId } from '../operations.ts';
import { HEADERS, type HeaderName, PROBLEM_HEADERS, PROBLEMS, type ProblemCode } from '../problems.ts';
import { type Json, jsonSchemaOf, type NamedSchemas, pascal } from './schemas.ts';

/** The media types of answers that are no JSON. */
const BINARY: Partial<Record<OperationId, readonly string[]>> = {
  'sandbox.mail_message': ['message/rfc822'],
  'signing.page': ['image/png'],
};

export const responsesOf = (id: OperationId, operation: Operation, schemas: NamedSchemas): Json => ({
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
  'storage_damaged',
  'storage_unusable',
  'storage_unavailable',
  'storage_full',
  'rate_limited',
  'failed_on_purpose',
];

/** What the responses above refer to. */
export const responseComponents = (): Json => ({
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
export const PROBLEM: Json = {
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
