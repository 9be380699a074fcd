// Decides whether a user of the sender's company is shown the address at which a recipient signs. The bearer of the address can
// sign as that recipient: the dashboard shows it for users of the company alone, other recipients get it by email.

import type { RequestContext } from '../context.ts';
import { currentOf } from '../domain/recipients.ts';
import type { Transaction } from '../domain/transaction.ts';
import { signingUrl } from '../rendering/addresses.ts';
import { findUser } from '../store/accounts.ts';

/** Returns the address of the current recipient, when they are a user of the company; undefined otherwise. */
export async function signingAddressForColleague(
  context: Pick<RequestContext, 'read' | 'origin'>,
  { content, company_id }: Transaction,
): Promise<string | undefined> {
  const current = currentOf(content);
  if (!current || current.token === null) return undefined;
  const user = await context.read((db) => findUser(db, current.email));
  return user?.company_id === company_id ? signingUrl(context.origin, current.token) : undefined;
}
