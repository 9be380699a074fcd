import { change, signingUrl } from '../../changes/change.ts';
import type { Handler } from '../../context.ts';
import { currentOf } from '../../domain/recipients.ts';
import { start } from '../../domain/start.ts';

/** spec §4 Start transaction: the signing address of the recipient who is pending. */
export const startTransaction: Handler<'transaction.start'> = (context, { params }) =>
  change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    (transaction) => start(transaction, context.user, context.facts),
    ({ content }) => ({ url: signingUrl(context.origin, currentOf(content)?.token ?? null) }),
  );
