// Checks for the operator whether the mail server accepts connections and the login, and counts the emails that could not be delivered
// lately, which sends nothing. A trial letter tries whether mail arrives; it is not stored.
import MailComposer from 'nodemailer/lib/mail-composer';
import { LIMITS } from '../../api/contract/limits.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import { countUndeliveredMails } from '../store/delivery/deliveries.ts';
import type { Store } from '../store/store.ts';
import type { MailSettings } from './settings.ts';
import { createMailer } from './smtp.ts';

export type MailFinding = {
  state: 'ok' | 'warn' | 'fail';
  says: string;
  hint?: string;
  /** The mail server does not answer now, and has not refused the settings. */
  isTemporary?: boolean;
};

/** A person waits for the result, so the limit is shorter than for a mail. */
const CHECK_MS = 15_000;

/** Checks the server, and the deliveries of the last week. */
export async function checkMailDelivery(
  settings: MailSettings,
  { database }: Pick<Store, 'database'>,
  now: Instant,
  isSandbox: boolean,
): Promise<MailFinding> {
  const finding = await checkSmtp(settings);
  if (finding.state !== 'ok' || !settings.smtp) return finding;
  const count = await database.read((db) =>
    countUndeliveredMails(db, addMs(now, -UNDELIVERED_DAYS * LIMITS.dayMs)),
  );
  if (count === 0) return finding;
  const emails = count === 1 ? '1 email' : `${count} emails`;
  return {
    state: 'warn',
    says: `${finding.says} ${emails} of the last ${UNDELIVERED_DAYS} days could not be delivered.`,
    hint: isSandbox
      ? 'List them with `esign sandbox mailbox list`, and send one again with `esign tx remind ID`.'
      : 'Their senders see them with the transaction, in the dashboard and with `esign tx show ID`, and send one again with `esign tx remind ID`.',
  };
}

const UNDELIVERED_DAYS = 7;

export async function checkSmtp({ smtp, from }: MailSettings): Promise<MailFinding> {
  if (!smtp)
    return { state: 'ok', says: 'Emails are stored in the mailbox of the sandbox and not delivered.' };
  const mailer = createMailer(smtp, { timeoutMs: CHECK_MS });
  try {
    const { ok, why, isFinal } = await mailer.check();
    if (ok) return { state: 'ok', says: `Emails are sent through ${smtp.host}:${smtp.port}, from ${from}.` };
    return {
      state: 'fail',
      says: `Emails cannot be sent: ${why}.`,
      hint: 'Check mail.smtp, mail.tls, mail.user and the password. `esign help config` describes these settings.',
      ...(!isFinal && { isTemporary: true }),
    };
  } finally {
    mailer.close();
  }
}

type TrialLetter = {
  /** The email address was checked before. */
  to: string;
  origin: string;
  id: string;
};

/** A person waits for the result, so the limit is shorter than for a mail of the service. */
const TRIAL_MS = 20_000;

/** @returns whether the mail server took the letter. Only its recipient knows whether it arrived. */
export async function sendTrialLetter(
  { smtp, from }: MailSettings,
  { to, origin, id }: TrialLetter,
): Promise<MailFinding> {
  if (!smtp) return { state: 'fail', says: 'No mail server is set, so no letter was sent.' };
  const composer = new MailComposer({
    from,
    to,
    subject: 'Test email of esign',
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: `This email was sent by \`esign serve --check --mail-to\` to test the mail server of\n${origin}\n\nYou can delete it.\n`,
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const mailer = createMailer(smtp, { timeoutMs: TRIAL_MS });
  try {
    const message = await composer.compile().build();
    const { ok, why } = await mailer.send({ id, envelope: { from, to }, message });
    if (!ok)
      return { state: 'fail', says: `The letter to ${to} was not sent: ${why}.`, hint: CHECK_SETTINGS };
    return { state: 'ok', says: `${smtp.host}:${smtp.port} took a letter from ${from} to ${to}.` };
  } finally {
    mailer.close();
  }
}

const CHECK_SETTINGS =
  'Check ESIGN_SERVE_MAIL_FROM, and whether the mail server lets this sender write to this recipient.';
