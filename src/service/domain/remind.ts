// Decides whether the current recipient may be reminded: of a started transaction only, and not again within a minimum time.

import { LIMITS } from '../../api/contract/limits.ts';
import { type Refusal, refusal } from '../../api/contract/problems.ts';
import { addMs, epochMsOf, type Instant } from '../../common/instant.ts';
import { currentOf } from './recipients.ts';
import type { Recipient, Transaction } from './transaction.ts';

export type Reminding = { ok: true; recipient: Recipient } | { ok: false; refusal: Refusal };

/** @param lastAt when they were reminded last */
export function checkReminder(
  { id, status, content }: Transaction,
  lastAt: Instant | undefined,
  now: Instant,
): Reminding {
  const recipient = currentOf(content);
  if (status !== 'started' || !recipient)
    return { ok: false, refusal: refusal('transaction_not_started', { id, status, what: 'reminded' }) };
  // A clock that was set back blocks reminders no longer than twice the pause between them. A reminder that lies a little in the
  // future was sent by another process a moment ago.
  const counts = lastAt !== undefined && lastAt <= addMs(now, LIMITS.remindEveryMs);
  const again = counts ? addMs(lastAt, LIMITS.remindEveryMs) : now;
  if (again <= now) return { ok: true, recipient };
  const wait_seconds = Math.ceil((epochMsOf(again) - epochMsOf(now)) / 1000);
  return {
    ok: false,
    refusal: refusal('reminded_recently', { email: recipient.email, at: again, wait_seconds }),
  };
}
