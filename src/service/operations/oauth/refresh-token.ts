import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs, type Instant } from '../../../common/instant.ts';
import { type Handler, ok, refuse } from '../../context.ts';
import { isWithin, refreshExpiryOf } from '../../oauth/lifetimes.ts';
import {
  findRefreshToken,
  findSuccessor,
  insertToken,
  markReplaced,
  revokeIssuedFrom,
  revokeUnused,
} from '../../store/accounts.ts';
import type { Db, Tables } from '../../store/schema.ts';
import { authenticateClient } from './client.ts';

/**
 * spec §5. The refresh token of an application with a secret stays the same and does not expire (assumed: A22). That of a public application could
 * be used by anyone who copies it, so each answer replaces it.
 */
export const refreshToken: Handler<'oauth.refresh_token'> = (context, { body }) =>
  context.commit(async (db) => {
    const { now, facts } = context;
    const client = await authenticateClient(db, body);
    if (!client.ok) return client;
    const token = await findRefreshToken(db, body.refresh_token, body.client_id);
    const isReplaced = client.output.is_public === 1;
    if (!token || (token.revoked_at !== null && !isReplaced))
      return refuse('invalid_grant', { why: UNKNOWN });
    if (token.expires_at !== null && token.expires_at <= now)
      return refuse('invalid_grant', {
        why: `The refresh token expired at ${token.expires_at}. Log in again.`,
      });
    if (isReplaced && !(await useOnce(db, token, now))) return refuse('invalid_grant', { why: USED });
    const { client_id, user_id, scopes, code_hash } = token;
    const grant = { client_id, user_id, scopes, code_hash };
    const [access_token, refresh_token] = [facts.newToken(), facts.newToken()];
    const expires_in = LIMITS.accessTokenLifetimeSeconds;
    const expires_at = addMs(now, expires_in * 1000);
    await insertToken(db, access_token, { ...grant, kind: 'access', expires_at }, now);
    if (!isReplaced) return ok({ access_token, expires_in });
    const next = { kind: 'refresh', expires_at: refreshExpiryOf(client.output, now) } as const;
    await insertToken(db, refresh_token, { ...grant, ...next, previous_hash: token.hash }, now);
    return ok({ access_token, refresh_token, expires_in });
  });

const UNKNOWN = 'The refresh token is unknown or was revoked. Log in again.';

const USED =
  'The refresh token was already used and replaced, so the tokens of this login were revoked. Log in again.';

/**
 * RFC 9700 §4.14.2: a refresh token that comes again was copied, and nobody can tell which of both programs is the owner's, so that everything
 * issued from the same code is revoked. It may come again within a minute where the answer was lost: as long as nobody has used the token
 * that replaced it, that one is revoked instead.
 */
async function useOnce(db: Db, token: Tables['token'], now: Instant): Promise<boolean> {
  if (token.revoked_at === null && (await markReplaced(db, token.hash, now))) return true;
  const isRecent =
    token.replaced_at !== null && isWithin(LIMITS.refreshTokenSentTwiceMs, token.replaced_at, now);
  const successor = isRecent ? await findSuccessor(db, token) : undefined;
  if (successor && (await revokeUnused(db, successor.hash, now))) return true;
  if (token.code_hash !== null) await revokeIssuedFrom(db, token.code_hash, now);
  return false;
}
