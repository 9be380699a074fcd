import { type Handler, ok, refuse } from '../../context.ts';
import { templateOf } from '../../domain/templates.ts';
import { findUserById } from '../../store/accounts.ts';
import { saveContent } from '../../store/save-transaction.ts';
import { loadTransaction } from '../../store/transactions.ts';

/** assumed: A34, the content of a transaction as a reusable template of its company. */
export const saveTemplate: Handler<'sandbox.save_template'> = (context, { params, body }) =>
  context.commit(async (db) => {
    const { keys } = context.store;
    const transaction = await loadTransaction(db, keys, { id: params.transactionId });
    const owner = transaction && (await findUserById(db, transaction.created_by_id));
    if (!transaction || !owner) return refuse('transaction_not_found', { id: params.transactionId });
    const template = templateOf(transaction.content, body.name, body.description, owner, context.facts);
    await saveContent(db, keys, undefined, template);
    return ok({ id: template.id });
  });
