import { edit } from '../../changes/edit.ts';
import type { Handler } from '../../context.ts';
import { update } from '../../domain/edit.ts';

/** spec §4 Update transaction metadata. */
export const updateTransaction: Handler<'transaction.update'> = (context, { params, body }) =>
  edit(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    body,
    (transaction, facts) => update(transaction, body, context.user, facts),
    ({ id }) => ({ id }),
  );
