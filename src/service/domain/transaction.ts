// Defines the transaction as the rules see it. Property names are the specification's; `cancelled` is a status of its own
// here and becomes the wire's `expired` only on its way out (assumed: A10).

import type { RemarkFacts } from '../../api/contract/documents.ts';
import type { EventOf } from '../../api/contract/events.ts';
import type { FieldType } from '../../api/contract/fields.ts';
import type { DateFormat, Language } from '../../api/contract/languages.ts';
import type { Refusal } from '../../api/contract/problems.ts';
import type { Role } from '../../api/contract/recipients.ts';
import type { Instant } from '../../common/instant.ts';
import type { Adoption } from './adoption.ts';

export type Status = 'draft' | 'started' | 'completed' | 'rejected' | 'expired' | 'cancelled';

export type Recipient = {
  id: string;
  role: Role;
  color: string;
  index: number;
  name: string;
  email: string;
  /** The token exists while it is the turn of the recipient (assumed: A38). */
  token: string | null;
  submitted_at: Instant | null;
  /** They first opened their signing page then. */
  opened_at: Instant | null;
  is_current: boolean;
  created_at: Instant;
  updated_at: Instant;
};

/** The size is that of the displayed page, in points (assumed: A18). */
export type DocumentPage = { id: string; file_id: string; width: number; height: number };

/** It says what could not be kept or shown of a document (assumed: A27). */
export type Remark = RemarkFacts;

/** The sender's program states what it did to a file before the upload. Pages count from 0. */
export type DocumentPreparation = {
  original: { sha256: string; bytes: number };
  removed_tags: { page: number; text: string }[];
  emptied_form_boxes: number;
  drawn_values: number;
};

export type Document = {
  id: string;
  index: number;
  file: { id: string; original_name: string; stored_name: string };
  pages: DocumentPage[];
  remarks: Remark[];
  /** It is null where nothing was stated. */
  preparation: DocumentPreparation | null;
};

export type Field = {
  id: string;
  document_id: string;
  recipient_id: string;
  page: number;
  width: number;
  height: number;
  positionX: number;
  positionY: number;
  type: FieldType;
  label: string;
  is_required: boolean;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  font_family: string;
  font_size: number;
  font_color: string;
  helper_text: string;
  max_length: number | null;
  min_length: number | null;
  max_value: number | null;
  min_value: number | null;
  regex: string | null;
  options: string[];
  /** The sender has filled in this text, or "today" for the date of signing; null where nothing is known. */
  known_value: string | null;
  /** The recipient cannot change the known value. */
  is_readonly: boolean;
  /** A date is written into the document in this form. */
  date_format: DateFormat;
  /** The names of the months of a date are in this language. */
  date_language: Language;
  /** The recipient has submitted this text; null before, and where an optional field was left empty. */
  value: string | null;
  /** It says how a signature or initials were adopted; null without a value. */
  adoption: Adoption | null;
};

/** A completed transaction has one for each document. The same evidence is in all of them. */
export type SealedDocument = {
  id: string;
  document_id: string;
  name: string;
  sha256: string;
  size_bytes: number;
  evidence_sha256: string;
  created_at: Instant;
};

/** Transactions and templates have the same content: texts, documents, recipients, fields. */
export type Content = {
  id: string;
  company_id: string;
  created_by_id: string;
  reusable: boolean;
  name: string;
  description: string;
  edit_navigation: boolean;
  email_alias: string;
  email_subject: string;
  email_body: string;
  created_at: Instant;
  updated_at: Instant;
  documents: Document[];
  recipients: Recipient[];
  fields: Field[];
};

export type Transaction = {
  id: string;
  company_id: string;
  created_by_id: string;
  /** This application made it; null for transactions from before that was recorded. */
  client_id: string | null;
  sender_id: string;
  status: Status;
  notification_endpoint: string | null;
  expiration_days: number | null;
  created_at: Instant;
  updated_at: Instant;
  sent_at: Instant | null;
  expires_at: Instant | null;
  expired_at: Instant | null;
  completed_at: Instant | null;
  rejected_at: Instant | null;
  rejected_reason: string | null;
  rejected_by_id: string | null;
  cancelled_at: Instant | null;
  cancelled_reason: string | null;
  cancelled_by_id: string | null;
  /**
   * The documents of the last signature could not be sealed at this time, for the reason below; null once they were.
   */
  sealing_failed_at: Instant | null;
  sealing_failed_reason: string | null;
  content: Content;
  /** They stand in the order of the documents; empty before the transaction is completed. */
  sealed_documents: SealedDocument[];
};

export type CompanyUser = { id: string; name: string; email: string };

/** A decision may use these beside the transaction and the user. */
export type DecisionContext = {
  now: Instant;
  newId: () => string;
  newToken: () => string;
};

export type Accepted = {
  ok: true;
  next: Transaction;
  events: EventOf[];
  /** This recipient has to act from now on, and gets an email. */
  invited?: Recipient | undefined;
};

export type Decision = Accepted | { ok: false; refusal: Refusal };

export const refusedWith = (refusal: Refusal): Decision => ({ ok: false, refusal });

/** Returns the transaction with other content, both updated now. */
export const withContent = (
  transaction: Transaction,
  content: Partial<Content>,
  now: Instant,
): Transaction => ({
  ...transaction,
  updated_at: now,
  content: { ...transaction.content, ...content, updated_at: now },
});
