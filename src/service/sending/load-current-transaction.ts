// Loads a transaction for the company that sends it: one whose time has come is expired before it is shown.
import { expireIfDue } from '../changes/change.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { isDue } from '../domain/end.ts';
import type { Transaction } from '../domain/transaction.ts';
import { loadTransaction } from '../store/transactions.ts';

/** Another company's id is unknown (assumed: A25). */
export type OwnTransaction = { id: string; company_id: string };

export async function loadCurrentTransaction(
  context: RequestContext,
  where: OwnTransaction,
): Promise<Result<Transaction>> {
  const seen = await context.read((db) => loadTransaction(db, context.store.keys, where));
  if (!seen) return refuse('transaction_not_found', { id: where.id });
  return isDue(seen, context.now) ? expireDue(context, where) : ok(seen);
}

/** Expires the transaction, for a caller that has seen that it is due. */
export const expireDue = (context: RequestContext, where: OwnTransaction): Promise<Result<Transaction>> =>
  context.commit(
    async (db) => {
      await context.store.database.lockRow(db, 'transaction', where.id);
      const current = await loadTransaction(db, context.store.keys, where);
      return current
        ? ok(await expireIfDue(context, db, current))
        : refuse('transaction_not_found', { id: where.id });
    },
    [where.id],
    'locked',
  );
