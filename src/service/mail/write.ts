// Writes the mails of a decision, in the commit of the decision. They are composed when they are read or sent.
import { isLanguage } from '../../api/contract/languages.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import { type Notice, noticesOf } from '../domain/notices.ts';
import type { Accepted, DecisionContext, Recipient, Transaction } from '../domain/transaction.ts';
import { findCompanyById, findUserById, isVerified } from '../store/accounts/accounts.ts';
import { queueDelivery, SMTP } from '../store/delivery/deliveries.ts';
import { hasReachedMailLimit, insertMail } from '../store/delivery/mails.ts';
import type { EventOrigin } from '../store/delivery/records.ts';
import { rowsIn } from '../store/rows.ts';
import type { Db } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { insertLink } from '../store/transactions/signing.ts';
import type { MailMessage } from './letter.ts';
import { markOf, signingUrl, transactionUrl } from './links.ts';
import type { MailSettings } from './settings.ts';
import { loadMailWords, subjectOf } from './words.ts';

type MailWriting = {
  store: Pick<Store, 'keys' | 'deliveries'>;
  origin: string;
  newToken: DecisionContext['newToken'];
  mail: MailSettings;
};

export const writeMailsOf = (
  db: Db,
  writing: MailWriting,
  before: Transaction | undefined,
  decision: Accepted,
  at: EventOrigin,
): Promise<void> => writeMails(db, writing, decision.next, noticesOf(before, decision), at);

export async function writeMails(
  db: Db,
  writing: MailWriting,
  transaction: Transaction,
  notices: readonly Notice[],
  at: EventOrigin,
): Promise<void> {
  if (notices.length === 0) return;
  const attachments = attachmentsOf(transaction);
  const readers = await loadReaders(db, notices);
  const company = await findCompanyById(db, transaction.company_id);
  const author = await authorOf(db, transaction);
  const { company_id, created_by_id: user_id } = transaction;
  const isSent = writing.mail.smtp !== undefined;
  const reason = isSent ? await reasonToKeep(db, { company_id, user_id }, at.now) : undefined;
  for (const notice of notices) {
    const { kind, recipient } = notice;
    const reader = readers.get(recipient.id);
    const language = isLanguage(reader?.language) ? reader.language : writing.mail.language;
    const words = await loadMailWords(language);
    const { content } = transaction;
    const sender = senderOf(transaction);
    const subject = subjectOf(
      kind,
      { transaction: content.name, email_subject: content.email_subject },
      words,
    );
    const isAttached = kind === 'completed' && attachments.length > 0;
    const letter: MailMessage = {
      ...mailMessageOf(notice, transaction, author),
      ...(company && {
        company: { name: company.name, imprint: company.imprint_url, privacy: company.privacy_url },
      }),
      timeZone: reader?.time_zone ?? null,
      ...(await nextLink(db, writing, transaction, notice, { isAttached, at })),
    };
    const id = await insertMail(
      db,
      writing.store.keys,
      {
        recipient_id: recipient.id,
        kind,
        language,
        from: { name: content.email_alias || sender.name, email: writing.mail.from },
        replyTo: sameEmail(sender.email, recipient.email) ? undefined : sender,
        to: { name: recipient.name, email: recipient.email },
        subject,
        letter,
        attachments: isAttached ? attachments : [],
      },
      at,
    );
    // Without a server, the mailbox is where it arrives.
    if (isSent)
      await queueDelivery(
        writing.store,
        db,
        { ...at, id },
        { kind: 'mail', endpoint: SMTP, client_id: null },
        at,
        reason,
      );
  }
}

type Person = MailMessage['sender'];

function senderOf({ content }: Transaction): Person {
  const sender = content.recipients.find(({ role }) => role === 'sender');
  return { name: sender?.name ?? '', email: sender?.email ?? '' };
}

/** Finds whom the letter speaks of: the sender, or a colleague of the sender who has cancelled. */
async function authorOf(db: Db, transaction: Transaction): Promise<Person> {
  const { cancelled_by_id, sender_id } = transaction;
  const isColleague = cancelled_by_id !== null && cancelled_by_id !== sender_id;
  return (isColleague && (await findUserById(db, cancelled_by_id))) || senderOf(transaction);
}

/** Returns true if the reader rejected it, or is the person that the letter speaks of. Two people may share a mailbox. */
function isOwn({ kind, recipient }: Notice, { rejected_by_id }: Transaction, author: Person): boolean {
  if (kind === 'rejected') return recipient.id === rejected_by_id;
  return sameEmail(author.email, recipient.email) && author.name === recipient.name;
}

function mailMessageOf(
  notice: Notice,
  transaction: Transaction,
  author: Person,
): Omit<MailMessage, 'url' | 'urlLeadsTo' | 'timeZone'> {
  const { kind, recipient } = notice;
  const { content } = transaction;
  const isAsked = kind === 'invitation' || kind === 'reminder';
  const sender = senderOf(transaction);
  const isOfColleague = kind === 'cancelled' && !sameEmail(author.email, sender.email);
  const rejecter = content.recipients.find(({ id }) => id === transaction.rejected_by_id);
  return {
    transaction: content.name,
    sender,
    isProxy: recipient.role === 'proxy',
    ...(isOwn(notice, transaction, author) && { isOwn: true }),
    message: isAsked ? content.email_body : '',
    documents: [...content.documents].sort((a, b) => a.index - b.index).map(({ file }) => file.original_name),
    until: isAsked || kind === 'expired' ? transaction.expires_at : null,
    by: kind === 'rejected' ? (rejecter?.name ?? null) : isOfColleague ? author.name : null,
    reason:
      kind === 'rejected'
        ? transaction.rejected_reason
        : kind === 'cancelled'
          ? transaction.cancelled_reason
          : null,
  };
}

type NextLink = Pick<MailMessage, 'url' | 'urlLeadsTo'>;

/**
 * Makes the link of a mail. A sender who does not sign gets a link to the dashboard; the others get links to their own
 * signing pages only.
 */
async function nextLink(
  db: Db,
  { store, origin, newToken }: MailWriting,
  { id }: Transaction,
  { kind, recipient }: Notice,
  { isAttached, at }: { isAttached: boolean; at: EventOrigin },
): Promise<NextLink> {
  if (kind === 'invitation' || kind === 'reminder')
    return { url: invitationUrl(store.keys, origin, recipient.token), urlLeadsTo: 'signing' };
  if (recipient.role === 'sender') return { url: transactionUrl(origin, id), urlLeadsTo: 'dashboard' };
  if (kind !== 'completed' || isAttached) return { url: null, urlLeadsTo: 'documents' };
  // The token they signed with is no longer stored. Another one only shows how things stand.
  const token = newToken();
  await insertLink(db, recipient.id, token, at.now);
  return { url: signingUrl(origin, token), urlLeadsTo: 'documents' };
}

const invitationUrl = (keys: Store['keys'], origin: string, token: string | null): string =>
  signingUrl(origin, token, token === null ? undefined : markOf(keys, token, { by: 'email' }));

/** Lists the ids of the sealed documents, where a mail can carry them together. */
function attachmentsOf({ sealed_documents }: Transaction): string[] {
  const bytes = sealed_documents.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return bytes <= LIMITS.mailAttachmentBytes ? sealed_documents.map(({ id }) => id) : [];
}

type Reader = { language: string | null; time_zone: string | null };

/** Loads the languages that recipients chose on their signing pages. An invited recipient has had no link before. */
async function loadReaders(db: Db, notices: readonly Notice[]): Promise<Map<string, Reader>> {
  const ids = notices
    .filter(({ kind }) => kind !== 'invitation')
    .map(({ recipient }: { recipient: Recipient }) => recipient.id);
  const rows = await rowsIn(db, 'signing', 'recipient_id', ids, 'recipient_id');
  return new Map(rows.map((row) => [row.recipient_id, row]));
}

type MailSender = { company_id: string; user_id: string };

/** @returns why no email of this sender leaves now, as the end of a sentence */
async function reasonToKeep(
  db: Db,
  { company_id, user_id }: MailSender,
  now: Instant,
): Promise<string | undefined> {
  if (!(await isVerified(db, user_id)))
    return 'the sender has not been verified. The owner of a sandbox does so with `esign sandbox users verify EMAIL`, the operator of a server with `esign serve user password EMAIL`';
  const since = addMs(now, -LIMITS.mailHourMs);
  // Another process may have written mails a moment after this one read the clock.
  const furthest = addMs(now, LIMITS.mailHourMs);
  return (await hasReachedMailLimit(db, { company_id, since, furthest, most: LIMITS.mailsPerHour }))
    ? `the company of the sender has reached the limit of ${LIMITS.mailsPerHour} emails an hour. Send a reminder later`
    : undefined;
}
