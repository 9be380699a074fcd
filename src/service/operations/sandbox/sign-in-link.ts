// Creates a link to the dashboard that signs in once. It needs the control secret, which can set a password as well.

import { LIMITS } from '../../../api/contract/limits.ts';
import type { Parsed } from '../../../api/contract/operation.ts';
import type { OperationTable } from '../../../api/contract/operations.ts';
import { addMs } from '../../../common/instant.ts';
import { type Handler, ok, type Result, refuse } from '../../context.ts';
import { signInUrl } from '../../rendering/addresses.ts';
import { findUser, findUserById } from '../../store/accounts.ts';
import { hashSecret } from '../../store/keys.ts';
import { findMail } from '../../store/mails.ts';
import type { Db } from '../../store/schema.ts';
import { insertSignInLink } from '../../store/sessions.ts';
import { OWN_USER, type Store } from '../../store/store.ts';
import { loadTransaction } from '../../store/transactions.ts';

export const createSignInLink: Handler<'sandbox.sign_in_link'> = (context, { body }) =>
  context.commit(async (db) => {
    const target = await findTarget(db, context.store, body);
    if (!target.ok) return target;
    const { user, path, query = '' } = target.output;
    const token = context.facts.newToken();
    const expires_at = addMs(context.now, LIMITS.signInLinkLifetimeMs);
    const link = { hash: hashSecret(token), user_id: user.id, path: path + query, expires_at };
    await insertSignInLink(db, link, context.now);
    const sign_in_url = signInUrl(context.origin, token);
    return ok({ sign_in_url, page_url: context.origin + path, expires_at });
  });

/** The page that a link leads to, and the user who is signed in. */
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

/** The user who sent the transaction that a mail is about: the mailbox shows a company its own mail only. */
async function findMailSender(db: Db, { keys }: Store, mailId: string) {
  const mail = await findMail(db, keys, mailId);
  const transaction = mail && (await loadTransaction(db, keys, { id: mail.transaction_id }));
  return transaction && findUserById(db, transaction.created_by_id);
}
