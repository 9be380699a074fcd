// Collects the evidence that a sealed document contains: its transaction, and what happened in order. It is built from
// rows; `pdf/certificate/evidence.ts` links the entries.
import type { Instant } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import type {
  EvidenceBase,
  EvidenceDocument,
  EvidenceField,
  EvidencePreparation,
  EvidenceStep,
  FileHash,
} from '../../pdf/write/certificate/evidence.ts';
import { isDateOfSigning, isOfSender, writtenValue } from '../domain/known-value.ts';
import type { Document, DocumentPreparation, Field, Transaction } from '../domain/transaction.ts';
import type { AskingMail } from '../store/delivery/mails.ts';
import type { FileRow } from '../store/documents/files.ts';
import type { AuditEntry } from '../store/transactions/signing.ts';

/** The `content` is the PDF with the values in it. */
export type StampedDocument = { document: Document; file: FileRow; content: FileHash };

export type EvidenceOrigin = { company: string; service: string; creator: string };

export function factsOf(
  { content, ...transaction }: Transaction,
  documents: readonly StampedDocument[],
  { company, service }: EvidenceOrigin,
): EvidenceBase {
  const { id, created_at, sent_at, completed_at } = transaction;
  return {
    format: 'esign-evidence',
    version: 1,
    transaction: { id, name: wellFormed(content.name), company, service, created_at, sent_at, completed_at },
    documents: documents.map(documentOf),
    people: [...content.recipients]
      .sort((a, b) => a.index - b.index)
      .map(({ id, name, email, role, index }) => ({ id, name: wellFormed(name), email, role, index })),
    fields: content.fields.map(fieldOf),
  };
}

const documentOf = ({ document, file, content }: StampedDocument): EvidenceDocument => ({
  id: document.id,
  name: wellFormed(document.file.original_name),
  media_type: file.media_type,
  pages: document.pages.length,
  original: { sha256: file.original_sha256, bytes: file.size_bytes },
  ...(document.preparation && { preparation: statedBySender(document.preparation) }),
  content,
  remarks: document.remarks.map(({ code, page, what, text }) => ({
    code,
    ...(page !== undefined && { page }),
    ...(what !== undefined && { what: wellFormed(what) }),
    ...(text !== undefined && { text: wellFormed(text) }),
  })),
});

const statedBySender = ({
  original,
  removed_tags,
  emptied_form_boxes,
  drawn_values,
}: DocumentPreparation): EvidencePreparation => ({
  stated_by: 'sender',
  original: { sha256: original.sha256, bytes: original.bytes },
  removed_tags: removed_tags.map(({ page, text }) => ({ page, text: wellFormed(text) })),
  emptied_form_boxes,
  drawn_values,
});

function fieldOf(field: Field): EvidenceField {
  const { id, document_id, recipient_id, type, label, page, width, height, value, adoption } = field;
  const { positionX: x, positionY: y } = field;
  const place = { id, document_id, recipient_id, type, label: wellFormed(label), page, x, y, width, height };
  const picture = adoption && pictureIn(value);
  if (picture) return { ...place, ...adoption, picture_sha256: sha256Of(picture) };
  const written = value === null ? null : writtenValue(field, value);
  return {
    ...place,
    ...adoption,
    value: value === null ? null : wellFormed(value),
    ...(written !== null && written !== value && { written }),
    ...(isOfSender(field, value) && { filled_in_by: 'sender' as const }),
    ...(isDateOfSigning(field) && value !== null && { filled_in_by: 'service' as const }),
  };
}

/** Returns the PNG of a signature that was drawn or uploaded. */
function pictureIn(value: string | null): Uint8Array | undefined {
  const [, base64] = /^data:image\/png;base64,(.+)$/.exec(value ?? '') ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** Makes the record of what happened, in order. */
export function evidenceSteps(
  { created_at, sent_at, completed_at }: Transaction,
  audit: readonly AuditEntry[],
  mails: readonly EvidenceStep[],
  { creator }: EvidenceOrigin,
): EvidenceStep[] {
  const by = (type: string, at: string | null, details: EvidenceStep['details']): EvidenceStep[] =>
    at === null ? [] : [{ type, at, person_id: null, details }];
  return [
    ...by('created', created_at, { by: creator }),
    ...by('started', sent_at, {}),
    ...mergeByTime(audit.map(stepOf), mails.map(wellFormedStep)),
    ...by('completed', completed_at, {}),
  ];
}

const stepOf = ({ type, created, recipient_id, subject, details }: AuditEntry): EvidenceStep => ({
  // The type says what was opened.
  type: type === 'opened' ? 'link_opened' : type,
  at: created,
  person_id: recipient_id,
  details: {
    ...wellFormedDetails(details),
    ...(type === 'filled' && { field_id: subject }),
    ...((type === 'page_delivered' || type === 'page_in_view') && {
      page_id: subject.split(' ')[0] ?? subject,
    }),
  },
});

const wellFormedDetails = (details: EvidenceStep['details']): EvidenceStep['details'] =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, value === null ? null : wellFormed(value)]),
  );

const wellFormedStep = (step: EvidenceStep): EvidenceStep => ({
  ...step,
  details: wellFormedDetails(step.details),
});

type TimedStep = { at: string; person_id?: string | null };

/**
 * Puts emails among what people did, whose order is kept whatever their times say: each before what happened later, and before what its
 * recipient did in the same moment.
 */
export function mergeByTime<T extends TimedStep>(done: readonly T[], mails: readonly T[]): T[] {
  const isLater = (step: T, mail: T) =>
    step.at > mail.at || (step.at === mail.at && step.person_id === mail.person_id);
  const merged = [...done];
  for (const mail of mails) {
    const place = merged.findIndex((step) => !mails.includes(step) && isLater(step, mail));
    merged.splice(place === -1 ? merged.length : place, 0, mail);
  }
  return merged;
}

// --- Emails ---

export type MailEntry = EvidenceStep & { person_id: string };

/** Mail stays in the mailbox where no server is asked to take it. */
export type Mailbox = 'the mailbox of the sandbox' | 'the mailbox of the service';

/**
 * Says about the emails that asked a recipient to sign: to which address each was written, which mail server took it and with which answer,
 * or why none did. What became of a mail after a server took it is not known: a bounce goes to the sender's address.
 * @param until when the transaction was completed
 */
export const mailEntriesOf = (mails: readonly AskingMail[], mailbox: Mailbox, until: Instant): MailEntry[] =>
  mails
    .flatMap((mail) => entriesOf(mail, mailbox))
    .filter(({ at }) => at <= until)
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));

function entriesOf(
  { id, recipient_id, kind, to, from, created, delivery }: AskingMail,
  mailbox: Mailbox,
): MailEntry[] {
  const mail = { kind, to, mail_id: id };
  const entry = (type: string, at: Instant, details: EvidenceStep['details']): MailEntry => ({
    type,
    at,
    person_id: recipient_id,
    details: { ...mail, ...details },
  });
  if (!delivery) return [entry('email_kept', created, { from, kept_in: mailbox })];
  const written = entry('email_written', created, { from });
  const { state, reason, done_at, attempt } = delivery;
  if (state === 'waiting' || done_at === null) return [written];
  const mailServer = attempt && { server: attempt.server, answer: attempt.answer };
  if (state === 'delivered')
    return [written, entry('email_accepted', attempt?.at ?? done_at, { ...mailServer })];
  const why = { reason: reason ?? 'it failed' };
  return attempt
    ? [written, entry('email_failed', attempt.at, { ...mailServer, ...why })]
    : [written, entry('email_not_sent', done_at, why)];
}

/** Replaces half surrogate pairs, which have no canonical form. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
