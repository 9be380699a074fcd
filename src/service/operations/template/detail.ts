import { type Handler, ok, refuse } from '../../context.ts';
import { loadTemplate } from '../../store/transactions.ts';

/** spec §4 Get template: its fields, each with the recipient who fills it. */
export const templateDetail: Handler<'template.detail'> = async (context, { params }) => {
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
  return ok({ id: template.id, name: template.name, description: template.description, recipients, fields });
};
