import { type Handler, ok } from '../../context.ts';
import { pingWebhook } from '../../sending/webhooks.ts';
import { responseView } from '../event/view.ts';

/** Extension: one attempt, now, of which nothing is written down. A disabled webhook is pinged as well. */
export const webhookPing: Handler<'webhook.ping'> = async (context, { params: { webhookId: id } }) => {
  const pinged = await pingWebhook(context, { id, company_id: context.user.company_id });
  if (!pinged.ok) return pinged;
  const { endpoint } = pinged.output.webhook;
  const { ok: isOk, status, durationMs, ...response } = pinged.output.attempt;
  const { why, answer } = responseView(response, context);
  return ok({ id, endpoint, ok: isOk, status, why, answer, duration_ms: Math.round(durationMs) });
};
