// Cancels a transaction for the company that sends it: for the operation and the dashboard's form.
import { change } from '../changes/change.ts';
import type { RequestContext, Result } from '../context.ts';
import { cancelStarted } from '../domain/end.ts';
import type { Transaction } from '../domain/transaction.ts';

export type Canceller = { id: string; company_id: string };

/** spec §4 Cancel transaction. Any user of the company may (spec §6 transaction_cancelled). */
export const cancelTransaction = (
  context: RequestContext,
  user: Canceller,
  { id, reason }: { id: string; reason: string },
): Promise<Result<Transaction>> =>
  change(
    context,
    { id, company_id: user.company_id },
    (transaction) => cancelStarted(transaction, reason, user, context.facts),
    (next) => next,
  );
