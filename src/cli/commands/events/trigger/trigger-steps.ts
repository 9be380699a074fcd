// The way to an event: what has to be done with a transaction, from where it stands, until the event has happened. Pure.
import type { EventType } from '../../../../api/contract/events.ts';
import { type CliError, cliError } from '../../../command/errors.ts';

export type TriggerStep = 'create' | 'fill' | 'start' | 'sign' | 'sign_all' | 'reject' | 'cancel' | 'expire';

/** What happens to a transaction that has been started. */
const FINAL_STEP: Partial<Record<EventType, TriggerStep>> = {
  recipient_submitted: 'sign',
  transaction_completed: 'sign_all',
  transaction_rejected: 'reject',
  transaction_cancelled: 'cancel',
  transaction_expired: 'expire',
};

/** Where a transaction stands, and whether a draft lacks documents or recipients. */
export type TransactionState = { id: string; outcome: string; isBare: boolean };

/**
 * @param from left out, a transaction is made
 * @throws CliError with exit 6 when nothing leads from there to the event
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
