// Decides who gets an email after a decision, and about what (assumed: A12, A32), and who may be reminded.
import type { MailKind } from '../../api/contract/events.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { type Refusal, refusal } from '../../api/contract/problems.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { addMs, epochMsOf, type Instant } from '../../common/instant.ts';
import { actorsOf, currentOf } from './recipients.ts';
import type { Accepted, Recipient, Transaction } from './transaction.ts';

export type Notice = { kind: MailKind; recipient: Recipient };

/** @param before undefined where the transaction was just created */
export function noticesOf(before: Transaction | undefined, { next, invited }: Accepted): Notice[] {
  if (invited) return [{ kind: 'invitation', recipient: invited }];
  if (before?.status !== 'started') return [];
  const to = (kind: MailKind, recipients: readonly Recipient[]): Notice[] =>
    onceEach(recipients, next).map((recipient) => ({ kind, recipient }));
  const invitees = before.content.recipients.filter(
    (recipient) => recipient.is_current || recipient.submitted_at !== null,
  );
  switch (next.status) {
    case 'completed':
      return to('completed', next.content.recipients);
    case 'rejected':
      return to('rejected', [...invitees, ...sendersOf(next)]);
    case 'cancelled':
      return to('cancelled', invitees);
    case 'expired':
      return to('expired', [...invitees, ...sendersOf(next)]);
    default:
      return [];
  }
}

const sendersOf = ({ content }: Transaction): Recipient[] =>
  content.recipients.filter(({ role }) => role === 'sender');

/**
 * Keeps each person once: a sender who signs under another role gets the mail of a signer alone. Two people who share a mailbox
 * get one each.
 */
function onceEach(recipients: readonly Recipient[], { content }: Transaction): Recipient[] {
  const acting = new Set(actorsOf(content).map(({ id }) => id));
  const inOrder = [...recipients].sort((a, b) => a.index - b.index);
  return inOrder.filter((notice, position) => {
    const others = inOrder.filter((other) => other !== notice && sameEmail(other.email, notice.email));
    if (notice.role === 'sender' && !acting.has(notice.id) && others.length > 0) return false;
    return !inOrder.slice(0, position).some((other) => others.includes(other) && other.name === notice.name);
  });
}

type Reminding = { ok: true; recipient: Recipient } | { ok: false; refusal: Refusal };

/** @param lastAt when they were reminded last */
export function checkReminder(
  { id, status, content }: Transaction,
  lastAt: Instant | undefined,
  now: Instant,
): Reminding {
  const recipient = currentOf(content);
  if (status !== 'started' || !recipient)
    return { ok: false, refusal: refusal('transaction_not_started', { id, status, action: 'reminded' }) };
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
