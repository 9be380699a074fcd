// Shows a mail in the mailbox. Whoever opens its signing link there has not received the email, so that the link has another mark than the
// one that is sent.

import { signingUrl } from '../rendering/addresses.ts';
import type { Keys } from '../store/keys.ts';
import { markOf } from './link-origin.ts';
import type { Mail } from './mail-text.ts';

/** @param user_id who is signed in to the dashboard; undefined for a program of the sandbox */
export function inMailbox(keys: Pick<Keys, 'derive'>, mail: Mail, user_id?: string): Mail {
  const { url, urlLeadsTo } = mail.letter;
  const { origin, searchParams } = new URL(url ?? 'about:blank');
  const token = searchParams.get('token');
  if (urlLeadsTo !== 'signing' || token === null) return mail;
  const marked = signingUrl(origin, token, markOf(keys, token, { by: 'mailbox', user_id }));
  return { ...mail, letter: { ...mail.letter, url: marked } };
}
