import { cancel } from '../../domain/end.ts';
import type { Handler } from '../../scene.ts';
import { change } from './change.ts';

/** spec §4 Cancel transaction. Any user of the company may (spec §6 transaction_cancelled). */
export const cancelTransaction: Handler<'transaction.cancel'> = (scene, { params, body }) =>
  change(
    scene,
    { id: params.transactionId, company_id: scene.user.company_id },
    (transaction) => cancel(transaction, body.cancelled_reason, scene.user, scene.facts),
    () => ({ cancelled: true }),
  );
