// Creates and edits a draft: metadata, documents, recipients, fields. A transaction can be edited only while it is a draft
// (spec §3 rule 1); what a request replaces, keeps or takes along is assumed: A41.
import type { z } from 'zod';
import { LIMITS } from '../../api/contract/limits.ts';
import { type FieldError, refusal } from '../../api/contract/problems.ts';
import type { transactionOperations } from '../../api/contract/transactions.ts';
import { inSentences } from '../../api/contract/wrong-values.ts';
import { readFields, type ValidFieldInput } from './fields.ts';
import { type EditContext, indexErrors } from './ids.ts';
import { readRecipients } from './recipients.ts';
import { nextState } from './states.ts';
import {
  type Accepted,
  type CompanyUser,
  type Content,
  type Decision,
  type DecisionContext,
  type Document,
  refusedWith,
  type Transaction,
  withContent,
} from './transaction.ts';

type DraftUpdate = z.output<(typeof transactionOperations)['transaction.update']['body']>;

/** Replaces texts, documents and recipients; fields too where the request has them (A41). */
export function update(
  transaction: Transaction,
  input: DraftUpdate,
  user: CompanyUser,
  context: EditContext,
): Decision {
  const state = nextState(transaction, 'edit');
  if (!state.ok) return state;
  const { content } = transaction;
  const documents = readDocuments(input.documents, content);
  const recipients = readRecipients(input.recipients, content, user, context);
  if (!recipients.ok && recipients.refusal) return refusedWith(recipients.refusal);
  const errors = [...documents.errors, ...(recipients.ok ? [] : recipients.errors)];
  if (errors.length > 0 || !recipients.ok) return wrongValues(errors);

  const edited: Content = { ...content, documents: documents.documents, recipients: recipients.recipients };
  const fields = input.fields === undefined ? undefined : readFields(input.fields, edited, context);
  if (fields && !fields.ok) return wrongValues(fields.errors);
  const next = withContent(
    transaction,
    { ...edited, fields: fields?.fields ?? fieldsThatStay(edited), ...textsOf(input, content) },
    context.now,
  );
  const sender = edited.recipients.some((recipient) => recipient.role === 'sender');
  const expiration_days =
    input.expiration_days === undefined ? transaction.expiration_days : input.expiration_days;
  return {
    ok: true,
    next: { ...next, expiration_days, sender_id: sender ? user.id : next.sender_id },
    events: [],
  };
}

/** Reads the texts of an update: an absent one stays, null empties it. */
function textsOf(input: DraftUpdate, content: Content) {
  const text = (value: string | null | undefined, stored: string) =>
    value === undefined ? stored : (value ?? '');
  return {
    name: input.name,
    description: text(input.description, content.description),
    email_alias: text(input.email_alias, content.email_alias),
    email_subject: text(input.email_subject, content.email_subject),
    email_body: text(input.email_body, content.email_body),
    edit_navigation:
      input.edit_navigation === undefined ? content.edit_navigation : (input.edit_navigation ?? false),
  };
}

/** Returns the fields that stay: a removed document or recipient takes its fields along. */
function fieldsThatStay({ documents, recipients, fields }: Content) {
  const documentIds = new Set(documents.map((document) => document.id));
  const recipientIds = new Set(recipients.map((recipient) => recipient.id));
  return fields.filter((field) => documentIds.has(field.document_id) && recipientIds.has(field.recipient_id));
}

function readDocuments(inputs: DraftUpdate['documents'], content: Content) {
  const errors: FieldError[] = indexErrors('documents', inputs);
  const earlier = new Set<string>();
  for (const [position, { id }] of inputs.entries()) {
    if (earlier.has(id)) errors.push({ path: `documents.${position}.id`, message: `"${id}" is used twice` });
    earlier.add(id);
    if (!content.documents.some((document) => document.id === id))
      errors.push({ path: `documents.${position}.id`, message: `"${id}" is not a document of this draft` });
  }
  const order = [...inputs].sort((a, b) => a.index - b.index).map((input) => input.id);
  const documents = order.flatMap((id, index) =>
    content.documents.filter((document) => document.id === id).map((document) => ({ ...document, index })),
  );
  return { documents, errors };
}

/** Counts the removed tags of all documents. Together they are limited, because the evidence lists them. */
export const removedTagsIn = (documents: readonly Pick<Document, 'preparation'>[]): number =>
  documents.reduce((sum, { preparation }) => sum + (preparation?.removed_tags.length ?? 0), 0);

/** Adds a document, which comes last. `file` and `pages` were established when the file was taken in. */
export function addDocument(
  transaction: Transaction,
  document: Omit<Document, 'index'>,
  context: DecisionContext,
): Decision {
  const state = nextState(transaction, 'edit');
  if (!state.ok) return state;
  const { documents } = transaction.content;
  if (documents.length >= LIMITS.documentsPerTransaction)
    return wrongValues([
      { path: 'token', message: `must have at most ${LIMITS.documentsPerTransaction} entries` },
    ]);
  const all = [...documents, { ...document, index: documents.length }];
  if (removedTagsIn(all) > LIMITS.fieldsPerTransaction)
    return wrongValues([
      {
        path: 'preparation.removed_tags',
        message: `must have at most ${LIMITS.fieldsPerTransaction} entries in all documents of a transaction`,
      },
    ]);
  return {
    ok: true,
    next: withContent(transaction, { documents: all }, context.now),
    events: [],
  };
}

/** The given fields replace all that are there. */
export function setFields(
  transaction: Transaction,
  inputs: ValidFieldInput[],
  context: EditContext,
): Decision {
  const state = nextState(transaction, 'edit');
  if (!state.ok) return state;
  const read = readFields(inputs, transaction.content, context);
  if (!read.ok) return wrongValues(read.errors);
  return { ok: true, next: withContent(transaction, { fields: read.fields }, context.now), events: [] };
}

/** Refuses with every wrong value at once; the sentence names the first. */
export function wrongValues(errors: FieldError[]): Decision {
  const summary = errors.length > 0 ? inSentences(errors, 1) : 'Some values are not valid.';
  return refusedWith(refusal('validation_failed', { summary }, errors));
}

/** assumed: A43. The name is optional at creation and required by the first update. */
const UNTITLED = 'Untitled';

type CreateInput = { name?: string | undefined; notification_endpoint?: string | null | undefined };

/** A user of a company acts through a client application. */
type Creator = { user: CompanyUser & { company_id: string }; client_id: string };

export function createDraft(input: CreateInput, context: DecisionContext & Creator): Accepted {
  const { user, client_id } = context;
  const content: Content = {
    ...emptyContent(user, context),
    name: input.name ?? UNTITLED,
    reusable: false,
  };
  const next: Transaction = {
    id: context.newId(),
    company_id: user.company_id,
    created_by_id: user.id,
    client_id,
    sender_id: user.id,
    status: 'draft',
    notification_endpoint: input.notification_endpoint ?? null,
    expiration_days: null,
    created_at: context.now,
    updated_at: context.now,
    sent_at: null,
    expires_at: null,
    expired_at: null,
    completed_at: null,
    rejected_at: null,
    rejected_reason: null,
    rejected_by_id: null,
    cancelled_at: null,
    cancelled_reason: null,
    cancelled_by_id: null,
    sealing_failed_at: null,
    sealing_failed_reason: null,
    sealed_documents: [],
    content,
  };
  const created_by = { email: user.email, id: user.id };
  return {
    ok: true,
    next,
    events: [{ type: 'transaction_created', data: { id: next.id, status: 'draft', created_by } }],
  };
}

function emptyContent(
  user: CompanyUser & { company_id: string },
  context: DecisionContext,
): Omit<Content, 'name' | 'reusable'> {
  return {
    id: context.newId(),
    company_id: user.company_id,
    created_by_id: user.id,
    description: '',
    edit_navigation: false,
    email_alias: '',
    email_subject: '',
    email_body: '',
    created_at: context.now,
    updated_at: context.now,
    documents: [],
    recipients: [],
    fields: [],
  };
}
