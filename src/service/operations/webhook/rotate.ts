import { later } from '../../../api/contract/instant.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { secretOf } from '../../../api/standard-webhooks.ts';
import { type Handler, ok, refuse } from '../../context.ts';
import { findWebhook, rotateWebhook } from '../../store/webhooks.ts';
import { WEBHOOK_SECRET_BYTES } from './create.ts';

/** Extension: the new secret is shown this once; for a day the one before signs as well (assumed: A30). */
export const webhookRotate: Handler<'webhook.rotate'> = (context, { params: { webhookId: id } }) =>
  context.commit(async (db) => {
    const webhook = await findWebhook(db, context.user.company_id, id);
    if (!webhook) return refuse('webhook_not_found', { id });
    const secret = secretOf(context.storeFacts.random(WEBHOOK_SECRET_BYTES));
    await rotateWebhook(db, webhook, context.store.keys.seal(secret), context.now);
    const previous_valid_until = later(context.now, LIMITS.previousSecretLifetimeMs);
    return ok({ id, secret, previous_valid_until });
  });
