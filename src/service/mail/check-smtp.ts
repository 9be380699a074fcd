// Tries whether the mail server takes connections and the login. Sends nothing.
import type { MailSettings } from './settings.ts';
import { createMailer } from './smtp.ts';

export type MailFinding = { state: 'ok' | 'fail'; says: string; wayOut?: string };

/** Shorter than for a mail: somebody waits. */
const LIMIT_MS = 6000;

export async function checkSmtp({ smtp, from }: MailSettings): Promise<MailFinding> {
  if (!smtp)
    return { state: 'ok', says: 'Emails are stored in the mailbox of the sandbox and not delivered.' };
  const mailer = createMailer(smtp, { timeoutMs: LIMIT_MS });
  try {
    const { ok, why } = await mailer.check();
    if (ok) return { state: 'ok', says: `Emails are sent through ${smtp.host}:${smtp.port}, from ${from}.` };
    return {
      state: 'fail',
      says: `Emails cannot be sent: ${why}.`,
      wayOut:
        'Check mail.smtp, mail.tls, mail.user and the password. `esign help config` describes these settings.',
    };
  } finally {
    mailer.close();
  }
}
