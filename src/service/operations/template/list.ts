import { type Handler, ok } from '../../context.ts';
import { listTemplates } from '../../store/templates.ts';

/** spec §4 List templates. */
export const templateList: Handler<'template.list'> = async (context, { query }) => {
  const { items, meta } = await context.read((db) => listTemplates(db, context.user.company_id, query));
  return ok({ items: items.map(({ id, name }) => ({ id, name })), meta });
};
