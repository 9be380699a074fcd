import { isDue } from '../../domain/end.ts';
import { answer, type Handler, no } from '../../scene.ts';
import { loadTransaction } from '../../store/transactions.ts';
import { settle } from './change.ts';
import { viewOf } from './view.ts';

/** spec §4 Transaction detail. One that is due is expired before it is shown. */
export const transactionDetail: Handler<'transaction.detail'> = async (scene, { params }) => {
  const where = { id: params.transactionId, company_id: scene.user.company_id };
  const seen = await scene.recall(`detail ${where.company_id} ${where.id}`, async (db) => {
    const transaction = await loadTransaction(db, scene.store.keys, where);
    if (!transaction) return undefined;
    const view = viewOf(transaction);
    return { transaction, view, encoded: Buffer.from(JSON.stringify(view)) };
  });
  if (!seen) return no('transaction_not_found', { id: where.id });
  if (!isDue(seen.transaction, scene.now)) return { ok: true, output: seen.view, encoded: seen.encoded };
  return scene.commit(async (db) => {
    const current = await loadTransaction(db, scene.store.keys, where);
    return current
      ? answer(viewOf(await settle(scene, db, current)))
      : no('transaction_not_found', { id: where.id });
  });
};
