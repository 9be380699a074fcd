// Plans the steps from the state of a transaction to an event. Pure.
import type { EventType } from '../../../../api/contract/events.ts';
import { type CliError, cliError } from '../../../command/errors.ts';

export type TriggerStep = 'create' | 'fill' | 'start' | 'sign' | 'sign_all' | 'reject' | 'cancel' | 'expire';

/** The last step to an event of a started transaction. */
const FINAL_STEP: Partial<Record<EventType, TriggerStep>> = {
  recipient_submitted: 'sign',
  transaction_completed: 'sign_all',
  transaction_rejected: 'reject',
  transaction_cancelled: 'cancel',
  transaction_expired: 'expire',
};

/** The state of a transaction, and whether a draft lacks documents or recipients. */
export type TransactionState = { id: string; outcome: string; isBare: boolean };

/**
 * Lists the steps to an event.
 * @param from the transaction; undefined to make a new one
 * @throws CliError with exit 6 when no steps lead from its state to the event
 */
export function triggerSteps(type: EventType, from: TransactionState | undefined): TriggerStep[] {
  const last = FINAL_STEP[type];
  const end = last ? [last] : [];
  if (!from) return type === 'transaction_created' ? ['create'] : ['create', 'fill', 'start', ...end];
  if (type === 'transaction_created') throw unreachable(type, from);
  if (from.outcome === 'draft') return [...(from.isBare ? (['fill'] as const) : []), 'start', ...end];
  if (from.outcome === 'started' && last) return end;
  throw unreachable(type, from);
}

function unreachable(type: EventType, { id, outcome }: TransactionState): CliError {
  return cliError('event_unreachable', { id, state: article(outcome), type });
}

const article = (outcome: string): string => (outcome === 'draft' ? 'a draft' : outcome);
