import type { EventType } from '../../../api/contract/events.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import type { OutputOf } from '../../../api/contract/operations.ts';
import { type Handler, ok, type RequestContext, refuse } from '../../context.ts';
import { countsOfEndpoint, lastAttemptsAt } from '../../store/deliveries.ts';
import type { Db } from '../../store/schema.ts';
import { findWebhook, shownWebhook, type Webhook } from '../../store/webhooks.ts';
import { attemptView } from '../event/view.ts';

/** Extension: how a webhook is doing (assumed: A30). */
export const webhookDetail: Handler<'webhook.detail'> = (context, { params: { webhookId: id } }) =>
  context.read(async (db) => {
    const webhook = await findWebhook(db, context.user.company_id, id);
    return webhook ? ok(await webhookView(db, webhook, context)) : refuse('webhook_not_found', { id });
  });

export async function webhookView(
  db: Db,
  webhook: Webhook,
  reader: Pick<RequestContext, 'isFromOwner'>,
): Promise<OutputOf<'webhook.detail'>> {
  const last = await lastAttemptsAt(db, webhook.id, LIMITS.attemptsShown);
  const { created_at, rotated_at, disabled_at, disabled_reason } = webhook;
  return {
    ...shownWebhook(webhook),
    created_at,
    rotated_at,
    disabled_at,
    disabled_reason,
    deliveries: await countsOfEndpoint(db, webhook.id),
    success_rate: last.length === 0 ? null : last.filter((one) => one.ok === 1).length / last.length,
    last_attempts: last.map((one) => ({
      ...attemptView(one, reader),
      event: { id: one.event_id, type: one.event_type as EventType },
    })),
  };
}
