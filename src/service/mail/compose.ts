// Composes a stored mail as a message (RFC 5322, MIME), always with the same bytes, so that a second delivery can be
// recognised.
import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import { mailDateOf } from '../../common/instant.ts';
import { attachmentsOf, findMail, type MailPerson } from '../store/delivery/mails.ts';
import type { Store } from '../store/store.ts';
import { type Mail, type MailMessage, renderMailHtml, renderMailText } from './letter.ts';
import { headerText } from './words.ts';

export type ComposedMail = {
  /** The row of the mail has this id. */
  id: string;
  /**
   * The envelope has sender and recipient, which the server uses whatever the headers say. The sender receives the bounces.
   */
  envelope: { from: string; to: string };
  /** The headers are in it as well; its lines end with CR LF. */
  message: Uint8Array;
};

/**
 * @param change what is shown differently from what is sent
 * @returns undefined where there is no such mail. @throws when a sealed document that it carries is missing or was changed
 */
export async function composeStored(
  store: Pick<Store, 'database' | 'keys' | 'blobs'>,
  mailId: string,
  change: (mail: Mail) => Mail = (mail) => mail,
): Promise<ComposedMail | undefined> {
  const stored = await store.database.read(async (db) => {
    const mail = await findMail<MailMessage>(db, store.keys, mailId);
    return mail && { mail, attached: await attachmentsOf(db, mail.attachments) };
  });
  if (!stored) return undefined;
  const files: AttachedFile[] = [];
  for (const { name, sha256 } of stored.attached)
    files.push({ name, bytes: await store.blobs.get(sha256, `"${name}"`) });
  return composeMail(change(stored.mail), files);
}

export type AttachedFile = { name: string; bytes: Uint8Array };

export async function composeMail(mail: Mail, files: readonly AttachedFile[]): Promise<ComposedMail> {
  const composer = new MailComposer({
    from: addressOf(mail.from),
    to: addressOf(mail.to),
    ...(mail.replyTo && { replyTo: addressOf(mail.replyTo) }),
    subject: headerText(mail.subject),
    date: mailDateOf(mail.created),
    messageId: messageIdOf(mail),
    inReplyTo: threadOf(mail),
    references: threadOf(mail),
    headers: {
      // RFC 3834: automatic responders do not answer this.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      'Content-Language': mail.language,
    },
    text: await renderMailText(mail),
    html: await renderMailHtml(mail),
    attachments: files.map(({ name, bytes }) => ({
      filename: headerText(name),
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      contentType: 'application/pdf',
    })),
    // This line stands between parts; otherwise it would be random.
    baseBoundary: mail.id,
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    id: mail.id,
    envelope: { from: asciiAddress(mail.from.email), to: asciiAddress(mail.to.email) },
    message: await composer.compile().build(),
  };
}

/** Writes an address; an empty name is omitted: `<ada@example.com>`. */
const addressOf = ({ name, email }: MailPerson) => ({ name: headerText(name), address: asciiAddress(email) });

/**
 * Writes a domain in ASCII: in another script it travels as ASCII (RFC 5891); a name before the @ in one needs servers that
 * know SMTPUTF8.
 */
function asciiAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = domainToASCII(email.slice(at + 1));
  return domain === '' ? email : `${email.slice(0, at)}@${domain}`;
}

/**
 * Makes the id of a message, which is the same whenever the mail is sent, so that duplicates can be recognised (RFC 5322
 * §3.6.4).
 */
const messageIdOf = ({ id, from }: Mail): string => `<${id}@${domainOf(from.email)}>`;

/**
 * Makes the id of a message that was never sent, which all mails about a transaction answer to, so that programs show them
 * together.
 */
const threadOf = ({ transaction_id, from }: Mail): string =>
  `<transaction.${transaction_id}@${domainOf(from.email)}>`;

const domainOf = (email: string): string =>
  domainToASCII(email.slice(email.lastIndexOf('@') + 1)) || 'esign.test';
