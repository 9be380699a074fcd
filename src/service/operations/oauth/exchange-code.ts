import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs } from '../../../common/instant.ts';
import { type Handler, ok, type Result, refuse } from '../../context.ts';
import { isWithin, refreshExpiryOf } from '../../oauth/lifetimes.ts';
import { verifierRefusal } from '../../oauth/pkce.ts';
import { consumeCode, findCode, insertToken, revokeIssuedFrom } from '../../store/accounts.ts';
import { hashSecret } from '../../store/keys.ts';
import type { Db, Tables } from '../../store/schema.ts';
import { authenticateClient } from './client.ts';

/**
 * spec §5: a code works once, for ten minutes, and is the only way to a refresh token. A request without the right verifier changes nothing, as
 * without the right secret: whoever intercepts a code can neither use it nor end what its owner made of it.
 */
export const exchangeCode: Handler<'oauth.exchange_code'> = (context, { body }) =>
  context.commit(async (db) => {
    const client = await authenticateClient(db, body);
    if (!client.ok) return client;
    const code = await findCode(db, body.code);
    if (!code || code.client_id !== body.client_id)
      return refuse('invalid_grant', { why: 'The code is unknown. Log in again.' });
    const why = codeRefusal(client.output, code, body.code_verifier);
    if (why !== undefined) return refuse('invalid_grant', { why });
    const grant = await consumeCode(db, body.code, body.client_id, context.now);
    if (!grant) return refuseUsedCode(db, body.code, context.now);
    const { client_id, user_id, scopes, hash } = grant;
    const [access_token, refresh_token] = [context.facts.newToken(), context.facts.newToken()];
    const issued = { client_id, user_id, scopes, code_hash: hash };
    const expires_at = addMs(context.now, LIMITS.accessTokenLifetimeSeconds * 1000);
    await insertToken(db, access_token, { ...issued, kind: 'access', expires_at }, context.now);
    const refreshExpiry = refreshExpiryOf(client.output, context.now);
    await insertToken(
      db,
      refresh_token,
      { ...issued, kind: 'refresh', expires_at: refreshExpiry },
      context.now,
    );
    return ok({ access_token, refresh_token, expires_in: LIMITS.accessTokenLifetimeSeconds });
  });

function codeRefusal(
  { is_public }: Tables['client'],
  { code_challenge }: Tables['authorization_code'],
  verifier: string | undefined,
): string | undefined {
  if (is_public === 1 && code_challenge === null)
    return 'The application is public, but the authorization link of this code had no code_challenge. Log in again.';
  return verifierRefusal(code_challenge, verifier);
}

/**
 * A code that comes again has leaked, and what was issued for it is revoked (RFC 6749 §4.1.2). Within the same second it was
 * sent twice by the client that knows the secret: a double click, a retry. The tokens of the first stay good then.
 */
async function refuseUsedCode(db: Db, code: string, now: string): Promise<Result<never>> {
  const stored = await findCode(db, code);
  if (!stored) return refuse('invalid_grant', { why: 'The code is unknown. Log in again.' });
  if (stored.used_at === null)
    return refuse('invalid_grant', { why: `The code expired at ${stored.expires_at}. Log in again.` });
  if (isWithin(LIMITS.codeSentTwiceMs, stored.used_at, now))
    return refuse('invalid_grant', {
      why: 'The code was already used a moment ago. Use the tokens from that exchange.',
    });
  await revokeIssuedFrom(db, hashSecret(code), now);
  return refuse('invalid_grant', {
    why: 'The code was already used, so the tokens issued for it were revoked. Log in again.',
  });
}
