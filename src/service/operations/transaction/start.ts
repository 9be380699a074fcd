import { currentOf } from '../../domain/recipients.ts';
import { start } from '../../domain/start.ts';
import type { Handler } from '../../scene.ts';
import { change, signingUrl } from './change.ts';

/** spec §4 Start transaction: the signing address of the recipient who is pending. */
export const startTransaction: Handler<'transaction.start'> = (scene, { params }) =>
  change(
    scene,
    { id: params.transactionId, company_id: scene.user.company_id },
    (transaction) => start(transaction, scene.user, scene.facts),
    ({ content }) => ({ url: signingUrl(scene.origin, currentOf(content)?.token ?? null) }),
  );
