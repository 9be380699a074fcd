// Creates a link to the dashboard that signs in once. It needs the control secret, which can set a password as well.

import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs } from '../../../common/instant.ts';
import { type Handler, ok, refuse } from '../../context.ts';
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
    const { mail_id } = body;
    const user =
      mail_id === undefined
        ? await findUser(db, OWN_USER.email)
        : await findMailSender(db, context.store, mail_id);
    if (!user) return refuse('mail_not_found', { id: mail_id ?? '' });
    const path = mail_id === undefined ? `/${body.page ?? ''}` : `/mailbox/${mail_id}`;
    const token = context.facts.newToken();
    const expires_at = addMs(context.now, LIMITS.signInLinkLifetimeMs);
    await insertSignInLink(db, { hash: hashSecret(token), user_id: user.id, path, expires_at }, context.now);
    const sign_in_url = signInUrl(context.origin, token);
    return ok({ sign_in_url, page_url: context.origin + path, expires_at });
  });

/** The user who sent the transaction that a mail is about: the mailbox shows a company its own mail only. */
async function findMailSender(db: Db, { keys }: Store, mailId: string) {
  const mail = await findMail(db, keys, mailId);
  const transaction = mail && (await loadTransaction(db, keys, { id: mail.transaction_id }));
  return transaction && findUserById(db, transaction.created_by_id);
}
