// Checks whether the mail server accepts connections and the login, and counts the emails that could not be delivered lately.
// Sends nothing.

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

/** Shorter than for a mail, because a person waits for the result. */
const LIMIT_MS = 15_000;

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
  const mailer = createMailer(smtp, { timeoutMs: LIMIT_MS });
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
