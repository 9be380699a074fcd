// Defines the settings for sending mail. The command line reads and checks them (`src/config/sealing-and-mail.ts`).
import type { Language } from '../../api/contract/languages.ts';

export type SmtpSettings = {
  host: string;
  port: number;
  /** `starttls` and `tls` send nothing without encryption; `none` is for a server on this machine. */
  tls: 'starttls' | 'tls' | 'none';
  user?: string;
  /** It is a secret. */
  password?: string;
  /** Signs every message (RFC 6376). `key` is the path of a private key in PEM. */
  dkim?: { domain: string; selector: string; key: string };
  /** This file has certificates in PEM that are trusted beside those of the machine. */
  certificates?: string;
};

export type MailSettings = {
  /** Mail comes from this address. The name before it is that of the sender. */
  from: string;
  /** Recipients who have not chosen a language on their signing page get mail in this one. */
  language: Language;
  /** Without it, mail stays in the mailbox of the service. */
  smtp: SmtpSettings | undefined;
};

/** Mail that stays inside comes from this address. `.test` can never be a real domain (RFC 6761). */
export const STAYS_INSIDE: MailSettings = { from: 'no-reply@esign.test', language: 'en', smtp: undefined };
