// Shows one field as a form, for browsers without the script of the editor, and saves or removes it.

import { FIELD_TYPES, isFieldType } from '../../../api/contract/fields.ts';
import {
  DATE_FORMATS,
  DEFAULT_DATE_FORMAT,
  DEFAULT_DATE_LANGUAGE,
  isDateFormat,
  LANGUAGES,
  readTypedDate,
} from '../../../api/contract/languages.ts';
import type { FieldError } from '../../../api/contract/problems.ts';
import type { Reply } from '../../../api/transport.ts';
import { sizeOfType } from '../../../placement/sizes.ts';
import { TYPE_NAMES } from '../../domain/known-value.ts';
import type { Content } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { labelledInput, type PageForm, readPageForm, textArea } from '../dashboard/forms.ts';
import { errorPage, formTokenField, show, type WrongField } from '../dashboard/layout.ts';
import type { UserRequest } from '../dashboard/request.ts';
import { sendTo } from '../dashboard/response.ts';
import type { Editable } from './editable.ts';
import { type EditableField, editableFields, revisionOf, saveEditedFields } from './edited-fields.ts';

type Property = {
  /** The sentence of an error begins with it. */
  subject: string;
  label: string;
  hint?: string;
  /** The property is a text of so many lines. */
  rows?: number;
  /** The property is chosen from a list of values with their words. */
  options?: (content: Content) => readonly (readonly [string, string])[];
  isBox?: true;
};

const property = (
  subject: string,
  label: string,
  more: Omit<Property, 'subject' | 'label'> = {},
): Property => ({
  subject,
  label,
  ...more,
});

const FOR_TEXT = { hint: 'For text.' };
const FOR_NUMBER = { hint: 'For a number.' };

const PROPERTIES = {
  type: property('The type', 'Type', { options: () => FIELD_TYPES.map((type) => [type, TYPE_NAMES[type]]) }),
  recipient_id: property('The recipient', 'Recipient', {
    options: ({ recipients }) => recipients.map(({ id, name, email }) => [id, name || email]),
  }),
  document_id: property('The document', 'Document', {
    options: ({ documents }) => documents.map(({ id, file }) => [id, file.original_name]),
  }),
  page: property('The page', 'Page'),
  positionX: property('The position from the left', 'From the left, in points', {
    hint: 'An inch has 72 points.',
  }),
  positionY: property('The position from the top', 'From the top, in points'),
  width: property('The width', 'Width, in points'),
  height: property('The height', 'Height, in points'),
  label: property('The label', 'Label'),
  is_required: property('Required', 'Required', { isBox: true }),
  helper_text: property('The help', 'Help for the recipient'),
  font_size: property('The font size', 'Font size'),
  options: property('The options', 'Options', { hint: 'For a list or a choice, one on each line.', rows: 3 }),
  min_length: property('The least number of characters', 'Least characters', FOR_TEXT),
  max_length: property('The greatest number of characters', 'Most characters', FOR_TEXT),
  min_value: property('The least value', 'Least value', FOR_NUMBER),
  max_value: property('The greatest value', 'Greatest value', FOR_NUMBER),
  date_format: property('The form of the date', 'Date format', {
    options: () => DATE_FORMATS.map((format) => [format, format]),
  }),
  date_language: property('The language of the month', 'Language of the month', {
    options: () => Object.entries(LANGUAGES),
  }),
  value: property('The value', 'Value', {
    hint: 'What you know already. The recipient can change it, unless it is read-only. A date is YYYY-MM-DD, or “today” for the date of signing, which is filled in automatically.',
  }),
  readonly: property('Read-only', 'Read-only', { isBox: true }),
};

type PropertyName = keyof typeof PROPERTIES;

const NAMES = Object.keys(PROPERTIES) as PropertyName[];

/** The form has text for every property, as it was entered. */
type Entry = Record<PropertyName, string>;

export function showField(request: UserRequest, editable: Editable, id: string): Reply {
  const fields = editableFields(editable.content);
  const field = id === 'new' ? newField(editable.content) : fields.find((item) => item.id === id);
  if (!field) return unknownField(request, editable);
  return formPage(request, editable, id, entryOf(field));
}

/** A new field stands at the top left of the first page, and is for the first recipient. */
const newField = ({ documents, recipients }: Content): Partial<EditableField> => ({
  type: 'signature',
  recipient_id: (recipients.find(({ role }) => role !== 'sender') ?? recipients[0])?.id ?? '',
  document_id: documents[0]?.id ?? '',
  page: 0,
  positionX: 72,
  positionY: 72,
  ...sizeOfType('signature'),
  is_required: true,
  font_size: 12,
});

function entryOf(field: Partial<EditableField>): Entry {
  const text = (name: PropertyName): string => {
    const value = field[name];
    if (name === 'options') return (field.options ?? []).join('\n');
    if (name === 'page') return String((field.page ?? 0) + 1);
    if (value === null || value === undefined || value === false) return '';
    return value === true ? 'on' : String(value);
  };
  return Object.fromEntries(NAMES.map((name) => [name, text(name)])) as Entry;
}

function formPage(
  request: UserRequest,
  { content, path }: Editable,
  id: string,
  entry: Entry,
  wrong: readonly WrongField[] = [],
): Reply {
  const title = id === 'new' ? 'Add a field' : 'Edit a field';
  const revision = html`<input type="hidden" name="revision" value="${revisionOf(content)}">`;
  return show(request, {
    title,
    isNarrow: true,
    wrong,
    body: html`<h1>${title}</h1>
<form class="sheet" method="post" action="${path}/fields/${id}" novalidate>
${formTokenField(request)}${revision}
${NAMES.map((name) => html`${control(content, name, entry[name], wrong)}\n`)}<p class="actions"><button>Save</button> <a class="button plain" href="${path}">Cancel</a></p>
</form>
${
  id !== 'new' &&
  html`<form class="actions" method="post" action="${path}/fields/${id}/remove">${formTokenField(request)}${revision}<button class="danger">Remove the field</button></form>`
}`,
  });
}

function control(content: Content, name: PropertyName, value: string, wrong: readonly WrongField[]): Html {
  const { label, hint, rows, options, isBox }: Property = PROPERTIES[name];
  if (isBox)
    return html`<p class="check"><input type="checkbox" id="${name}" name="${name}"${value !== '' && html` checked`}><label for="${name}">${label}</label></p>`;
  const input = { name, label, hint, value, wrong, isOptional: true } as const;
  if (rows !== undefined) return textArea({ ...input, rows });
  if (!options) return labelledInput(input);
  const message = wrong.find(({ field }) => field === name)?.message;
  return html`<div class="field"><label for="${name}">${label}</label>
${message && html`<p class="wrong" id="${name}-wrong">${message}</p>`}
<select id="${name}" name="${name}"${message && html` aria-invalid="true" aria-describedby="${name}-wrong"`}>${options(
    content,
  ).map(
    ([option, text]) =>
      html`<option value="${option}"${option === value && html` selected`}>${text}</option>`,
  )}</select></div>`;
}

// ── saving ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export async function saveField(request: UserRequest, editable: Editable, id: string): Promise<Reply> {
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const entry = Object.fromEntries(NAMES.map((name) => [name, sent.output.get(name)])) as Entry;
  const fields = editableFields(editable.content);
  const before = fields.find((item) => item.id === id);
  if (!before && id !== 'new') return unknownField(request, editable);
  const field = { ...before, ...fieldOf(entry) };
  const next = before ? fields.map((item) => (item === before ? field : item)) : [...fields, field];
  const failed = await save(request, editable, sent.output, next);
  if (failed === undefined) return sendTo(editable.path);
  if (failed === 'changed') return changedMeanwhile(request, editable);
  const at = before ? fields.indexOf(before) : fields.length;
  return formPage(request, editable, id, entry, wrongIn(failed, at));
}

export async function removeField(request: UserRequest, editable: Editable, id: string): Promise<Reply> {
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const fields = editableFields(editable.content);
  if (!fields.some((field) => field.id === id)) return unknownField(request, editable);
  const failed = await save(
    request,
    editable,
    sent.output,
    fields.filter((field) => field.id !== id),
  );
  return failed === undefined ? sendTo(editable.path) : changedMeanwhile(request, editable);
}

/** @returns undefined if it is saved, otherwise what is wrong */
async function save(
  { context }: UserRequest,
  { edited, user }: Editable,
  form: PageForm,
  fields: unknown[],
): Promise<FieldError[] | 'changed' | undefined> {
  const saved = await saveEditedFields(context, user, edited, form.get('revision'), fields);
  if (!saved.ok) return saved.refusal.errors.length > 0 ? [...saved.refusal.errors] : 'changed';
  return saved.output.kind === 'changed' ? 'changed' : undefined;
}

/** Reads the entry. Text that is no number stays text, which the service refuses. */
function fieldOf(entry: Entry): Record<string, unknown> {
  const number = (text: string): unknown => {
    const trimmed = text.trim().replace(',', '.');
    return trimmed === '' || Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
  };
  const numberOrNone = (text: string): unknown => (text.trim() === '' ? null : number(text));
  const { type, recipient_id, document_id } = entry;
  const page = number(entry.page);
  const date_format = type === 'date' && entry.date_format !== '' ? entry.date_format : DEFAULT_DATE_FORMAT;
  const isDate = type === 'date' && isDateFormat(date_format);
  const value = isDate ? readTypedDate(entry.value, date_format) : entry.value;
  return {
    type: isFieldType(type) ? type : '',
    recipient_id,
    document_id,
    page: typeof page === 'number' ? page - 1 : page,
    positionX: number(entry.positionX),
    positionY: number(entry.positionY),
    width: number(entry.width),
    height: number(entry.height),
    label: entry.label.trim(),
    is_required: entry.is_required !== '',
    font_size: number(entry.font_size),
    helper_text: entry.helper_text.trim(),
    value: value === '' ? null : value,
    readonly: entry.readonly !== '',
    options: entry.options
      .split(/\r?\n/)
      .map((option) => option.trim())
      .filter((option) => option !== ''),
    min_length: numberOrNone(entry.min_length),
    max_length: numberOrNone(entry.max_length),
    min_value: numberOrNone(entry.min_value),
    max_value: numberOrNone(entry.max_value),
    date_format,
    date_language:
      type === 'date' && entry.date_language !== '' ? entry.date_language : DEFAULT_DATE_LANGUAGE,
  };
}

/** @param at position of the field in the request */
const wrongIn = (errors: readonly FieldError[], at: number): WrongField[] =>
  errors.map(({ path, message }) => {
    const [, name = ''] = path.split(`fields.${at}.`);
    const field = NAMES.find((property) => property === name.split('.')[0]);
    return { field: field ?? 'type', message: `${field ? PROPERTIES[field].subject : path} ${message}` };
  });

const unknownField = (request: UserRequest, { path }: Editable): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Field not found',
    text: 'There is no such field, or someone has removed it.',
    link: html`<a href="${path}">View all fields</a>`,
  });

const changedMeanwhile = (request: UserRequest, { path }: Editable): Reply =>
  errorPage(request, {
    status: 409,
    title: 'The fields were changed meanwhile',
    text: 'Someone has changed the fields since you opened this page. Nothing was saved. Go back to copy what you entered, then open the fields again.',
    link: html`<a href="${path}">View the fields as they are now</a>`,
  });
