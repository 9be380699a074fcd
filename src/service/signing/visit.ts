// Who is at a signing page and how things stand for them, by the token of their address, which is known after it is no longer
// good for signing. It must never let anybody act: for that `turn.ts` asks whose turn it is.
import type { RequestContext } from '../context.ts';
import { isDue } from '../domain/end.ts';
import type { Recipient, Transaction } from '../domain/transaction.ts';
import { hashOf } from '../store/keys.ts';
import {
  type AuditEntry,
  findLink,
  findSigning,
  isAudited,
  markOpened,
  type Signing,
} from '../store/signing.ts';
import { loadTransaction } from '../store/transactions.ts';
import { audit } from './audit.ts';
import type { Turn } from './turn.ts';

/** `asked`: it is their turn. `signed`: they have submitted, and others are asked. */
export type Situation = 'asked' | 'signed' | 'completed' | 'rejected' | 'cancelled' | 'expired';

export type Visit = Turn & { situation: Situation; signing: Signing };

export async function visitOf(context: RequestContext, token: string): Promise<Visit | undefined> {
  const { keys } = context.store;
  return context.read(async (db) => {
    const link = await findLink(db, token);
    const transaction = link && (await loadTransaction(db, keys, { id: link.transaction_id }));
    const recipient = transaction?.content.recipients.find(({ id }) => id === link?.recipient_id);
    if (!transaction || !recipient) return undefined;
    const signing = await findSigning(db, keys, recipient.id, context.now);
    const shown = isDue(transaction, context.now)
      ? { ...transaction, status: 'expired' as const, expired_at: transaction.expires_at }
      : transaction;
    return { transaction: shown, recipient, situation: situationOf(shown, recipient, token), signing };
  });
}

function situationOf({ status }: Transaction, recipient: Recipient, token: string): Situation {
  if (status === 'started') return recipient.is_current && recipient.token === token ? 'asked' : 'signed';
  // Whoever has a link was asked once, and a draft asks nobody.
  if (status === 'draft') throw new Error('A draft has no signing links.');
  return status;
}

/** Written down the first time, and again for each other place and browser. */
export function noteOpened(context: RequestContext, visit: Visit): Promise<void> {
  const { address, browser } = context.visitor;
  return once(context, visit, { type: 'opened', subject: hashOf(`${address} ${browser}`) });
}

export const noteViewed = (
  context: RequestContext,
  visit: Visit,
  pageId: string,
  details: { page: string; document: string },
): Promise<void> => once(context, visit, { type: 'viewed_page', subject: pageId, details });

type Once = Pick<AuditEntry, 'type' | 'subject'> & { details?: Record<string, string | null> };

/** Looking costs a commit only when there is something new to write down. */
async function once(context: RequestContext, visit: Visit, done: Once): Promise<void> {
  const asked = { recipient_id: visit.recipient.id, ...done };
  if (await context.read((db) => isAudited(db, asked))) return;
  await context.commit(async (db) => {
    if (done.type === 'opened') await markOpened(db, visit.recipient.id, context.now);
    await audit(context, db, visit, [done]);
    return { ok: true, output: undefined };
  });
}
