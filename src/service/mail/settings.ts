// Settings for sending mail. The command line reads and checks them (`src/config/sealing-and-mail.ts`).
import type { Language } from '../../api/contract/languages.ts';

export type SmtpSettings = {
  host: string;
  port: number;
  /** `starttls` and `tls` send nothing without encryption; `none` is for a server on this machine. */
  tls: 'starttls' | 'tls' | 'none';
  user?: string;
  /** A secret. */
  password?: string;
  /** Signs every message (RFC 6376). `key` is the path of a private key in PEM. */
  dkim?: { domain: string; selector: string; key: string };
  /** Certificates in PEM that are trusted beside those of the machine, as a path. */
  certificates?: string;
};

export type MailSettings = {
  /** Address that mail comes from. The name before it is that of the sender. */
  from: string;
  /** The language of recipients who have not chosen one on their signing page. */
  language: Language;
  /** Undefined: mail stays in the mailbox of the service. */
  smtp: SmtpSettings | undefined;
};

/** The address for mail that stays inside. `.test` can never be a real domain (RFC 6761). */
export const STAYS_INSIDE: MailSettings = { from: 'no-reply@esign.test', language: 'en', smtp: undefined };
