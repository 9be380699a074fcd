// What the record says about how a recipient got their signing link: by email, from the mailbox or from the dashboard, and who was signed in there.
import type { RequestContext } from '../context.ts';
import { type LinkOrigin, readMark } from '../mail/link-origin.ts';
import { findUserById } from '../store/accounts.ts';

/** `user`: who was signed in to the dashboard. Empty for a link without a mark. */
export type LinkDetails = { link?: LinkOrigin['by']; user?: string };

export async function linkDetailsOf(
  context: Pick<RequestContext, 'store' | 'read'>,
  token: string,
  mark: string | undefined,
): Promise<LinkDetails> {
  const origin = readMark(context.store.keys, token, mark);
  if (!origin) return {};
  const userId = origin.by === 'email' ? undefined : origin.user_id;
  const user = userId === undefined ? undefined : await context.read((db) => findUserById(db, userId));
  return { link: origin.by, ...(user && { user: `${user.name} <${user.email}>` }) };
}
