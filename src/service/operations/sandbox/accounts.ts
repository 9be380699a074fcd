// Users, client applications, codes and tokens without a browser.

import { LIMITS } from '../../../api/contract/limits.ts';
import type { OutputOf } from '../../../api/contract/operations.ts';
import { ALL_SCOPES } from '../../../api/contract/scopes.ts';
import { addMs } from '../../../common/instant.ts';
import { type Handler, ok, type Result, refuse } from '../../context.ts';
import { registerApplication, rotateNotificationSecret } from '../../oauth/applications.ts';
import { refreshExpiryOf } from '../../oauth/lifetimes.ts';
import {
  deleteClient,
  findClient,
  findOrCreateCompany,
  findUser,
  insertCode,
  insertToken,
  listClients,
  listUsers,
  verifyUser,
} from '../../store/accounts.ts';
import { addVerifiedUser } from '../../store/add-user.ts';
import { hashSecret } from '../../store/keys.ts';
import { forgetAllAttempts, setPassword } from '../../store/sessions.ts';
import { OWN_CLIENT, OWN_COMPANY, OWN_USER } from '../../store/store.ts';

/** assumed: A40. Without a company the user joins the store's own. */
export const addUser: Handler<'sandbox.add_user'> = async (context, { body }) => {
  const hash = body.password && (await context.passwords.hash(body.password));
  return context.commit(async (db) => {
    const { company = OWN_COMPANY, name, email } = body;
    const added = await addVerifiedUser(db, { name, email, company, passwordHash: hash }, context.facts);
    return added ? ok({ ...added, verified_at: context.now }) : refuse('user_exists', { email });
  });
};

/** Vouches for a user who registered on a page. Only the owner of the machine can run it. */
export const verifyOneUser: Handler<'sandbox.verify_user'> = (context, { body }) =>
  context.commit(async (db) => {
    const user = await findUser(db, body.email);
    if (!user) return refuse('user_not_found', { email: body.email });
    return ok({
      id: user.id,
      email: user.email,
      verified_at: await verifyUser(db, user.id, context.now),
    });
  });

/** The way in to the dashboard, for users who did not register there; and out of a forgotten password. */
export const setUserPassword: Handler<'sandbox.set_password'> = async (context, { body }) => {
  const email = body.email ?? OWN_USER.email;
  const password = body.password ?? context.passwords.make();
  const hash = await context.passwords.hash(password);
  return context.commit(async (db) => {
    const user = await findUser(db, email);
    if (!user) return refuse('user_not_found', { email });
    await setPassword(db, user.id, hash, context.now);
    await forgetAllAttempts(db);
    return ok({ email: user.email, ...(body.password === undefined && { password }) });
  });
};

export const handleListUsers: Handler<'sandbox.list_users'> = async (context) =>
  ok({ items: (await context.read(listUsers)).map((user) => ({ ...user })) });

/** spec §5: a form with the Callback URL gives a client_id and a client_secret. */
export const addClient: Handler<'sandbox.add_client'> = (context, { body }) =>
  context.commit(async (db) => {
    const company_id = await findOrCreateCompany(db, OWN_COMPANY, {
      newId: context.facts.newId,
      now: context.now,
    });
    const { name, callback_url, is_public } = body;
    const entry = { company_id, name, callback_url, is_public: is_public ? 1 : 0 };
    const { client, ...secrets } = await registerApplication(db, context, entry);
    const { id, created_at } = client;
    const shown = { id, name, callback_url, is_public, created_at, client_id: id };
    return ok({ ...shown, ...secrets });
  });

export const handleListClients: Handler<'sandbox.list_clients'> = async (context) => {
  const clients = await context.read(listClients);
  return ok({
    items: clients.map(({ id, name, callback_url, is_public, created_at }) => ({
      id,
      client_id: id,
      name,
      callback_url,
      is_public: is_public === 1,
      created_at,
    })),
  });
};

/** The new secret is shown this once; for a day the one before signs as well (assumed: A31). */
export const rotateSecretOfClient: Handler<'sandbox.rotate_notification_secret'> = (
  context,
  { params: { clientId: id } },
) =>
  context.commit(async (db) => {
    const rotated = await rotateNotificationSecret(db, context, { id });
    return rotated ? ok({ client_id: id, ...rotated }) : refuse('client_not_found', { id });
  });

export const removeClient: Handler<'sandbox.delete_client'> = (context, { params }) =>
  context.commit(async (db) => {
    if (params.clientId === OWN_CLIENT.id) return refuse('client_is_own', { id: params.clientId });
    const removed = await deleteClient(db, params.clientId);
    return removed ? ok({ removed: true as const }) : refuse('client_not_found', { id: params.clientId });
  });

/** What consent in a browser leads to, for a user and an application that exist. */
export const issueSandboxToken: Handler<'sandbox.token'> = (context, { body }) =>
  context.commit(async (db): Promise<Result<OutputOf<'sandbox.token'>>> => {
    const email = body.user ?? OWN_USER.email;
    const user = await findUser(db, email);
    if (!user) return refuse('user_not_found', { email });
    const client_id = body.client_id ?? OWN_CLIENT.id;
    const client = await findClient(db, client_id);
    if (!client) return refuse('client_not_found', { id: client_id });
    const scopes = ALL_SCOPES.filter((scope) => body.scopes?.includes(scope) ?? true);
    const grant = { client_id, user_id: user.id, scopes: scopes.join(' ') };
    if (body.kind === 'code') {
      if (client.is_public === 1 && body.code_challenge === undefined)
        return refuse(
          'validation_failed',
          { summary: 'code_challenge is required, because the application is public.' },
          [{ path: 'code_challenge', message: 'is required, because the application is public' }],
        );
      const { code_challenge = null } = body;
      const code = context.facts.newToken();
      const expires_in = LIMITS.authorizationCodeLifetimeMs / 1000;
      const expires_at = addMs(context.now, LIMITS.authorizationCodeLifetimeMs);
      await insertCode(db, code, { ...grant, code_challenge }, context.now, expires_at);
      return ok({ client_id, scopes, expires_in, code });
    }
    const expires_in = body.expires_in ?? LIMITS.accessTokenLifetimeSeconds;
    const [access_token, refresh_token] = [context.facts.newToken(), context.facts.newToken()];
    const expires_at = addMs(context.now, expires_in * 1000);
    // What replaces the refresh token of a public application is recognized by the code, so these tokens are as of a code that nobody has.
    const code_hash = client.is_public === 1 ? hashSecret(context.facts.newToken()) : null;
    const issued = { ...grant, code_hash };
    await insertToken(db, access_token, { ...issued, kind: 'access', expires_at }, context.now);
    const refreshExpiry = refreshExpiryOf(client, context.now);
    await insertToken(
      db,
      refresh_token,
      { ...issued, kind: 'refresh', expires_at: refreshExpiry },
      context.now,
    );
    return ok({ client_id, scopes, access_token, refresh_token, expires_in });
  });
