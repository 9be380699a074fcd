import { type Handler, ok, refuse } from '../../context.ts';
import { isDue } from '../../domain/end.ts';
import { expireDue } from '../../sending/transaction-now.ts';
import { loadTransaction } from '../../store/transactions.ts';
import { viewOf } from './view.ts';

/** spec §4 Transaction detail. One that is due is expired before it is shown. */
export const transactionDetail: Handler<'transaction.detail'> = async (context, { params }) => {
  const where = { id: params.transactionId, company_id: context.user.company_id };
  const seen = await context.cached(`detail ${where.company_id} ${where.id}`, async (db) => {
    const transaction = await loadTransaction(db, context.store.keys, where);
    if (!transaction) return undefined;
    const view = viewOf(transaction);
    return { transaction, view, encoded: Buffer.from(JSON.stringify(view)) };
  });
  if (!seen) return refuse('transaction_not_found', { id: where.id });
  if (!isDue(seen.transaction, context.now)) return { ok: true, output: seen.view, encoded: seen.encoded };
  const expired = await expireDue(context, where);
  return expired.ok ? ok(viewOf(expired.output)) : expired;
};
