// What the record says about how a recipient got their signing link: by email, or from the dashboard and as whom they were signed in there.
import type { RequestContext } from '../context.ts';
import { readMark } from '../link-origin.ts';
import { findUserById } from '../store/accounts.ts';

/** `link`: `email` or `dashboard`. `user`: who was signed in to the dashboard. Empty for a link without a mark. */
export type LinkDetails = { link?: 'email' | 'dashboard'; user?: string };

export async function linkDetailsOf(
  context: Pick<RequestContext, 'store' | 'read'>,
  token: string,
  mark: string | undefined,
): Promise<LinkDetails> {
  const origin = readMark(context.store.keys, token, mark);
  if (!origin) return {};
  if (origin.by === 'email') return { link: 'email' };
  const user = await context.read((db) => findUserById(db, origin.user_id));
  return { link: 'dashboard', ...(user && { user: `${user.name} <${user.email}>` }) };
}
