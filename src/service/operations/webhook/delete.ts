import { answer, type Handler, no } from '../../scene.ts';
import { deleteWebhook as deleteRow } from '../../store/lists.ts';

/** Extension: the scope webhook:remove exists, the operation is not shown (assumed: A6). */
export const deleteWebhook: Handler<'webhook.delete'> = (scene, { params }) =>
  scene.commit(async (db) => {
    const removed = await deleteRow(db, scene.user.company_id, params.webhookId);
    return removed ? answer({ removed }) : no('webhook_not_found', { id: params.webhookId });
  });
