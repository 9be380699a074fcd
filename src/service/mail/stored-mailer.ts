// Sends mails of the store by their ids, for the outbox. Loaded when the first mail is sent.
import type { AttemptResult } from '../outbox/attempt.ts';
import type { Store } from '../store/store.ts';
import { composeStored } from './compose.ts';
import type { MailSettings } from './settings.ts';
import { createMailer } from './smtp.ts';

export type StoredMailer = {
  send(mailId: string, signal: AbortSignal): Promise<AttemptResult>;
  close(): void;
};

export function createStoredMailer(store: Store, { smtp }: MailSettings): StoredMailer {
  const mailer = smtp && createMailer(smtp);
  return {
    async send(mailId, signal) {
      if (!mailer) return nothingSent('no mail server is configured');
      const composed = await composeStored(store, mailId);
      return composed
        ? mailer.send(composed, signal)
        : { ...nothingSent('the email no longer exists'), isFinal: true };
    },
    close: () => mailer?.close(),
  };
}

const nothingSent = (why: string): AttemptResult => ({
  ok: false,
  status: null,
  why,
  answer: '',
  durationMs: 0,
});
