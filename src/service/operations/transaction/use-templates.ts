import { refusal } from '../../../api/contract/problems.ts';
import { change } from '../../changes/change.ts';
import type { Handler } from '../../context.ts';
import { useTemplates } from '../../domain/templates.ts';
import { type Content, refusedWith } from '../../domain/transaction.ts';
import { loadTemplate } from '../../store/transactions.ts';
import { viewOf } from './view.ts';

/** spec §4 Use templates. */
export const useTemplatesInTransaction: Handler<'transaction.use_templates'> = (context, { params, body }) =>
  change(
    context,
    { id: params.transactionId, company_id: context.user.company_id },
    async (transaction, db) => {
      const templates: Content[] = [];
      for (const { id } of body.templates) {
        const template = await loadTemplate(db, context.store.keys, {
          id,
          company_id: context.user.company_id,
        });
        if (!template) return refusedWith(refusal('template_not_found', { id }));
        templates.push(template);
      }
      return useTemplates(transaction, templates, context.user, context.facts);
    },
    (transaction) => viewOf(context, transaction),
  );
