// The content of a mail, as data: it is written in the commit that causes it, and becomes text when the mail is read or sent.
// It must import little, because every command that starts a transaction loads it.
import type { Instant } from '../../common/instant.ts';

export type MailMessage = {
  /** Name of the transaction; empty where it has none. */
  transaction: string;
  sender: { name: string; email: string };
  /** The sender's, with the addresses it shows to recipients. Letters of before have none. */
  company?: { name: string; imprint: string | null; privacy: string | null };
  isProxy: boolean;
  /** The reader did what the letter tells, or asks for it. Letters of before have none. */
  isOwn?: boolean;
  /** What the sender wrote. It is text and nothing else. */
  message: string;
  /** Names of the documents. */
  documents: string[];
  until: Instant | null;
  timeZone: string | null;
  /** The name of the recipient who rejected it, or of a colleague of the sender who cancelled it. */
  by: string | null;
  reason: string | null;
  /** Where the reader goes from here. The address of a signing page is a secret. */
  url: string | null;
  urlLeadsTo: 'signing' | 'documents' | 'dashboard';
};
