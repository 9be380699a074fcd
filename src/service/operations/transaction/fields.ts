import { change } from '../../changes/change.ts';
import type { Handler } from '../../context.ts';
import { setFields } from '../../domain/edit.ts';

/** spec §4 Define fields. */
export const defineFields: Handler<'transaction.fields'> = (context, { params, body }) =>
  change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    (transaction) => setFields(transaction, body.fields, context.facts),
    () => ({ updated: true }),
  );
