import { update } from '../../domain/edit.ts';
import type { Handler } from '../../scene.ts';
import { change } from './change.ts';

/** spec §4 Update transaction metadata. */
export const updateTransaction: Handler<'transaction.update'> = (scene, { params, body }) =>
  change(
    scene,
    { id: params.transactionId, company_id: scene.user.company_id },
    (transaction) => update(transaction, body, scene.user, scene.facts),
    ({ id }) => ({ id }),
  );
