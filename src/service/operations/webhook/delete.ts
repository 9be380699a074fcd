import { type Handler, ok, refuse } from '../../context.ts';
import { deleteWebhook as deleteRow } from '../../store/webhooks.ts';

/** Extension: the scope webhook:remove exists, the operation is not shown (assumed: A6). */
export const deleteWebhook: Handler<'webhook.delete'> = (context, { params }) =>
  context.commit(async (db) => {
    const removed = await deleteRow(db, context.user.company_id, params.webhookId, context.now);
    return removed ? ok({ removed }) : refuse('webhook_not_found', { id: params.webhookId });
  });
