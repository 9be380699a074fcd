import { templateOf } from '../../domain/templates.ts';
import { answer, type Handler, no } from '../../scene.ts';
import { findUserById } from '../../store/accounts.ts';
import { loadTransaction, saveContent } from '../../store/transactions.ts';

/** assumed: A34, the content of a transaction as a reusable template of its company. */
export const saveTemplate: Handler<'sandbox.save_template'> = (scene, { params, body }) =>
  scene.commit(async (db) => {
    const { keys } = scene.store;
    const transaction = await loadTransaction(db, keys, { id: params.transactionId });
    const owner = transaction && (await findUserById(db, transaction.created_by_id));
    if (!transaction || !owner) return no('transaction_not_found', { id: params.transactionId });
    const template = templateOf(transaction.content, body.name, body.description, owner, scene.facts);
    await saveContent(db, keys, undefined, template);
    return answer({ id: template.id });
  });
