// Sends a letter that an operator asked for, to try whether mail arrives. It is not stored.
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailFinding } from './check-smtp.ts';
import type { MailSettings } from './settings.ts';
import { createMailer } from './smtp.ts';

export type TrialLetter = {
  /** An email address, checked before. */
  to: string;
  /** The address of the service. */
  origin: string;
  id: string;
};

/** Shorter than for a mail of the service, because a person waits for the result. */
const LIMIT_MS = 20_000;

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
  const mailer = createMailer(smtp, { timeoutMs: LIMIT_MS });
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
