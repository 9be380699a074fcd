import { change } from '../../changes/change.ts';
import type { Handler } from '../../context.ts';
import { setFields } from '../../domain/edit.ts';
import { newIds } from '../../domain/ids.ts';
import { takenIds } from '../../store/transactions.ts';

/** spec §4 Define fields. */
export const defineFields: Handler<'transaction.fields'> = (context, { params, body }) =>
  change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    async (transaction, db) => {
      const taken = await takenIds(db, newIds(body, transaction.content));
      return setFields(transaction, body.fields, { ...context.facts, taken });
    },
    () => ({ updated: true }),
  );
