// Decides whether a user of the sender's company is shown the address at which a recipient signs. The bearer of the address can
// sign as that recipient: the dashboard shows it for users of the company alone, other recipients get it by email. Where email leaves the
// service, it shows the address to that recipient and to the user who sends the transaction, who gets the token from the API as well (A38).

import type { RequestContext } from '../context.ts';
import { currentOf } from '../domain/recipients.ts';
import type { Transaction } from '../domain/transaction.ts';
import { markOf } from '../mail/link-origin.ts';
import { signingUrl } from '../rendering/addresses.ts';
import { findUser } from '../store/accounts.ts';

/** Returns the address of the current recipient, when they are a user of the company and `viewer` may see it; undefined otherwise. */
export async function signingAddressFor(
  viewer: { id: string },
  context: Pick<RequestContext, 'read' | 'origin' | 'mail' | 'store'>,
  { content, company_id, sender_id }: Transaction,
): Promise<string | undefined> {
  const current = currentOf(content);
  if (!current || current.token === null) return undefined;
  const user = await context.read((db) => findUser(db, current.email));
  if (user?.company_id !== company_id) return undefined;
  const maySee = context.mail.smtp === undefined || [user.id, sender_id].includes(viewer.id);
  if (!maySee) return undefined;
  const mark = markOf(context.store.keys, current.token, { by: 'dashboard', user_id: viewer.id });
  return signingUrl(context.origin, current.token, mark);
}
