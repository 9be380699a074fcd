// What the evidence says about the emails that asked a recipient to sign: to which address each was written, which mail server took it and with
// which answer, or why none did. What became of a mail after a server took it is not known: a bounce goes to the sender's address.
import type { Instant } from '../../common/instant.ts';
import type { EvidenceStep } from '../../pdf/certificate/evidence.ts';
import type { AskingMail } from '../store/mails.ts';

export type MailEntry = EvidenceStep & { person_id: string };

/** Where mail stays that no server is asked to take, such as "the mailbox of the sandbox". */
export type Mailbox = 'the mailbox of the sandbox' | 'the mailbox of the service';

/**
 * The entries in the order of their times, up to `until`.
 * @param until when the transaction was completed
 */
export const mailEntriesOf = (mails: readonly AskingMail[], mailbox: Mailbox, until: Instant): MailEntry[] =>
  mails
    .flatMap((mail) => entriesOf(mail, mailbox))
    .filter(({ at }) => at <= until)
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));

function entriesOf(
  { id, recipient_id, kind, to, from, created, delivery }: AskingMail,
  mailbox: Mailbox,
): MailEntry[] {
  const mail = { kind, to, mail_id: id };
  const entry = (type: string, at: Instant, details: EvidenceStep['details']): MailEntry => ({
    type,
    at,
    person_id: recipient_id,
    details: { ...mail, ...details },
  });
  if (!delivery) return [entry('email_kept', created, { from, kept_in: mailbox })];
  const written = entry('email_written', created, { from });
  const { state, reason, done_at, attempt } = delivery;
  if (state === 'waiting' || done_at === null) return [written];
  const asked = attempt && { server: attempt.server, answer: attempt.answer };
  if (state === 'delivered') return [written, entry('email_accepted', attempt?.at ?? done_at, { ...asked })];
  const why = { reason: reason ?? 'it failed' };
  return attempt
    ? [written, entry('email_failed', attempt.at, { ...asked, ...why })]
    : [written, entry('email_not_sent', done_at, why)];
}
