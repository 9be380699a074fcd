// Ends a transaction without a recipient: cancelled by the sender's company, or expired (spec §3; A10, A16).
import type { Instant } from '../../common/instant.ts';
import { endTurns } from './recipients.ts';
import { nextState } from './states.ts';
import {
  type CompanyUser,
  type Decision,
  type DecisionContext,
  type Transaction,
  withContent,
} from './transaction.ts';

export function cancelStarted(
  transaction: Transaction,
  reason: string,
  user: Pick<CompanyUser, 'id'>,
  context: DecisionContext,
): Decision {
  const state = nextState(transaction, 'cancel');
  if (!state.ok) return state;
  const next: Transaction = {
    ...withContent(transaction, { recipients: endTurns(transaction.content.recipients) }, context.now),
    status: state.status,
    cancelled_at: context.now,
    cancelled_reason: reason,
    cancelled_by_id: user.id,
  };
  const data = {
    id: transaction.id,
    status: 'expired' as const,
    cancelled_reason: reason,
    cancelled_at: context.now,
  };
  return { ok: true, next, events: [{ type: 'transaction_cancelled', data }] };
}

export const isDue = (
  { status, expires_at }: Pick<Transaction, 'status' | 'expires_at'>,
  now: Instant,
): boolean => status === 'started' && expires_at !== null && expires_at <= now;

/** Expires a transaction whose time has come; `expired_at` is that moment, however late it is noticed. */
export function expire(transaction: Transaction, context: DecisionContext): Decision {
  const state = nextState(transaction, 'expire');
  if (!state.ok) return state;
  const expired_at = transaction.expires_at ?? context.now;
  const next: Transaction = {
    ...withContent(transaction, { recipients: endTurns(transaction.content.recipients) }, context.now),
    status: state.status,
    expired_at,
  };
  const data = {
    id: transaction.id,
    status: 'expired' as const,
    expiration_days: transaction.expiration_days,
    expired_at,
  };
  return { ok: true, next, events: [{ type: 'transaction_expired', data }] };
}
