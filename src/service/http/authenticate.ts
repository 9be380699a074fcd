// Identifies the caller by the token, and checks that it is valid and has the permission.

import { isScoped, needsAccessToken, type Operation } from '../../api/contract/operation.ts';
import type { Call } from '../../api/transport.ts';
import { instantOf } from '../../common/instant.ts';
import type { ReadCache } from '../../database/database.ts';
import { ok, type Result, refuse } from '../context.ts';
import { findBearer } from '../store/accounts.ts';
import { hashSecret, isSameSecret } from '../store/keys.ts';
import type { Tables } from '../store/schema.ts';
import { controlSecretOf } from '../store/store.ts';
import type { Caller, PipelineOptions } from './request.ts';

export async function authenticate(
  call: Call,
  { access }: Operation,
  cache: ReadCache<Tables>,
  { store, clock }: PipelineOptions,
): Promise<Result<Caller>> {
  if (access === 'control') {
    const given = call.headers['x-esign-control'] ?? '';
    return isSameSecret(given, controlSecretOf(store.keys)) ? ok({}) : refuse('control_secret_required');
  }
  if (!needsAccessToken(access)) return ok({});
  // RFC 6750 §2.1; the scheme's name is compared without regard to case.
  const token = /^bearer +([\w.~+/-]+=*)$/i.exec(call.headers.authorization ?? '')?.[1];
  if (token === undefined) return refuse('token_missing');
  const hash = hashSecret(token);
  const bearer = await cache.cached(`bearer ${hash}`, 'bearer', (db) => findBearer(db, hash), true);
  if (!bearer || bearer.revoked_at !== null) return refuse('token_invalid');
  if (bearer.expires_at !== null && bearer.expires_at <= instantOf(clock()))
    return refuse('token_expired', { at: bearer.expires_at });
  if (isScoped(access) && !bearer.scopes.includes(access.scope))
    return refuse('insufficient_scope', { needed: access.scope, granted: bearer.scopes.join(' ') });
  return ok(bearer);
}
