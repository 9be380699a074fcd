// How mail is sent, as whoever runs the service says it. The command line reads it from its configuration
// (`src/config/mail.ts`), which has checked it.
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
  /** For whoever has not chosen a language on their signing page. */
  language: Language;
  /** Undefined: mail stays in the mailbox of the service. */
  smtp: SmtpSettings | undefined;
};

/** Nothing leaves the service. `.test` can be nobody's domain (RFC 6761). */
export const STAYS_INSIDE: MailSettings = { from: 'no-reply@esign.test', language: 'en', smtp: undefined };
