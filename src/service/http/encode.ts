// Encodes what is sent back: the answer of a handler, a refusal, or the problem for an unexpected error.

import type { Operation } from '../../api/contract/operation.ts';
import type { Refusal } from '../../api/contract/problems.ts';
import { encodeOutput, encodeRefusal } from '../../api/service-codec.ts';
import type { Reply } from '../../api/transport.ts';
import { storageRefusalOf } from '../changes/storage-refusal.ts';
import { refuse } from '../context.ts';
import type { HandlerResult } from './request.ts';

/** Headers of every answer that does not set them itself. */
const HEADERS = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const;

export function encode(
  operation: Operation,
  answered: HandlerResult,
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

/** The problem for an unexpected error; it names the cause where that is the storage. */
export const failureOf = (error: unknown, requestId: string): Refusal =>
  storageRefusalOf(error) ?? refuse('internal_error', { request_id: requestId }).refusal;
