// What goes back: the answer of a handler, a refusal, or what is told of an error that nobody refused with.
import { encodeOutput, encodeRefusal } from '../../api/codec.ts';
import type { Operation } from '../../api/contract/operation.ts';
import type { Refusal } from '../../api/contract/problems.ts';
import type { Reply } from '../../api/transport.ts';
import { refuse } from '../context.ts';
import { storageRefusalOf } from '../storage-refusal.ts';
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
export const failureOf = (error: unknown, requestId: string): Refusal =>
  storageRefusalOf(error) ?? refuse('internal_error', { request_id: requestId }).refusal;
