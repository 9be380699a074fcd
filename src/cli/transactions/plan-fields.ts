// Makes the fields of a plan once the service has given documents and recipients their ids.

import type { FieldInput } from '../../api/contract/fields.ts';
import type { ReceivedDocument, ReceivedTransaction } from '../../api/contract/received.ts';
import { nearest } from '../../common/nearest.ts';
import { cliError } from '../command/errors.ts';
import { type FillableField, labelOrType, valuesOf } from '../input/data-file.ts';
import { type AnchoredField, isAnchored } from '../input/field-spec.ts';
import { fieldBody, fieldsToKeep } from './bodies.ts';
import { boxesAtFoot, type FieldBox, type Pages, pagesOfDocument, resolveBox } from './placement.ts';
import type { Plan } from './plan.ts';
import { findRecipientByEmail, pairRecipients } from './recipients.ts';
import { contentOfTransaction } from './view.ts';

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
  const named = plan.fields.map((field) => {
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
  const kept = fillKeptFields(fieldsToKeep(transaction, ofFiles), plan, recipients);
  return [...kept, ...named, ...signatures];
}

/**
 * Fills in the fields that templates brought.
 * @throws CliError exit 2 for a value whose label neither they nor the fields of the plan have
 */
function fillKeptFields(
  kept: readonly FieldInput[],
  { data = [], fields }: Plan,
  recipients: readonly WithId[],
): FieldInput[] {
  if (data.length === 0) return [...kept];
  const emailOf = (id: string) => recipients.find((one) => one.id === id)?.email;
  const ofTemplates = kept.map((field) => ({
    field,
    label: labelOrType(field.label, field.type),
    holder: emailOf(field.recipient_id),
  }));
  const ofPlan = fields.map(({ type, properties: { label }, recipient }) => ({
    label: labelOrType(label, type),
    holder: recipient,
  }));
  const values = valuesOf<FillableField>([...ofTemplates, ...ofPlan], data);
  return ofTemplates.map((one) => {
    const value = values.get(one);
    return value === undefined ? one.field : { ...one.field, value };
  });
}

const wordsUnread = ({ files }: Plan, { anchor, document }: AnchoredField & { document: number }) =>
  cliError('words_unread', { words: anchor.text, document: files[document]?.name ?? '' });

/** Computes the signature boxes of a plan on the last page of its last file: at the foot where no other place was found. */
export function signatureBoxes(plan: Plan, pages: Pages): FieldBox[] {
  if (plan.boxesFor.length === 0) return [];
  if (plan.places && plan.places.length > 0) return plan.places;
  const page = pages && 'sizes' in pages ? pages.sizes.length - 1 : -1;
  const size = pages && 'sizes' in pages ? pages.sizes[page] : undefined;
  const document = plan.files.at(-1)?.name ?? '';
  if (!size) throw cliError('page_size_unknown', { document });
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
  throw cliError('answer_incomplete', { missing: 'all the documents that were added to the transaction' });
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
  throw cliError('field_recipient_unknown', { email, meant: nearest(email, emails) });
}
