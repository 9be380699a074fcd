// Makes the bodies of update and fields: from a transaction and the changes to it, from the fields of options, and from a plan once the service has
// given documents and recipients their ids. Both operations replace whole arrays (assumed: A41), so everything that stays is sent again.

import type { FieldInput, ReceivedField } from '../../api/contract/fields.ts';
import type { InputOf } from '../../api/contract/operations.ts';
import { colorAt, type ReceivedRecipient } from '../../api/contract/recipients.ts';
import type { ReceivedDocument, ReceivedTransaction } from '../../api/contract/transactions.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { type CliError, cliError } from '../command/errors.ts';
import { type FillableField, labelOrType, valuesOf } from '../input/field-file.ts';
import {
  type AnchoredField,
  type GivenField,
  invalidField,
  isAnchored,
  type PlacedField,
} from '../input/field-spec.ts';
import { boxesAtFoot, type FieldBox, type Pages, pagesOfDocument, resolveBox } from './boxes.ts';
import type { Texts } from './options.ts';
import type { Plan } from './plan.ts';
import { findRecipientByEmail, pairRecipients, pairReplaced, type RecipientSpec } from './recipients.ts';
import { contentOfTransaction, documentName } from './view.ts';

type UpdateBody = InputOf<'transaction.update'>['body'];

type RecipientBody = UpdateBody['recipients'][number];

type DraftChanges = {
  texts: Texts;
  /** The new recipients in their order; absent: no change. */
  recipients?: readonly RecipientSpec[] | undefined;
  /** The new documents by id; absent: no change. */
  documents?: readonly string[] | undefined;
};

/** Makes the body of an update. Only the given parts change. An existing recipient keeps the id (assumed: A20). */
export function updateBody(
  transaction: ReceivedTransaction,
  { texts, recipients, documents }: DraftChanges,
): UpdateBody {
  const content = contentOfTransaction(transaction);
  const ids = documents ?? content.documents.map(({ id }) => id);
  const matches = pairReplaced(recipients ?? [], content.recipients);
  return {
    ...textsToKeep(transaction, texts),
    name: texts.name ?? content.name ?? 'Untitled',
    documents: ids.map((id, index) => ({ id, index, isLoading: false })),
    recipients: recipients
      ? recipients.map((recipient, index) => recipientBody(recipient, index, matches.get(recipient)))
      : content.recipients.map((recipient, index) =>
          recipientBody(recipientSpecOf(recipient), index, recipient),
        ),
  };
}

function textsToKeep(transaction: ReceivedTransaction, texts: Texts): Partial<UpdateBody> {
  const { template: now } = transaction;
  const merged = {
    description: texts.description ?? now?.description ?? undefined,
    email_alias: texts.email_alias ?? now?.email_alias,
    email_subject: texts.email_subject ?? now?.email_subject,
    email_body: texts.email_body ?? now?.email_body,
    edit_navigation: texts.edit_navigation ?? now?.edit_navigation,
    expiration_days: texts.expiration_days ?? transaction.expiration_days,
  };
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== undefined),
  ) as Partial<UpdateBody>;
}

function recipientBody(
  wanted: RecipientSpec,
  index: number,
  match: ReceivedRecipient | undefined,
): RecipientBody {
  const id = match?.id ?? wanted.id;
  return {
    ...(id !== undefined && { id }),
    role: wanted.role,
    color: match?.color ?? colorAt(index),
    index,
    name: wanted.name,
    email: wanted.email,
  };
}

/**
 * Makes the request entry that keeps a recipient of a transaction. An unknown role is sent back unchanged.
 * @throws CliError when the service does not show the role
 */
export function recipientSpecOf({ id, name, email, role }: ReceivedRecipient): RecipientSpec {
  if (role) return { id, name, email, role };
  throw answerIncomplete(`the role of ${name} <${email}>`);
}

/** Makes the error for a response that lacks what the command needs. */
export const answerIncomplete = (missing: string): CliError =>
  cliError('answer_incomplete', {
    sentence: `The response of the service does not contain ${missing}.`,
    hint: 'Check the URL of the service. `esign api` prints a response unchanged.',
  });

/** Makes the body of a field with everything that the specification shows in a request. */
export function fieldBody(
  place: { document_id: string; recipient_id: string; type: string; box: FieldBox },
  properties: Record<string, unknown> = {},
): FieldInput {
  const { document_id, recipient_id, type, box } = place;
  return {
    document_id,
    recipient_id,
    ...box,
    type,
    label: type,
    is_required: true,
    bold: false,
    italic: false,
    font_family: 'Helvetica',
    font_size: 12,
    font_color: '#000000',
    helper_text: '',
    ...properties,
  };
}

/**
 * Makes the request entries that keep the fields of a transaction, without those of `without`.
 * @throws CliError when the service does not show where a field is
 */
export const fieldsToKeep = (
  transaction: ReceivedTransaction,
  without: readonly { id: string }[] = [],
): FieldInput[] =>
  contentOfTransaction(transaction)
    .fields.filter(({ document_id }) => !without.some(({ id }) => id === document_id))
    .map(keptField);

function keptField({ template_id: _, ...field }: ReceivedField): FieldInput {
  const { id, document_id, recipient_id, page, width, height, positionX, positionY, label, is_required } =
    field;
  if (
    !document_id ||
    !recipient_id ||
    !isNumber(page) ||
    !isNumber(width) ||
    !isNumber(height) ||
    !isNumber(positionX) ||
    !isNumber(positionY)
  )
    throw answerIncomplete(`where the field ${label ?? id ?? field.type} is, so it cannot be kept`);
  return {
    ...field,
    ...{ document_id, recipient_id, page, width, height, positionX, positionY },
    ...{ id: id ?? undefined, label: label ?? undefined, is_required: is_required ?? undefined },
  };
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

/**
 * Fields that templates brought stay; those of the plan follow.
 * @param recipients those of the transaction, or of the update that the fields are a part of
 */
export function fieldsOfPlan(
  plan: Plan,
  transaction: ReceivedTransaction,
  recipients: readonly WithId[] = contentOfTransaction(transaction).recipients,
): FieldInput[] {
  const { documents } = contentOfTransaction(transaction);
  const pairs = pairRecipients(plan.recipients, recipients);
  // The files were added last, in their order.
  const ofFiles = documents.slice(documents.length - plan.files.length);
  const idOf = ({ of, recipient: email }: { of?: number | undefined; recipient: string }, source: string) => {
    const planned = of === undefined ? undefined : plan.recipients[of];
    return idFor(planned ? pairs.get(planned) : holderAmong(recipients, email, source), email, recipients);
  };
  const place = (index: number, recipient_id: string, type: string, box: FieldBox) => ({
    document_id: documentAt(ofFiles, index).id,
    recipient_id,
    type,
    box,
  });
  const placed = plan.fields.map((field) => {
    if (isAnchored(field)) throw wordsUnread(plan, field);
    const box = resolveBox(
      field,
      knownPages(plan, field.document, ofFiles[field.document]),
      plan.files[field.document]?.name ?? '',
    );
    return fieldBody(place(field.document, idOf(field, field.source), field.type, box), field.properties);
  });
  const last = plan.files.length - 1;
  const boxes = signatureBoxes(plan, knownPages(plan, last, ofFiles[last]));
  const signatures = plan.boxesFor.map((of, index) => {
    const recipient = plan.recipients[of]?.email ?? '';
    return fieldBody(
      place(last, idOf({ of, recipient }, 'signature'), 'signature', boxes[index] as FieldBox),
    );
  });
  const existing = fillKeptFields(fieldsToKeep(transaction, ofFiles), plan, recipients);
  return [...existing, ...placed, ...signatures];
}

/**
 * Fills in the fields that templates brought.
 * @throws CliError exit 2 for a value whose label neither they nor the fields of the plan have
 */
function fillKeptFields(
  existing: readonly FieldInput[],
  { data = [], fields }: Plan,
  recipients: readonly WithId[],
): FieldInput[] {
  if (data.length === 0) return [...existing];
  const emailOf = (id: string) => recipients.find((recipient) => recipient.id === id)?.email;
  const ofTemplates = existing.map((field) => ({
    field,
    label: labelOrType(field.label, field.type),
    holder: emailOf(field.recipient_id),
  }));
  const ofPlan = fields.map(({ type, properties: { label }, recipient }) => ({
    label: labelOrType(label, type),
    holder: recipient,
  }));
  const values = valuesOf<FillableField>([...ofTemplates, ...ofPlan], data);
  return ofTemplates.map((entry) => {
    const value = values.get(entry);
    return value === undefined ? entry.field : { ...entry.field, value };
  });
}

const wordsUnread = ({ files }: Plan, { anchor, document }: AnchoredField & { document: number }) =>
  cliError('words_unread', {
    sentence: `No field can be placed at "${anchor.text}": the service does not return "${files[document]?.name ?? ''}" as a PDF, so its words are not known.`,
    hint: 'Convert the document to PDF and send that, or place the field by its position.',
  });

/** Computes the signature boxes of a plan on the last page of its last file: at the foot where no other place was found. */
export function signatureBoxes(plan: Plan, pages: Pages): FieldBox[] {
  if (plan.boxesFor.length === 0) return [];
  if (plan.places && plan.places.length > 0) return plan.places;
  const page = pages && 'sizes' in pages ? pages.sizes.length - 1 : -1;
  const size = pages && 'sizes' in pages ? pages.sizes[page] : undefined;
  const document = plan.files.at(-1)?.name ?? '';
  if (!size)
    throw cliError('page_size_unknown', {
      sentence: `No signature field can be placed: esign does not know the page sizes of "${document}".`,
      hint: 'Add a field in points: --field "signature@1:72pt,650pt,200x50=EMAIL".',
    });
  return boxesAtFoot(size, page, plan.boxesFor.length, document);
}

/** The sizes found in the file, or those the service tells (extension, assumed: A18). */
function knownPages(plan: Plan, index: number, document: ReceivedDocument | undefined): Pages {
  const local = plan.files[index]?.pages;
  return local ? { sizes: local } : pagesOfDocument(document);
}

function documentAt(documents: readonly ReceivedDocument[], index: number): ReceivedDocument {
  const document = documents[index];
  if (document) return document;
  throw answerIncomplete('all the documents that were added to the transaction');
}

type WithId = { id?: string | undefined; role?: string | null | undefined; name: string; email: string };

/** Finds the recipient of a field. Positions count the recipients who act; an email means the sender only if no other has it. */
function holderAmong(recipients: readonly WithId[], email: string, source: string): WithId | undefined {
  const acting = recipients.filter(({ role }) => role !== 'sender');
  return findRecipientByEmail(acting, email, source) ?? findRecipientByEmail(recipients, email, source);
}

function idFor(recipient: WithId | undefined, email: string, recipients: readonly WithId[]): string {
  if (recipient?.id !== undefined) return recipient.id;
  const emails = recipients.map((other) => other.email);
  throw cliError('field_recipient_unknown', {
    sentence: `No recipient has the email address ${email}.`,
    hint: didYouMean(
      nearest(email, emails),
      'Use the email address of a recipient of the template, or of one given with --to.',
    ),
  });
}

/** The recipients that numbers count: without one who is only the sender. */
export const actingRecipients = (transaction: ReceivedTransaction): ReceivedRecipient[] =>
  contentOfTransaction(transaction).recipients.filter(({ role }) => role !== 'sender');

/** Finds the document of a field. Documents count from 1. */
export function documentOf(
  { document, properties, source }: GivenField,
  transaction: ReceivedTransaction,
): ReceivedDocument {
  const { documents } = contentOfTransaction(transaction);
  const { document_id: id } = properties;
  const match =
    typeof id === 'string'
      ? documents.find((candidate) => candidate.id === id)
      : documents[(document ?? 1) - 1];
  if (match) return match;
  throw invalidField(
    source,
    'is for a document that the transaction does not have',
    `The transaction has ${documents.length} ${documents.length === 1 ? 'document' : 'documents'}. See \`esign tx show ${transaction.id}\`.`,
  );
}

/** Makes the field of a request. Recipients count without one who is only the sender. */
export function resolveField(field: PlacedField, transaction: ReceivedTransaction): FieldInput {
  const { document_id: _, recipient_id: recipientId, ...properties } = field.properties;
  const document = documentOf(field, transaction);
  const recipient = recipientOfField(field, transaction, recipientId);
  const box = resolveBox(field, pagesOfDocument(document), documentName(document));
  return fieldBody(
    { document_id: document.id, recipient_id: recipient.id, type: field.type, box },
    properties,
  );
}

/**
 * Finds the recipient of a field.
 * @param id where the field names its recipient by ID
 * @throws CliError exit 2 when the transaction does not have them
 */
function recipientOfField(
  { recipient, source }: Pick<PlacedField, 'recipient' | 'source'>,
  transaction: ReceivedTransaction,
  id: unknown,
): ReceivedRecipient {
  const { recipients } = contentOfTransaction(transaction);
  const acting = actingRecipients(transaction);
  const match =
    typeof id === 'string'
      ? recipients.find((candidate) => candidate.id === id)
      : recipientNamed(recipient, { acting, recipients }, source);
  if (match) return match;
  throw recipientUnknown(source, recipient, acting);
}

/** Makes the error for a field that has no recipient of its transaction. @param acting those whom numbers count */
export function recipientUnknown(
  field: string,
  recipient: string | undefined,
  acting: readonly { email: string }[],
): CliError {
  const emails = acting.map(({ email }) => email);
  return cliError('field_recipient_unknown', {
    sentence: `The field "${field}" has no recipient of this transaction.`,
    hint: didYouMean(
      recipient === undefined ? undefined : nearest(recipient, emails),
      `Add =EMAIL before any property of the field. The transaction has ${emails.join(', ') || 'no recipients yet'}.`,
    ),
  });
}

type Recipients = { acting: readonly ReceivedRecipient[]; recipients: readonly ReceivedRecipient[] };

/** @param typed an email, or a number from 1; absent: the only one */
function recipientNamed(
  typed: string | undefined,
  { acting, recipients }: Recipients,
  source: string,
): ReceivedRecipient | undefined {
  if (typed === undefined) return acting.length === 1 ? acting[0] : undefined;
  if (/^\d+$/.test(typed)) return acting[Number(typed) - 1];
  return findRecipientByEmail(acting, typed, source) ?? findRecipientByEmail(recipients, typed, source);
}
