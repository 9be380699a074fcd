// Users, client applications, codes and tokens without a browser.
import { later } from '../../../api/contract/instant.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import type { OutputOf } from '../../../api/contract/operations.ts';
import { ALL_SCOPES } from '../../../api/contract/scopes.ts';
import { type Answer, answer, type Handler, no } from '../../scene.ts';
import {
  companyNamed,
  deleteClient,
  findClient,
  findUser,
  insertClient,
  insertCode,
  insertToken,
  insertUser,
  listClients,
  listUsers,
} from '../../store/accounts.ts';
import { forgetAllAttempts, setPassword } from '../../store/sessions.ts';
import { OWN_CLIENT, OWN_COMPANY, OWN_USER } from '../../store/store.ts';

/** assumed: A40. Without a company the user joins the store's own. */
export const addUser: Handler<'sandbox.add_user'> = async (scene, { body }) => {
  const hash = body.password && (await scene.passwords.hash(body.password));
  return scene.commit(async (db) => {
    if (await findUser(db, body.email)) return no('user_exists', { email: body.email });
    const company = body.company ?? OWN_COMPANY;
    const company_id = await companyNamed(db, company, { newId: scene.facts.newId, now: scene.now });
    const user = { id: scene.facts.newId(), company_id, name: body.name, email: body.email };
    await insertUser(db, user, scene.now);
    if (hash) await setPassword(db, user.id, hash, scene.now);
    return answer({ id: user.id, name: user.name, email: user.email, company, created_at: scene.now });
  });
};

/** The way in to the dashboard, for users who did not register there; and out of a forgotten password. */
export const setUserPassword: Handler<'sandbox.set_password'> = async (scene, { body }) => {
  const email = body.email ?? OWN_USER.email;
  const password = body.password ?? scene.passwords.make();
  const hash = await scene.passwords.hash(password);
  return scene.commit(async (db) => {
    const user = await findUser(db, email);
    if (!user) return no('user_not_found', { email });
    await setPassword(db, user.id, hash, scene.now);
    await forgetAllAttempts(db);
    return answer({ email: user.email, ...(body.password === undefined && { password }) });
  });
};

export const allUsers: Handler<'sandbox.list_users'> = async (scene) =>
  answer({ items: (await scene.read(listUsers)).map((user) => ({ ...user })) });

/** spec §5: a form with the Callback URL gives a client_id and a client_secret. */
export const addClient: Handler<'sandbox.add_client'> = (scene, { body }) =>
  scene.commit(async (db) => {
    const company_id = await companyNamed(db, OWN_COMPANY, { newId: scene.facts.newId, now: scene.now });
    const client = {
      id: scene.facts.newId(),
      name: body.name,
      callback_url: body.callback_url,
      created_at: scene.now,
    };
    const client_secret = scene.facts.newToken();
    await insertClient(db, { ...client, company_id }, client_secret);
    return answer({ ...client, client_id: client.id, client_secret });
  });

export const allClients: Handler<'sandbox.list_clients'> = async (scene) => {
  const clients = await scene.read(listClients);
  return answer({
    items: clients.map(({ id, name, callback_url, created_at }) => ({
      id,
      client_id: id,
      name,
      callback_url,
      created_at,
    })),
  });
};

export const removeClient: Handler<'sandbox.delete_client'> = (scene, { params }) =>
  scene.commit(async (db) => {
    if (params.clientId === OWN_CLIENT.id) return no('client_is_own', { id: params.clientId });
    const removed = await deleteClient(db, params.clientId);
    return removed ? answer({ removed: true as const }) : no('client_not_found', { id: params.clientId });
  });

/** What consent in a browser leads to, for a user and an application that exist. */
export const issueToken: Handler<'sandbox.token'> = (scene, { body }) =>
  scene.commit(async (db): Promise<Answer<OutputOf<'sandbox.token'>>> => {
    const email = body.user ?? OWN_USER.email;
    const user = await findUser(db, email);
    if (!user) return no('user_not_found', { email });
    const client_id = body.client_id ?? OWN_CLIENT.id;
    if (!(await findClient(db, client_id))) return no('client_not_found', { id: client_id });
    const scopes = ALL_SCOPES.filter((scope) => body.scopes?.includes(scope) ?? true);
    const grant = { client_id, user_id: user.id, scopes: scopes.join(' ') };
    if (body.kind === 'code') {
      const code = scene.facts.newToken();
      const expires_in = LIMITS.authorizationCodeLifetimeMs / 1000;
      await insertCode(db, code, grant, scene.now, later(scene.now, LIMITS.authorizationCodeLifetimeMs));
      return answer({ client_id, scopes, expires_in, code });
    }
    const expires_in = body.expires_in ?? LIMITS.accessTokenLifetimeSeconds;
    const [access_token, refresh_token] = [scene.facts.newToken(), scene.facts.newToken()];
    const expires_at = later(scene.now, expires_in * 1000);
    await insertToken(db, access_token, { ...grant, kind: 'access', code_hash: null, expires_at }, scene.now);
    await insertToken(
      db,
      refresh_token,
      { ...grant, kind: 'refresh', code_hash: null, expires_at: null },
      scene.now,
    );
    return answer({ client_id, scopes, access_token, refresh_token, expires_in });
  });
