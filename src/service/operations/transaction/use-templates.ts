import { refusal } from '../../../api/contract/problems.ts';
import { useTemplates } from '../../domain/templates.ts';
import { type Content, refuse } from '../../domain/transaction.ts';
import type { Handler } from '../../scene.ts';
import { loadTemplate } from '../../store/transactions.ts';
import { change } from './change.ts';
import { viewOf } from './view.ts';

/** spec §4 Use templates. */
export const useTemplatesInTransaction: Handler<'transaction.use_templates'> = (scene, { params, body }) =>
  change(
    scene,
    { id: params.transactionId, company_id: scene.user.company_id },
    async (transaction, db) => {
      const templates: Content[] = [];
      for (const { id } of body.templates) {
        const template = await loadTemplate(db, scene.store.keys, { id, company_id: scene.user.company_id });
        if (!template) return refuse(refusal('template_not_found', { id }));
        templates.push(template);
      }
      return useTemplates(transaction, templates, scene.user, scene.facts);
    },
    viewOf,
  );
