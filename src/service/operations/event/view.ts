// Shows events, deliveries and attempts in the form of the wire.
import type { OutputOf } from '../../../api/contract/operations.ts';
import type { RequestContext } from '../../context.ts';
import { reasonForOthers } from '../../domain/redirect-reason.ts';
import type { Delivery, DeliveryAttempt } from '../../store/deliveries.ts';

type Shown = OutputOf<'event.detail'>['deliveries'][number];

/** Who asks. What receivers responded is shown to the owner of the machine only (decision 0038). */
type Reader = Pick<RequestContext, 'isFromOwner'>;

export const attemptView = (
  { at, ok, status, why, answer, duration_ms, next_at }: DeliveryAttempt,
  reader: Reader,
): Shown['attempts'][number] => ({
  at,
  ok: ok === 1,
  status,
  ...responseView({ why, answer }, reader),
  duration_ms,
  next_at,
});

/** The texts of one attempt that come from the receiver, or may. */
export const responseView = (
  { why, answer }: { why: string | null; answer: string },
  { isFromOwner }: Reader,
): { why: string | null; answer: string } =>
  isFromOwner ? { why, answer } : { why: why === null ? null : reasonForOthers(why), answer: '' };

/** @param webhooks endpoints of those that there are, by id */
export function deliveryView(
  { id, kind, endpoint, state, reason, created, due_at }: Delivery,
  attempts: readonly DeliveryAttempt[],
  webhooks: ReadonlyMap<string, string>,
  reader: Reader,
): Shown {
  const isWebhook = kind === 'webhook';
  return {
    id,
    kind: isWebhook ? 'webhook' : 'notification',
    webhook_id: isWebhook && webhooks.has(endpoint) ? endpoint : null,
    endpoint: isWebhook ? (webhooks.get(endpoint) ?? null) : endpoint,
    state,
    reason: responseView({ why: reason, answer: '' }, reader).why,
    created,
    next_at: state === 'waiting' ? due_at : null,
    attempts: attempts.map((attempt) => attemptView(attempt, reader)),
  };
}
