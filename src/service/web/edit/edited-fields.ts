// Saves the fields that an editor shows, of a draft or a template, unless someone else has changed them since they were loaded.
import canonicalize from 'canonicalize';
import type { FieldInput } from '../../../api/contract/fields.ts';
import { transactionOperations } from '../../../api/contract/transactions.ts';
import { invalid, readPart } from '../../../api/service-codec.ts';
import { sha256Of } from '../../../common/sha256.ts';
import { edit, findErrors } from '../../changes/change.ts';
import { ok, type RequestContext, type Result, refuse } from '../../context.ts';
import { setFields, wrongValues } from '../../domain/edit.ts';
import { readFields, type ValidFieldInput } from '../../domain/fields.ts';
import { newIds } from '../../domain/ids.ts';
import type { CompanyUser, Content, Field } from '../../domain/transaction.ts';
import { saveContent } from '../../store/transactions/save-transaction.ts';
import { findTakenIds, loadTemplate } from '../../store/transactions/transactions.ts';

/** The transaction or template belongs to the company of the user. */
export type Edited = { kind: 'transaction' | 'template'; id: string };
type Editor = CompanyUser & { company_id: string };

/** It has the properties that a field has in a request. */
export type EditableField = Required<FieldInput>;

export const editableFields = (content: Content): EditableField[] => content.fields.map(editableField);

function editableField(field: Field): EditableField {
  const { value: _, adoption: __, known_value, is_readonly, ...properties } = field;
  return { ...properties, value: known_value, readonly: is_readonly };
}

/** Identifies what an editor shows. It changes with every field, recipient and document. */
export const revisionOf = (content: Content): string =>
  identifierOf([
    partiesOf(content),
    editableFields(content).toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1)),
  ]);

/** Identifies the recipients and documents, to which fields are assigned. */
export const partiesOf = ({ documents, recipients }: Content): string =>
  identifierOf([
    documents.map(({ id }) => id),
    recipients.map(({ id, name, email, role }) => [id, name, email, role]),
  ]);

/** The order of properties is not that of the database where the fields were just set. */
const identifierOf = (value: unknown): string => sha256Of(canonicalize(value) ?? '').slice(0, 32);

/** `changed` means that nothing was saved, because someone else has changed what the editor showed. */
export type FieldsSaved = { kind: 'saved' | 'changed'; content: Content };

/** Tells whether the content differs from what the editor showed, and remembers it if it does. */
type ChangeCheck = (content: Content) => boolean;

/** @param revision of what the editor showed. @param input the fields, which replace all that are there */
export async function saveEditedFields(
  context: RequestContext,
  user: Editor,
  edited: Edited,
  revision: string,
  input: unknown,
): Promise<Result<FieldsSaved>> {
  const read = readPart(transactionOperations['transaction.fields'].body, { fields: input });
  if (!read.ok) return read;
  const { fields } = read.value;
  let changed: Content | undefined;
  const isChanged: ChangeCheck = (content) => {
    if (revisionOf(content) === revision) return false;
    changed = content;
    return true;
  };
  const save = edited.kind === 'template' ? saveInTemplate : saveInDraft;
  const saved = await save(context, user, edited.id, fields, isChanged);
  return changed ? ok({ kind: 'changed', content: changed }) : saved;
}

type Save = (
  context: RequestContext,
  user: Editor,
  id: string,
  fields: ValidFieldInput[],
  isChanged: ChangeCheck,
) => Promise<Result<FieldsSaved>>;

/** Saves as the operation `transaction.fields` does. */
const saveInDraft: Save = (context, user, id, fields, isChanged) =>
  edit(
    context,
    { id, company_id: user.company_id },
    { fields },
    (transaction, editContext) =>
      isChanged(transaction.content) ? wrongValues([]) : setFields(transaction, fields, editContext),
    ({ content }) => ({ kind: 'saved', content }),
  );

const saveInTemplate: Save = async (context, user, id, fields, isChanged) => {
  const errors = await findErrors(fields);
  if (errors.length > 0) return { ok: false, refusal: invalid(errors) };
  return context.commit(async (db) => {
    const { keys } = context.store;
    const template = await loadTemplate(db, keys, { id, company_id: user.company_id });
    if (!template) return refuse('template_not_found', { id });
    if (isChanged(template)) return { ok: false, refusal: invalid([]) };
    const takenIds = await findTakenIds(db, newIds({ fields }, template));
    const { now, newId, newToken } = context;
    const next = readFields(fields, template, { now, newId, newToken, takenIds });
    if (!next.ok) return { ok: false, refusal: invalid(next.errors) };
    const content = { ...template, fields: next.fields, updated_at: context.now };
    await saveContent(db, keys, template, content);
    return ok({ kind: 'saved', content });
  });
};
