// Authenticates client applications and issues tokens to them (spec §5). A code is bound to the program that asked for it (RFC 7636): the link
// carries the hash of a random verifier, and only the program that has the verifier can exchange the code. The dashboard and control operations
// register applications with the functions that are exported.
import { createHash } from 'node:crypto';
import { LIMITS } from '../../api/contract/limits.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import { type Handlers, ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { DecisionContext } from '../domain/transaction.ts';
import {
  type ClientApplication,
  consumeCode,
  findClient,
  findCode,
  findCompanyById,
  findRefreshToken,
  findSuccessor,
  insertClient,
  insertToken,
  markReplaced,
  recordRotation,
  revokeIssuedFrom,
  revokeUnused,
} from '../store/accounts/accounts.ts';
import { notificationSecretOf } from '../store/delivery/webhooks.ts';
import { hashSecret, isSameSecret } from '../store/keys.ts';
import type { Db, Tables } from '../store/schema.ts';

export const oauthHandlers: Handlers<'oauth'> = {
  /**
   * spec §5: a code works once, for ten minutes, and is the only way to a refresh token. A request without the right verifier changes nothing, as
   * without the right secret: whoever intercepts a code can neither use it nor end what its owner made of it.
   */
  'oauth.exchange_code': (context, { body }) =>
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
      return ok(
        await issueTokens(db, context, client.output, { client_id, user_id, scopes, code_hash: hash }),
      );
    }),

  /**
   * Exchanges a refresh token (spec §5). That of an application with a secret stays the same and does not expire (assumed:
   * A22). That of a public application could be used by anyone who copies it, so each answer replaces it.
   */
  'oauth.refresh_token': (context, { body }) =>
    context.commit(async (db) => {
      const { now } = context;
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
      return ok(
        isReplaced
          ? await issueTokens(db, context, client.output, { ...grant, previous_hash: token.hash })
          : await issueAccessToken(db, context, grant),
      );
    }),
};

export const userHandlers: Handlers<'user'> = {
  /**
   * Extension: shows the user that the access token belongs to, so that a client can check the sender before it sends.
   */
  'user.me': async (context) => {
    const { id, name, email, company_id } = context.user;
    const company = await context.read((db) => findCompanyById(db, company_id));
    return ok({ id, name, email, company: { id: company_id, name: company?.name ?? '' } });
  },
};

type Grant = Pick<Tables['token'], 'client_id' | 'user_id' | 'scopes' | 'code_hash'> & {
  /** The new refresh token replaces this one. */
  previous_hash?: string;
};

/** Issues an access token and a refresh token. */
export async function issueTokens(
  db: Db,
  context: DecisionContext,
  client: Pick<Tables['client'], 'is_public'>,
  { previous_hash, ...grant }: Grant,
  expires_in?: number,
) {
  const access = await issueAccessToken(db, context, grant, expires_in);
  const refresh_token = context.newToken();
  const expires_at = refreshExpiryOf(client, context.now);
  const token = {
    ...grant,
    ...(previous_hash !== undefined && { previous_hash }),
    kind: 'refresh',
    expires_at,
  } as const;
  await insertToken(db, refresh_token, token, context.now);
  return { access_token: access.access_token, refresh_token, expires_in: access.expires_in };
}

async function issueAccessToken(
  db: Db,
  { now, newToken }: Pick<DecisionContext, 'now' | 'newToken'>,
  grant: Omit<Grant, 'previous_hash'>,
  expires_in: number = LIMITS.accessTokenLifetimeSeconds,
) {
  const access_token = newToken();
  const expires_at = addMs(now, expires_in * 1000);
  await insertToken(db, access_token, { ...grant, kind: 'access', expires_at }, now);
  return { access_token, expires_in };
}

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
 * Refuses a code that comes again. It has leaked, and what was issued for it is revoked (RFC 6749 §4.1.2). Within the same
 * second it was sent twice by the client that knows the secret: a double click, a retry. The tokens of the first stay good
 * then.
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

const UNKNOWN = 'The refresh token is unknown or was revoked. Log in again.';

const USED =
  'The refresh token was already used and replaced, so the tokens of this login were revoked. Log in again.';

/**
 * Accepts a refresh token once (RFC 9700 §4.14.2). One that comes again was copied, and nobody can tell which of both
 * programs is the owner's, so that everything issued from the same code is revoked. It may come again within a minute where
 * the answer was lost: as long as nobody has used the token that replaced it, that one is revoked instead.
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

/** Compares the secret in constant time. A public application has none: the verifier of its code, or its refresh token, is the proof instead. */
async function authenticateClient(
  db: Db,
  { client_id, client_secret }: { client_id: string; client_secret?: string | undefined },
): Promise<Result<Tables['client']>> {
  const client = await findClient(db, client_id);
  if (!client) return refuse('invalid_client');
  if (client.is_public === 1)
    return client_secret === undefined
      ? ok(client)
      : secretRefused('must be omitted, because the application is public');
  if (client_secret === undefined) return secretRefused('is required');
  const isRight = isSameSecret(client.secret_hash ?? '', hashSecret(client_secret));
  return isRight ? ok(client) : refuse('invalid_client');
}

const secretRefused = (message: string): Result<never> =>
  refuse('validation_failed', { summary: `client_secret ${message}.` }, [{ path: 'client_secret', message }]);

/**
 * Finds when a refresh token expires. That of an application with a secret does not (assumed: A22). Each of a public
 * application is replaced when it is used, and ends where it is not used for long (RFC 9700 §4.14.2).
 */
const refreshExpiryOf = ({ is_public }: Pick<Tables['client'], 'is_public'>, now: Instant) =>
  is_public === 1 ? addMs(now, LIMITS.publicRefreshTokenLifetimeMs) : null;

/** Compares times in either order: the clock may have been set back between them. */
const isWithin = (ms: number, a: Instant, b: Instant): boolean => a < addMs(b, ms) && b < addMs(a, ms);

/** The method `plain` is refused, because whoever sees the link could then exchange the code. */
export const CHALLENGE_METHOD = 'S256';

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/**
 * Checks the verifier of an exchange. A code and a verifier that do not belong together are refused in both directions: a verifier for a code
 * without a challenge means that somebody removed the challenge from the link (RFC 9700 §4.8.2).
 * @returns why the exchange is refused; undefined where it is not
 */
function verifierRefusal(challenge: string | null, verifier: string | undefined): string | undefined {
  if (challenge === null)
    return verifier === undefined
      ? undefined
      : 'The authorization link of this code had no code_challenge, so a code_verifier is not accepted. Log in again.';
  if (verifier === undefined)
    return 'The authorization link of this code had a code_challenge. Send its code_verifier with the code.';
  return isSameSecret(challengeOf(verifier), challenge)
    ? undefined
    : 'The code_verifier does not match the code_challenge of the authorization link. Log in again.';
}

/** Registers an application. Its secrets are returned this once: only a hash and a counter are stored. A public application has no secret of its own. */
export async function registerApplication(
  db: Db,
  { newId, newToken, now, store }: Pick<RequestContext, 'newId' | 'newToken' | 'now' | 'store'>,
  entry: Pick<ClientApplication, 'company_id' | 'name' | 'callback_url' | 'is_public'>,
): Promise<{ client: ClientApplication; client_secret: string | undefined; notification_secret: string }> {
  const client = { ...entry, id: newId(), created_at: now };
  const client_secret = entry.is_public === 1 ? undefined : newToken();
  await insertClient(db, client, client_secret);
  return { client, client_secret, notification_secret: notificationSecretOf(store.keys, client.id, 0) };
}

/**
 * Replaces the notification secret of an application (assumed: A31). For a day the previous secret signs as well, so that receivers can change over.
 * @param application `company_id`: without it, the application of any company. `rotations`: how often the secret was replaced before, as far as
 * the caller knows; if the number differs, nothing is done
 */
export async function rotateNotificationSecret(
  db: Db,
  { now, store }: Pick<RequestContext, 'now' | 'store'>,
  application: { id: string; company_id?: string; rotations?: number },
): Promise<{ notification_secret: string; previous_valid_until: Instant } | undefined> {
  const { id, company_id } = application;
  const client = await findClient(db, id);
  if (!client || (company_id !== undefined && client.company_id !== company_id)) return undefined;
  if ((application.rotations ?? client.notification_rotations) !== client.notification_rotations)
    return undefined;
  const rotations = client.notification_rotations + 1;
  await recordRotation(db, id, rotations, now);
  return {
    notification_secret: notificationSecretOf(store.keys, id, rotations),
    previous_valid_until: addMs(now, LIMITS.previousSecretLifetimeMs),
  };
}
