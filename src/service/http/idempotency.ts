// Answers requests that are repeated under their Idempotency-Key with the first answer (assumed: A37).

import { LIMITS } from '../../api/contract/limits.ts';
import type { Operation } from '../../api/contract/operation.ts';
import type { OperationId } from '../../api/contract/operations.ts';
import type { Call } from '../../api/transport.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { ChangedIds, Isolation } from '../../database/database.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { findAnswer, type NewAnswer as KeptRequest, storeAnswer } from '../store/records.ts';
import type { Db } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { RequestParts, RoutedRequest } from './request.ts';

/** Undefined where none was sent, or the operation knows none. */
const keyOf = (call: Call, operation: Operation): string | undefined =>
  operation.idempotent ? call.headers['idempotency-key'] : undefined;

/** The refusal of a key that is none. */
export function badKey(call: Call, operation: Operation) {
  const key = keyOf(call, operation);
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return undefined;
  const message = `must be 1 to ${LIMITS.idempotencyKeyLength} visible ASCII characters`;
  return refuse('validation_failed', { summary: `Idempotency-Key ${message}.` }, [
    { path: 'Idempotency-Key', message },
  ]);
}

/**
 * Makes the commit function of a request: it answers from memory when the request repeats a key.
 * @param onReplay called when it does
 */
export function commitOf(
  { call, id, operation, sent, caller }: RoutedRequest,
  store: Store,
  now: Instant,
  onReplay: () => void,
): RequestContext['commit'] {
  const key = keyOf(call, operation);
  if (key === undefined || !caller.user) return store.database.write;
  const request = {
    holder: `${caller.client_id}:${caller.user.id}`,
    key,
    fingerprint: fingerprintOf(id, sent),
    status: operation.success.status,
  };
  return answerOnce(store, now, request, onReplay);
}

/** assumed: A37. The answer is kept in the same commit as what it answers for; a refusal is not kept. */
const answerOnce =
  (
    { database, keys }: Store,
    now: Instant,
    request: Omit<KeptRequest, 'output'>,
    onReplay: () => void,
  ): RequestContext['commit'] =>
  <T>(fn: (db: Db) => Promise<Result<T>>, changes?: ChangedIds, isolation?: Isolation) =>
    database.write(
      async (db): Promise<Result<T>> => {
        // Only one of several requests with the same key runs at a time: the others find its answer.
        await database.lockName(db, `${request.holder} ${request.key}`);
        const since = addMs(now, -LIMITS.idempotencyKeyLifetimeMs);
        const known = await findAnswer(db, keys, request.holder, request.key, since);
        if (known && known.fingerprint !== request.fingerprint) return refuse('idempotency_key_reused');
        if (known) {
          onReplay();
          return ok(known.output as T);
        }
        const answered = await fn(db);
        if (answered.ok) await storeAnswer(db, keys, { ...request, output: answered.output }, now);
        return answered;
      },
      changes,
      isolation,
    );

/** What makes two requests the same: the operation, what it is about, and the content of a file. */
const fingerprintOf = (id: OperationId, { upload, ...input }: RequestParts): string =>
  sha256Of(JSON.stringify([id, input, upload?.spooled.sha256]));
