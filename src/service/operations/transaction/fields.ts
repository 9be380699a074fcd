import { setFields } from '../../domain/edit.ts';
import type { Handler } from '../../scene.ts';
import { change } from './change.ts';

/** spec §4 Define fields. */
export const defineFields: Handler<'transaction.fields'> = (scene, { params, body }) =>
  change(
    scene,
    { id: params.transactionId, company_id: scene.user.company_id },
    (transaction) => setFields(transaction, body.fields, scene.facts),
    () => ({ updated: true }),
  );
