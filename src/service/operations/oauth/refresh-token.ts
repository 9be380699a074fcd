import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs } from '../../../common/instant.ts';
import { type Handler, ok, refuse } from '../../context.ts';
import { findRefreshToken, insertToken } from '../../store/accounts.ts';
import { isClient } from './client.ts';

/** spec §5. The refresh token stays the same and does not expire (assumed: A22). */
export const refreshToken: Handler<'oauth.refresh_token'> = (context, { body }) =>
  context.commit(async (db) => {
    if (!(await isClient(db, body))) return refuse('invalid_client');
    const known = await findRefreshToken(db, body.refresh_token, body.client_id);
    if (!known || known.revoked_at !== null)
      return refuse('invalid_grant', { why: 'The refresh token is unknown or was revoked. Log in again.' });
    const { client_id, user_id, scopes, code_hash } = known;
    const access_token = context.facts.newToken();
    const expires_at = addMs(context.now, LIMITS.accessTokenLifetimeSeconds * 1000);
    await insertToken(
      db,
      access_token,
      { client_id, user_id, scopes, kind: 'access', code_hash, expires_at },
      context.now,
    );
    return ok({ access_token, expires_in: LIMITS.accessTokenLifetimeSeconds });
  });
