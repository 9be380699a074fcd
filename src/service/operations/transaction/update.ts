import { invalid } from '../../../api/codec.ts';
import { change } from '../../changes/change.ts';
import type { Handler } from '../../context.ts';
import { update } from '../../domain/edit.ts';
import { newIds } from '../../domain/ids.ts';
import { patternErrors } from '../../patterns.ts';
import { takenIds } from '../../store/transactions.ts';

/** spec §4 Update transaction metadata. */
export const updateTransaction: Handler<'transaction.update'> = async (context, { params, body }) => {
  const errors = await patternErrors(body.fields);
  if (errors.length > 0) return { ok: false, refusal: invalid(errors) };
  return change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    async (transaction, db) => {
      const taken = await takenIds(db, newIds(body, transaction.content));
      return update(transaction, body, context.user, { ...context.facts, taken });
    },
    ({ id }) => ({ id }),
  );
};
