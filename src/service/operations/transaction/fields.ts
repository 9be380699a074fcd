import { edit } from '../../changes/edit.ts';
import type { Handler } from '../../context.ts';
import { setFields } from '../../domain/edit.ts';

/** spec §4 Define fields. */
export const defineFields: Handler<'transaction.fields'> = (context, { params, body }) =>
  edit(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    body,
    (transaction, facts) => setFields(transaction, body.fields, facts),
    () => ({ updated: true }),
  );
