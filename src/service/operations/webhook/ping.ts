import { type Handler, ok, refuse } from '../../context.ts';
import { findWebhook } from '../../store/webhooks.ts';

/** Extension: one attempt, now, of which nothing is written down. A disabled webhook is pinged as well. */
export const webhookPing: Handler<'webhook.ping'> = async (context, { params: { webhookId: id } }) => {
  const webhook = await context.read((db) => findWebhook(db, context.user.company_id, id));
  if (!webhook) return refuse('webhook_not_found', { id });
  const { ok: isOk, status, why, answer, durationMs } = await context.ping(webhook);
  return ok({
    id,
    endpoint: webhook.endpoint,
    ok: isOk,
    status,
    why,
    answer,
    duration_ms: Math.round(durationMs),
  });
};
