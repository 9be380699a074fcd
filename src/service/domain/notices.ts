// Decides who gets an email after a decision, and about what (assumed: A12, A32). Contains no texts and no URLs.
import type { MailKind } from '../../api/contract/events.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { actorsOf } from './recipients.ts';
import type { Accepted, Recipient, Transaction } from './transaction.ts';

export type Notice = { kind: MailKind; recipient: Recipient };

/** @param before undefined where the transaction was just created */
export function noticesOf(before: Transaction | undefined, { next, invited }: Accepted): Notice[] {
  if (invited) return [{ kind: 'invitation', recipient: invited }];
  if (before?.status !== 'started') return [];
  const to = (kind: MailKind, recipients: readonly Recipient[]): Notice[] =>
    onceEach(recipients, next).map((recipient) => ({ kind, recipient }));
  const asked = before.content.recipients.filter((one) => one.is_current || one.submitted_at !== null);
  switch (next.status) {
    case 'completed':
      return to('completed', next.content.recipients);
    case 'rejected':
      return to('rejected', [...asked, ...sendersOf(next)]);
    case 'cancelled':
      return to('cancelled', asked);
    case 'expired':
      return to('expired', [...asked, ...sendersOf(next)]);
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
  return inOrder.filter((one, position) => {
    const others = inOrder.filter((other) => other !== one && sameEmail(other.email, one.email));
    if (one.role === 'sender' && !acting.has(one.id) && others.length > 0) return false;
    return !inOrder.slice(0, position).some((other) => others.includes(other) && other.name === one.name);
  });
}
