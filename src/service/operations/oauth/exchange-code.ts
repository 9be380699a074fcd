import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs } from '../../../common/instant.ts';
import { type Handler, ok, type Result, refuse } from '../../context.ts';
import { consumeCode, findCode, insertToken, revokeIssuedFrom } from '../../store/accounts.ts';
import type { Db } from '../../store/schema.ts';
import { isClient } from './client.ts';

/** spec §5: a code works once, for ten minutes, and is the only way to a refresh token. */
export const exchangeCode: Handler<'oauth.exchange_code'> = (context, { body }) =>
  context.commit(async (db) => {
    if (!(await isClient(db, body))) return refuse('invalid_client');
    const grant = await consumeCode(db, body.code, body.client_id, context.now);
    if (!grant) return findRefusal(db, body, context.now);
    const { client_id, user_id, scopes, hash } = grant;
    const [access_token, refresh_token] = [context.facts.newToken(), context.facts.newToken()];
    const issued = { client_id, user_id, scopes, code_hash: hash };
    const expires_at = addMs(context.now, LIMITS.accessTokenLifetimeSeconds * 1000);
    await insertToken(db, access_token, { ...issued, kind: 'access', expires_at }, context.now);
    await insertToken(db, refresh_token, { ...issued, kind: 'refresh', expires_at: null }, context.now);
    return ok({ access_token, refresh_token, expires_in: LIMITS.accessTokenLifetimeSeconds });
  });

/**
 * A code that comes again has leaked, and what was issued for it is revoked (RFC 6749 §4.1.2). Within the same second it was
 * sent twice by the client that knows the secret: a double click, a retry. The tokens of the first stay good then.
 */
async function findRefusal(
  db: Db,
  { code, client_id }: { code: string; client_id: string },
  now: string,
): Promise<Result<never>> {
  const known = await findCode(db, code);
  if (!known || known.client_id !== client_id)
    return refuse('invalid_grant', { why: 'The code is unknown. Log in again.' });
  if (known.used_at === null)
    return refuse('invalid_grant', { why: `The code expired at ${known.expires_at}. Log in again.` });
  const { codeSentTwiceMs } = LIMITS;
  // Both ways: the clock may have been set back since.
  if (now < addMs(known.used_at, codeSentTwiceMs) && known.used_at < addMs(now, codeSentTwiceMs))
    return refuse('invalid_grant', {
      why: 'The code was already used a moment ago. Use the tokens from that exchange.',
    });
  await revokeIssuedFrom(db, code, now);
  return refuse('invalid_grant', {
    why: 'The code was already used, so the tokens issued for it were revoked. Log in again.',
  });
}
