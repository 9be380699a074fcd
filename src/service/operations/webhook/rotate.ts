import type { Handler } from '../../context.ts';
import { rotateWebhookSecret } from '../../sending/webhooks.ts';

/** Extension: the new secret is shown this once; for a day the one before signs as well (assumed: A30). */
export const webhookRotate: Handler<'webhook.rotate'> = (context, { params }) =>
  rotateWebhookSecret(context, { id: params.webhookId, company_id: context.user.company_id });
