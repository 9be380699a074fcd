// Saves the content of a transaction as a reusable template of its company (assumed: A34), for the operation and the dashboard's form.
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { templateOf } from '../domain/templates.ts';
import { findUserById } from '../store/accounts.ts';
import { saveContent } from '../store/save-transaction.ts';
import { loadTransaction } from '../store/transactions.ts';

export type SavedAs = { name: string; description?: string | undefined };

/** @param where the transaction; without a company, one of any company */
export const saveTemplate = (
  context: RequestContext,
  where: { id: string; company_id?: string },
  { name, description }: SavedAs,
): Promise<Result<{ id: string }>> =>
  context.commit(async (db) => {
    const { keys } = context.store;
    const transaction = await loadTransaction(db, keys, where);
    const owner = transaction && (await findUserById(db, transaction.created_by_id));
    if (!transaction || !owner) return refuse('transaction_not_found', { id: where.id });
    const template = templateOf(transaction.content, name, description, owner, context.facts);
    await saveContent(db, keys, undefined, template);
    return ok({ id: template.id });
  });
