import { later } from '../../../api/contract/instant.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { type Answer, answer, type Handler, no } from '../../scene.ts';
import { consumeCode, findCode, insertToken, revokeIssuedFrom } from '../../store/accounts.ts';
import type { Db } from '../../store/schema.ts';
import { isClient } from './client.ts';

/** spec §5: a code works once, for ten minutes, and is the only way to a refresh token. */
export const exchangeCode: Handler<'oauth.exchange_code'> = (scene, { body }) =>
  scene.commit(async (db) => {
    if (!(await isClient(db, body))) return no('invalid_client');
    const grant = await consumeCode(db, body.code, body.client_id, scene.now);
    if (!grant) return whyNot(db, body, scene.now);
    const { client_id, user_id, scopes, hash } = grant;
    const [access_token, refresh_token] = [scene.facts.newToken(), scene.facts.newToken()];
    const issued = { client_id, user_id, scopes, code_hash: hash };
    const expires_at = later(scene.now, LIMITS.accessTokenLifetimeSeconds * 1000);
    await insertToken(db, access_token, { ...issued, kind: 'access', expires_at }, scene.now);
    await insertToken(db, refresh_token, { ...issued, kind: 'refresh', expires_at: null }, scene.now);
    return answer({ access_token, refresh_token, expires_in: LIMITS.accessTokenLifetimeSeconds });
  });

/** A code that was used already has leaked or was sent twice: what came of it is revoked (RFC 6749 §4.1.2). */
async function whyNot(
  db: Db,
  { code, client_id }: { code: string; client_id: string },
  now: string,
): Promise<Answer<never>> {
  const known = await findCode(db, code);
  if (!known || known.client_id !== client_id) return no('invalid_grant', { why: 'The code is not known.' });
  if (known.used_at === null) return no('invalid_grant', { why: `The code expired at ${known.expires_at}.` });
  await revokeIssuedFrom(db, code, now);
  return no('invalid_grant', {
    why: 'The code was used already; the tokens issued from it are revoked. Link the account again.',
  });
}
