import type { Handler } from '../../context.ts';
import { deleteWebhook as remove } from '../../sending/webhooks.ts';

/** Extension: the scope webhook:remove exists, the operation is not shown (assumed: A6). */
export const handleDeleteWebhook: Handler<'webhook.delete'> = (context, { params }) =>
  remove(context, { id: params.webhookId, company_id: context.user.company_id });
