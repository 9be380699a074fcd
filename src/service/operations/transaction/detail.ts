import { isDue } from '../../domain/end.ts';
import { answer, type Handler, no } from '../../scene.ts';
import { loadTransaction } from '../../store/transactions.ts';
import { settle } from './change.ts';
import { viewOf } from './view.ts';

/** spec §4 Transaction detail. One that is due is expired before it is shown. */
export const transactionDetail: Handler<'transaction.detail'> = async (scene, { params }) => {
  const where = { id: params.transactionId, company_id: scene.user.company_id };
  const transaction = await scene.read((db) => loadTransaction(db, scene.store.keys, where));
  if (!transaction) return no('transaction_not_found', { id: where.id });
  if (!isDue(transaction, scene.now)) return answer(viewOf(transaction));
  return scene.commit(async (db) => {
    const current = await loadTransaction(db, scene.store.keys, where);
    return current ? answer(viewOf(await settle(scene, db, current))) : no('transaction_not_found', { id: where.id });
  });
};
