// What goes back: the answer of a handler, a refusal, or what is told of an error that nobody refused with.
import { encodeOutput, encodeRefusal } from '../../api/codec.ts';
import type { Operation } from '../../api/contract/operation.ts';
import type { Refusal } from '../../api/contract/problems.ts';
import type { Reply } from '../../api/transport.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { storageFailureOf } from '../../database/failure.ts';
import { refuse } from '../context.ts';
import type { Answered } from './request.ts';

/** Every answer has them, where it does not say otherwise itself. */
const HEADERS = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const;

export function encode(
  operation: Operation,
  answered: Answered,
  requestId: string,
  isValidated: boolean,
): Reply {
  if (!answered.ok) return encodeRefusal(answered.refusal, requestId);
  if (isValidated && !operation.success.binary) operation.success.schema.parse(answered.output);
  const reply = encodeOutput(operation, answered.output, answered.encoded);
  if (answered.isReplayed) reply.headers['idempotency-replayed'] = 'true';
  return reply;
}

export function withHeaders(reply: Reply, requestId: string): Reply {
  for (const [name, value] of HEADERS) reply.headers[name] ??= value;
  reply.headers['x-request-id'] = requestId;
  return reply;
}

/** What the caller is told of an error that nobody refused with: the cause, where it is one of storage. */
export function failureOf(error: unknown, requestId: string): Refusal {
  const failure = storageFailureOf(error);
  if (!failure) return refuse('internal_error', { request_id: requestId }).refusal;
  if (failure.kind === 'full') return refuse('storage_full').refusal;
  if (failure.kind === 'unusable') return refuse('storage_unusable', { why: failure.why }).refusal;
  const way_out = error instanceof DamagedStoreError ? error.wayOut : undefined;
  return refuse('storage_damaged', { what: sentence(failure.why), way_out }).refusal;
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
