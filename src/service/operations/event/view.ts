// Events, deliveries and attempts as the wire shows them.
import type { OutputOf } from '../../../api/contract/operations.ts';
import type { Delivery, DeliveryAttempt } from '../../store/deliveries.ts';

type Shown = OutputOf<'event.detail'>['deliveries'][number];

export const attemptView = ({
  at,
  ok,
  status,
  why,
  answer,
  duration_ms,
  next_at,
}: DeliveryAttempt): Shown['attempts'][number] => ({
  at,
  ok: ok === 1,
  status,
  why,
  answer,
  duration_ms,
  next_at,
});

/** @param webhooks endpoints of those that there are, by id */
export function deliveryView(
  { id, kind, endpoint, state, reason, created, due_at }: Delivery,
  attempts: readonly DeliveryAttempt[],
  webhooks: ReadonlyMap<string, string>,
): Shown {
  const isWebhook = kind === 'webhook';
  return {
    id,
    kind: isWebhook ? 'webhook' : 'notification',
    webhook_id: isWebhook && webhooks.has(endpoint) ? endpoint : null,
    endpoint: isWebhook ? (webhooks.get(endpoint) ?? null) : endpoint,
    state,
    reason,
    created,
    next_at: state === 'waiting' ? due_at : null,
    attempts: attempts.map(attemptView),
  };
}
