import { change } from '../../changes/change.ts';
import type { Handler } from '../../context.ts';
import { cancel } from '../../domain/end.ts';

/** spec §4 Cancel transaction. Any user of the company may (spec §6 transaction_cancelled). */
export const cancelTransaction: Handler<'transaction.cancel'> = (context, { params, body }) =>
  change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    (transaction) => cancel(transaction, body.cancelled_reason, context.user, context.facts),
    () => ({ cancelled: true }),
  );
