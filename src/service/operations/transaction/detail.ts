import { type Handler, ok, type RequestContext, refuse } from '../../context.ts';
import { isDue } from '../../domain/end.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { Db } from '../../store/schema.ts';
import { loadTransaction } from '../../store/transactions.ts';
import { viewOf } from './view.ts';

/** spec §4 Transaction detail. One that is due is expired before it is shown. */
export const transactionDetail: Handler<'transaction.detail'> = async (context, { params }) => {
  const { id: userId, company_id } = context.user;
  const where = { id: params.transactionId, company_id };
  // For each user: what is shown to the sender is not shown to others.
  const seen = await context.cached(where.id, `detail for ${company_id} ${userId}`, async (db) => {
    const transaction = await loadTransaction(db, context.store.keys, where);
    if (!transaction) return undefined;
    const undelivered = await readUndeliveredOf(context, db, transaction);
    // Addresses that lapse are not kept.
    if (transaction.sealed_documents.length > 0) return { transaction, undelivered };
    const view = viewOf(context, transaction, undelivered);
    return { transaction, undelivered, view, encoded: Buffer.from(JSON.stringify(view)) };
  });
  if (!seen) return refuse('transaction_not_found', { id: where.id });
  const { transaction, undelivered, view, encoded } = seen;
  if (isDue(transaction, context.now)) {
    const { expireDue } = await import('../../sending/load-current-transaction.ts');
    const expired = await expireDue(context, where);
    return expired.ok ? ok(viewOf(context, expired.output)) : expired;
  }
  return view ? { ok: true, output: view, encoded } : ok(viewOf(context, transaction, undelivered));
};

/** Where no mail server is configured, and before a transaction is started, no email leaves. */
async function readUndeliveredOf({ mail }: RequestContext, db: Db, { id, status }: Transaction) {
  if (!mail.smtp || status === 'draft') return undefined;
  const { readUndeliveredMails: undeliveredMailsOf } = await import('../../store/mails.ts');
  return undeliveredMailsOf(db, id);
}
