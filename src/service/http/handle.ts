// Identifies the caller of an operation, calls its handler with the context of this one request, and answers a request that is repeated under
// its Idempotency-Key with the first answer (assumed: A37).

import { LIMITS } from '../../api/contract/limits.ts';
import { isScoped, needsAccessToken, type Operation } from '../../api/contract/operation.ts';
import type { OperationId } from '../../api/contract/operations.ts';
import type { Call } from '../../api/transport.ts';
import { addMs, type Instant, instantOf } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { ChangedIds, Isolation, ReadCache } from '../../database/database.ts';
import { ok, type RequestContext, type Result, refuse, type ServiceDeps } from '../context.ts';
import { handlerOf } from '../operations/handlers.ts';
import { findBearer } from '../store/accounts/accounts.ts';
import { findAnswer, type NewAnswer, storeAnswer } from '../store/delivery/records.ts';
import { hashSecret, isSameSecret } from '../store/keys.ts';
import type { Db, Tables } from '../store/schema.ts';
import { controlSecretOf, type Store } from '../store/store.ts';
import {
  type Caller,
  createContext,
  type HandlerResult,
  type RequestParts,
  type RoutedRequest,
} from './request-context.ts';

export async function handle(
  request: RoutedRequest,
  cache: ReadCache<Tables>,
  deps: ServiceDeps,
): Promise<HandlerResult> {
  const handler = await handlerOf(request.id);
  const { call, sent, caller } = request;
  const context = createContext(call, deps);
  let isReplayed = false;
  const commit = commitOf(request, deps.store, context.now, () => {
    isReplayed = true;
  });
  const { user, client_id, scopes } = caller;
  const needed = { user, client_id, scopes, upload: sent.upload, cached: cache.cached, commit };
  const result: Result<unknown> = await handler(Object.assign(context, needed), sent);
  return result.ok && isReplayed ? { ...result, isReplayed } : result;
}

export async function authenticate(
  call: Call,
  { access }: Operation,
  cache: ReadCache<Tables>,
  { store, clock }: ServiceDeps,
): Promise<Result<Caller>> {
  if (access === 'control') {
    const secret = call.headers['x-esign-control'] ?? '';
    return isSameSecret(secret, controlSecretOf(store.keys)) ? ok({}) : refuse('control_secret_required');
  }
  if (!needsAccessToken(access)) return ok({});
  // RFC 6750 §2.1; the scheme's name is compared without regard to case.
  const token = /^bearer +([\w.~+/-]+=*)$/i.exec(call.headers.authorization ?? '')?.[1];
  if (token === undefined) return refuse('token_missing');
  const hash = hashSecret(token);
  const bearer = await cache.cached(`bearer ${hash}`, 'bearer', (db) => findBearer(db, hash), true);
  if (!bearer || bearer.revoked_at !== null) return refuse('token_invalid');
  if (bearer.expires_at !== null && bearer.expires_at <= instantOf(clock.now()))
    return refuse('token_expired', { at: bearer.expires_at });
  if (isScoped(access) && !bearer.scopes.includes(access.scope))
    return refuse('insufficient_scope', { needed: access.scope, granted: bearer.scopes.join(' ') });
  return ok(bearer);
}

// --- Idempotency ---

/** @returns undefined where none was sent, or the operation takes none */
const keyOf = (call: Call, operation: Operation): string | undefined =>
  operation.idempotent ? call.headers['idempotency-key'] : undefined;

/** @returns the refusal of a key that is empty, too long, or has characters that no header may have */
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
function commitOf(
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
    request: Omit<NewAnswer, 'output'>,
    onReplay: () => void,
  ): RequestContext['commit'] =>
  <T>(fn: (db: Db) => Promise<Result<T>>, changes?: ChangedIds, isolation?: Isolation) =>
    database.write(
      async (db): Promise<Result<T>> => {
        // Only one of several requests with the same key runs at a time: the others find its answer.
        await database.lockName(db, `${request.holder} ${request.key}`);
        const since = addMs(now, -LIMITS.idempotencyKeyLifetimeMs);
        const stored = await findAnswer(db, keys, request.holder, request.key, since);
        if (stored && stored.fingerprint !== request.fingerprint) return refuse('idempotency_key_reused');
        if (stored) {
          onReplay();
          return ok(stored.output as T);
        }
        const result = await fn(db);
        if (result.ok) await storeAnswer(db, keys, { ...request, output: result.output }, now);
        return result;
      },
      changes,
      isolation,
    );

/** Two requests are the same when they have the same operation, the same input and a file with the same bytes. */
const fingerprintOf = (id: OperationId, { upload, ...input }: RequestParts): string =>
  sha256Of(JSON.stringify([id, input, upload?.spooled.sha256]));
