// Manages users and client applications of a sandbox, and issues codes, tokens and sign-in links without a browser.
import { LIMITS } from '../../../api/contract/limits.ts';
import { ALL_SCOPES, type Parsed } from '../../../api/contract/operation.ts';
import type { OperationTable, OutputOf } from '../../../api/contract/operations.ts';
import { addMs } from '../../../common/instant.ts';
import { type Handlers, ok, type Result, refuse } from '../../context.ts';
import { signInUrl } from '../../mail/links.ts';
import {
  deleteClient,
  findClient,
  findOrCreateCompany,
  findUser,
  findUserById,
  insertCode,
  listClients,
  listUsers,
  verifyUser,
} from '../../store/accounts/accounts.ts';
import {
  addVerifiedUser,
  forgetAllAttempts,
  insertSignInLink,
  setPassword,
} from '../../store/accounts/sessions.ts';
import { findMail } from '../../store/delivery/mails.ts';
import { hashSecret } from '../../store/keys.ts';
import type { Db } from '../../store/schema.ts';
import { OWN_CLIENT, OWN_COMPANY, OWN_USER, type Store } from '../../store/store.ts';
import { loadTransaction } from '../../store/transactions/transactions.ts';
import { issueTokens, registerApplication, rotateNotificationSecret } from '../oauth.ts';

export const accountHandlers = {
  /** Adds a user. Without a company the user joins the store's own (assumed: A40). */
  'sandbox.add_user': async (context, { body }) => {
    const hash = body.password && (await context.passwords.hash(body.password));
    return context.commit(async (db) => {
      const { company = OWN_COMPANY, name, email } = body;
      const added = await addVerifiedUser(db, { name, email, company, passwordHash: hash }, context);
      return added ? ok({ ...added, verified_at: context.now }) : refuse('user_exists', { email });
    });
  },

  /** Vouches for a user who registered on a page. Only the owner of the machine can run it. */
  'sandbox.verify_user': (context, { body }) =>
    context.commit(async (db) => {
      const user = await findUser(db, body.email);
      if (!user) return refuse('user_not_found', { email: body.email });
      return ok({
        id: user.id,
        email: user.email,
        verified_at: await verifyUser(db, user.id, context.now),
      });
    }),

  /** Sets a password for the dashboard, for users who did not register there, or who have forgotten it. */
  'sandbox.set_password': async (context, { body }) => {
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
  },

  'sandbox.list_users': async (context) =>
    ok({ items: (await context.read(listUsers)).map((user) => ({ ...user })) }),

  /** spec §5: a form with the Callback URL gives a client_id and a client_secret. */
  'sandbox.add_client': (context, { body }) =>
    context.commit(async (db) => {
      const company_id = await findOrCreateCompany(db, OWN_COMPANY, {
        newId: context.newId,
        now: context.now,
      });
      const { name, callback_url, is_public } = body;
      const entry = { company_id, name, callback_url, is_public: is_public ? 1 : 0 };
      const { client, ...secrets } = await registerApplication(db, context, entry);
      const { id, created_at } = client;
      return ok({ id, name, callback_url, is_public, created_at, client_id: id, ...secrets });
    }),

  'sandbox.list_clients': async (context) => {
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
  },

  /** The new secret is shown this once; for a day the one before signs as well (assumed: A31). */
  'sandbox.rotate_notification_secret': (context, { params: { clientId: id } }) =>
    context.commit(async (db) => {
      const rotated = await rotateNotificationSecret(db, context, { id });
      return rotated ? ok({ client_id: id, ...rotated }) : refuse('client_not_found', { id });
    }),

  'sandbox.delete_client': (context, { params }) =>
    context.commit(async (db) => {
      if (params.clientId === OWN_CLIENT.id) return refuse('client_is_own', { id: params.clientId });
      const removed = await deleteClient(db, params.clientId);
      return removed ? ok({ removed: true as const }) : refuse('client_not_found', { id: params.clientId });
    }),

  /** Makes what consent in a browser leads to, for a user and an application that exist. */
  'sandbox.token': (context, { body }) =>
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
        const code = context.newToken();
        const expires_in = LIMITS.authorizationCodeLifetimeMs / 1000;
        const expires_at = addMs(context.now, LIMITS.authorizationCodeLifetimeMs);
        await insertCode(db, code, { ...grant, code_challenge }, context.now, expires_at);
        return ok({ client_id, scopes, expires_in, code });
      }
      // The successor of a refresh token of a public application is recognised by the code, so these tokens get the hash of
      // a code that nobody has.
      const code_hash = client.is_public === 1 ? hashSecret(context.newToken()) : null;
      const issued = await issueTokens(db, context, client, { ...grant, code_hash }, body.expires_in);
      return ok({ client_id, scopes, ...issued });
    }),

  /** Creates a link to the dashboard that signs in once. The control secret that it needs can set a password as well. */
  'sandbox.sign_in_link': (context, { body }) =>
    context.commit(async (db) => {
      const target = await findTarget(db, context.store, body);
      if (!target.ok) return target;
      const { user, path, query = '' } = target.output;
      const token = context.newToken();
      const expires_at = addMs(context.now, LIMITS.signInLinkLifetimeMs);
      const link = { hash: hashSecret(token), user_id: user.id, path: path + query, expires_at };
      await insertSignInLink(db, link, context.now);
      const sign_in_url = signInUrl(context.origin, token);
      return ok({ sign_in_url, page_url: context.origin + path, expires_at });
    }),
} satisfies Partial<Handlers<'sandbox'>>;

/** The link leads to this page, and signs in this user. */
type Target = { user: { id: string }; path: string; query?: string };
type Body = Parsed<OperationTable['sandbox.sign_in_link']>['body'];

async function findTarget(db: Db, store: Store, body: Body): Promise<Result<Target>> {
  const { mail_id, edit_id } = body;
  if (edit_id !== undefined) return findEditor(db, store, edit_id, body);
  const user =
    mail_id === undefined ? await findUser(db, OWN_USER.email) : await findMailSender(db, store, mail_id);
  if (!user) return refuse('mail_not_found', { id: mail_id ?? '' });
  return ok({ user, path: mail_id === undefined ? `/${body.page ?? ''}` : `/mailbox/${mail_id}` });
}

async function findEditor(
  db: Db,
  { keys }: Store,
  id: string,
  { return_to, sends = false }: Pick<Body, 'return_to' | 'sends'>,
): Promise<Result<Target>> {
  const transaction = await loadTransaction(db, keys, { id });
  const user = transaction && (await findUserById(db, transaction.created_by_id));
  if (!transaction || !user) return refuse('transaction_not_found', { id });
  const { status } = transaction;
  if (status !== 'draft') return refuse('transaction_not_draft', { id, status });
  const query = new URLSearchParams({
    ...(return_to !== undefined && { return_to }),
    ...(sends && { sends: '1' }),
  });
  return ok({ user, path: `/transactions/${id}/edit`, query: query.size === 0 ? '' : `?${query}` });
}

/** Finds the user who sent the transaction that a mail is about: the mailbox shows a company its own mail only. */
async function findMailSender(db: Db, { keys }: Store, mailId: string) {
  const mail = await findMail(db, keys, mailId);
  const transaction = mail && (await loadTransaction(db, keys, { id: mail.transaction_id }));
  return transaction && findUserById(db, transaction.created_by_id);
}
