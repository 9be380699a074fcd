// Breaks deliveries of events on purpose, as faults of the sandbox say: lost, sent twice, out of order, or late.
import type { FaultKind } from '../../api/contract/sandbox/faults.ts';
import type { SandboxFaults } from '../sandbox/faults.ts';
import type { Delivery } from '../store/delivery/deliveries.ts';
import { type AttemptResult, failedAttempt } from './attempt.ts';

/** Sends an event by `post`, or does what a fault says instead. */
export type SendEvent = (
  delivery: Pick<Delivery, 'subject_id' | 'attempts' | 'created' | 'due_at'>,
  post: () => Promise<AttemptResult>,
) => Promise<AttemptResult>;

export const sendWithFaults =
  ({ strikeSending }: Pick<SandboxFaults, 'strikeSending'>): SendEvent =>
  async (delivery, post) => {
    const strike = await strikeSending(possibleFaults(delivery), `event ${delivery.subject_id}`);
    if (strike?.kind === 'webhook-drop')
      return failedAttempt('the fault webhook-drop of the sandbox dropped it', { isFinal: true });
    if (strike?.kind === 'webhook-reorder')
      return failedAttempt('the fault webhook-reorder of the sandbox lets later events overtake it');
    if (strike?.kind === 'webhook-delay')
      return failedAttempt('the fault webhook-delay of the sandbox delays it', {
        postponedMs: strike.lateByMs,
      });
    if (strike?.kind === 'webhook-duplicate') await post();
    return post();
  };

/** A delivery is delayed once and overtaken once, so that it arrives in the end. */
function possibleFaults({ attempts, created, due_at }: Parameters<SendEvent>[0]): FaultKind[] {
  const isFirst = attempts === 0;
  return [
    'webhook-drop',
    'webhook-duplicate',
    ...(isFirst ? (['webhook-reorder'] as const) : []),
    ...(isFirst && due_at <= created ? (['webhook-delay'] as const) : []),
  ];
}
