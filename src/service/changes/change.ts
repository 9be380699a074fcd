// How every change of a transaction happens: load it, let what is due happen first, decide, record, in one commit.
import type { EventOf } from '../../api/contract/events.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { expire, isDue } from '../domain/end.ts';
import type { Accepted, Decision, Recipient, Transaction } from '../domain/transaction.ts';
import { insertEvents, insertMail } from '../store/records.ts';
import { saveTransaction } from '../store/save-transaction.ts';
import type { Db } from '../store/schema.ts';
import { loadTransaction } from '../store/transactions.ts';

export type Where = { id: string; company_id?: string };

/** @param decide the domain's decision on the transaction as it is now */
export function change<T>(
  context: RequestContext,
  where: Where,
  decide: (transaction: Transaction, db: Db) => Decision | Promise<Decision>,
  output: (next: Transaction) => T,
): Promise<Result<T>> {
  return context.commit(async (db) => {
    const loaded = await loadTransaction(db, context.store.keys, where);
    if (!loaded) return refuse('transaction_not_found', { id: where.id });
    const before = await settle(context, db, loaded);
    const decision = await decide(before, db);
    if (!decision.ok) return decision;
    return ok(output(await record(context, db, before, decision)));
  });
}

/** What recording a decision takes. */
export type Recording = Pick<RequestContext, 'store' | 'now' | 'facts' | 'origin'>;

/** A transaction whose time has come is expired before anything else happens to it (assumed: A16). */
export async function settle(context: Recording, db: Db, transaction: Transaction): Promise<Transaction> {
  if (!isDue(transaction, context.now)) return transaction;
  const decision = expire(transaction, context.facts);
  if (!decision.ok) return transaction;
  return record(context, db, transaction, decision);
}

/**
 * State, events and e-mail of one decision. A clock that was set back, or another process whose clock is ahead, never
 * takes a transaction back in time (assumed: A47).
 * @returns the transaction as it was written
 */
export async function record(
  context: Recording,
  db: Db,
  before: Transaction | undefined,
  { next: decided, events, invited }: Accepted,
): Promise<Transaction> {
  const { keys, database } = context.store;
  const now = before && before.updated_at > context.now ? before.updated_at : context.now;
  const next = { ...decided, updated_at: now };
  const origin = {
    company_id: next.company_id,
    transaction_id: next.id,
    now,
    newId: context.facts.newId,
  };
  await saveTransaction(db, keys, before, next);
  await insertEvents(db, events satisfies EventOf[], origin, database.dialect);
  if (invited) await insertMail(db, keys, invitation(next, invited, context.origin), origin);
  return next;
}

/** spec §3 start: recipients are notified, one after another (assumed: A12, A32). */
function invitation({ content }: Transaction, invited: Recipient, origin: string) {
  const sender = content.recipients.find((recipient) => recipient.role === 'sender');
  const from = content.email_alias || sender?.name || 'esign';
  const body = content.email_body || `${sender?.name ?? from} asks you to sign "${content.name}".`;
  return {
    recipient_id: invited.id,
    sender: `${from} <${sender?.email ?? 'no-reply@esign.test'}>`,
    recipient: `${invited.name} <${invited.email}>`,
    subject: content.email_subject || `Please sign: ${content.name}`,
    body: `${body}\n\n${signingUrl(origin, invited.token)}\n`,
  };
}

/** spec §4 Start: under {app_url}, carrying a token query parameter. */
export const signingUrl = (origin: string, token: string | null): string => `${origin}/sign?token=${token}`;
