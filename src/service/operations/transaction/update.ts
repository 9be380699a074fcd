import { change } from '../../changes/change.ts';
import type { Handler } from '../../context.ts';
import { update } from '../../domain/edit.ts';
import { newIds } from '../../domain/ids.ts';
import { takenIds } from '../../store/transactions.ts';

/** spec §4 Update transaction metadata. */
export const updateTransaction: Handler<'transaction.update'> = (context, { params, body }) =>
  change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    async (transaction, db) => {
      const taken = await takenIds(db, newIds(body, transaction.content));
      return update(transaction, body, context.user, { ...context.facts, taken });
    },
    ({ id }) => ({ id }),
  );
