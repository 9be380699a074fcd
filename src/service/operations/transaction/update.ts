import { change } from '../../changes/change.ts';
import type { Handler } from '../../context.ts';
import { update } from '../../domain/edit.ts';

/** spec §4 Update transaction metadata. */
export const updateTransaction: Handler<'transaction.update'> = (context, { params, body }) =>
  change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    (transaction) => update(transaction, body, context.user, context.facts),
    ({ id }) => ({ id }),
  );
