// Lists and shows the templates of a company, and saves the content of a transaction as one.
import { type Handlers, ok, type RequestContext, type Result, refuse } from '../context.ts';
import { templateOf } from '../domain/templates.ts';
import { findUserById } from '../store/accounts/accounts.ts';
import { listTemplates } from '../store/transactions/overviews.ts';
import { saveContent } from '../store/transactions/save-transaction.ts';
import { loadTemplate, loadTransaction } from '../store/transactions/transactions.ts';

export const templateHandlers: Handlers<'template'> = {
  /** spec §4 List templates. */
  'template.list': async (context, { query }) => {
    const { items, meta } = await context.read((db) => listTemplates(db, context.user.company_id, query));
    return ok({ items: items.map(({ id, name }) => ({ id, name })), meta });
  },

  /** spec §4 Get template. Each field is shown with the recipient who fills it. */
  'template.detail': async (context, { params }) => {
    const where = { id: params.templateId, company_id: context.user.company_id };
    const template = await context.read((db) => loadTemplate(db, context.store.keys, where));
    if (!template) return refuse('template_not_found', { id: params.templateId });
    const fields = template.fields.flatMap(({ id, label, type, recipient_id }) =>
      template.recipients
        .filter((recipient) => recipient.id === recipient_id)
        .map(({ id: recipientId, name, email, role }) => ({
          id,
          label,
          type,
          recipient: { id: recipientId, name, email, role },
        })),
    );
    const recipients = template.recipients.map(({ id, name, email, role, index }) => ({
      id,
      name,
      email,
      role,
      index,
    }));
    return ok({
      id: template.id,
      name: template.name,
      description: template.description,
      recipients,
      fields,
    });
  },
};

/**
 * Saves the content of a transaction as a reusable template of its company (assumed: A34).
 * @param where the transaction; without a company, one of any company
 */
export const saveTemplate = (
  context: RequestContext,
  where: { id: string; company_id?: string },
  { name, description }: { name: string; description?: string | undefined },
): Promise<Result<{ id: string }>> =>
  context.commit(async (db) => {
    const { keys } = context.store;
    const transaction = await loadTransaction(db, keys, where);
    const owner = transaction && (await findUserById(db, transaction.created_by_id));
    if (!transaction || !owner) return refuse('transaction_not_found', { id: where.id });
    const template = templateOf(transaction.content, name, description, owner, context);
    await saveContent(db, keys, undefined, template);
    return ok({ id: template.id });
  });
