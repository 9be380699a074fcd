// Shows one field as a form, for browsers without the script of the editor, and saves or removes it.
import {
  DATE_FORMATS,
  DEFAULT_DATE_FORMAT,
  DEFAULT_DATE_LANGUAGE,
  isDateFormat,
  readTypedDate,
} from '../../../api/contract/date-format.ts';
import { FIELD_TYPES, isFieldType } from '../../../api/contract/fields.ts';
import { LANGUAGES } from '../../../api/contract/languages.ts';
import type { FieldError } from '../../../api/contract/problems.ts';
import type { Reply } from '../../../api/transport.ts';
import { sizeOfType } from '../../../placement/sizes.ts';
import { TYPE_NAMES } from '../../domain/known-value.ts';
import type { Content } from '../../domain/transaction.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import { type PageForm, readPageForm } from '../dashboard/forms.ts';
import {
  errorPage,
  formTokenField,
  labelledInput,
  show,
  textArea,
  type WrongField,
} from '../dashboard/layout.ts';
import type { PageRequest } from '../dashboard/request.ts';
import { sendTo } from '../dashboard/response.ts';
import type { Editable } from './editable.ts';
import { type EditableField, editableFields, revisionOf, saveEditedFields } from './edited-fields.ts';

/** What the form has for one field: text, as it was entered. */
type Entry = Record<(typeof ENTRIES)[number], string>;

const ENTRIES = [
  'type',
  'recipient_id',
  'document_id',
  'page',
  'positionX',
  'positionY',
  'width',
  'height',
  'label',
  'is_required',
  'font_size',
  'helper_text',
  'value',
  'readonly',
  'options',
  'min_length',
  'max_length',
  'min_value',
  'max_value',
  'date_format',
  'date_language',
] as const;

export function showField(request: PageRequest, editable: Editable, id: string): Reply {
  const fields = editableFields(editable.content);
  const field = id === 'new' ? newField(editable.content) : fields.find((one) => one.id === id);
  if (!field) return unknownField(request, editable);
  return formPage(request, editable, id, entryOf(field), []);
}

/** At the top left of the first page, for the first recipient. */
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
  const text = (name: (typeof ENTRIES)[number]): string => {
    const value = field[name];
    if (name === 'options') return (field.options ?? []).join('\n');
    if (name === 'page') return String((field.page ?? 0) + 1);
    if (value === null || value === undefined || value === false) return '';
    return value === true ? 'on' : String(value);
  };
  return Object.fromEntries(ENTRIES.map((name) => [name, text(name)])) as Entry;
}

function formPage(
  request: PageRequest,
  { content, path }: Editable,
  id: string,
  entry: Entry,
  wrong: WrongField[],
): Reply {
  const title = id === 'new' ? 'Add a field' : 'Edit a field';
  const number = (name: keyof Entry, label: string, hint?: HtmlValue) =>
    labelledInput({ name, label, value: entry[name], hint, wrong, isOptional: true });
  const parts = {
    title,
    isNarrow: true,
    wrong,
    body: html`<h1>${title}</h1>
<form class="sheet" method="post" action="${path}/fields/${id}" novalidate>
${formTokenField(request)}<input type="hidden" name="revision" value="${revisionOf(content)}">
${choice(
  'type',
  'Type',
  FIELD_TYPES.map((type) => [type, TYPE_NAMES[type]]),
  entry,
  wrong,
)}
${choice(
  'recipient_id',
  'Recipient',
  content.recipients.map(({ id: value, name, email }) => [value, name || email]),
  entry,
  wrong,
)}
${choice(
  'document_id',
  'Document',
  content.documents.map(({ id: value, file }) => [value, file.original_name]),
  entry,
  wrong,
)}
${number('page', 'Page')}
${number('positionX', 'From the left, in points', 'An inch has 72 points.')}
${number('positionY', 'From the top, in points')}
${number('width', 'Width, in points')}
${number('height', 'Height, in points')}
${labelledInput({ name: 'label', label: 'Label', value: entry.label, wrong, isOptional: true })}
${check('is_required', 'Required', entry)}
${labelledInput({ name: 'helper_text', label: 'Help for the recipient', value: entry.helper_text, wrong, isOptional: true })}
${number('font_size', 'Font size')}
${textArea({ name: 'options', label: 'Options', hint: 'For a list or a choice, one on each line.', rows: 3, value: entry.options, isOptional: true, wrong })}
${number('min_length', 'Least characters', 'For text.')}
${number('max_length', 'Most characters', 'For text.')}
${number('min_value', 'Least value', 'For a number.')}
${number('max_value', 'Greatest value', 'For a number.')}
${choice(
  'date_format',
  'Date format',
  DATE_FORMATS.map((format) => [format, format]),
  entry,
  wrong,
)}
${choice('date_language', 'Language of the month', Object.entries(LANGUAGES), entry, wrong)}
${labelledInput({ name: 'value', label: 'Value', hint: 'What you know already. The recipient can change it, unless it is read-only. A date is YYYY-MM-DD, or “today” for the date of signing, which is filled in automatically.', value: entry.value, wrong, isOptional: true })}
${check('readonly', 'Read-only', entry)}
<p class="actions"><button>Save</button> <a class="button plain" href="${path}">Cancel</a></p>
</form>
${
  id !== 'new' &&
  html`<form class="actions" method="post" action="${path}/fields/${id}/remove">${formTokenField(request)}<input type="hidden" name="revision" value="${revisionOf(content)}"><button class="danger">Remove the field</button></form>`
}`,
  };
  return show(request, parts, { status: wrong.length > 0 ? 422 : 200 });
}

function choice(
  name: keyof Entry,
  label: string,
  options: (readonly [string, string])[],
  entry: Entry,
  wrong: readonly WrongField[],
): Html {
  const message = wrong.find(({ field }) => field === name)?.message;
  return html`<div class="field"><label for="${name}">${label}</label>
${message && html`<p class="wrong" id="${name}-wrong">${message}</p>`}
<select id="${name}" name="${name}"${message && html` aria-invalid="true" aria-describedby="${name}-wrong"`}>${options.map(
    ([value, text]) =>
      html`<option value="${value}"${value === entry[name] && html` selected`}>${text}</option>`,
  )}</select></div>`;
}

const check = (name: keyof Entry, label: string, entry: Entry): Html =>
  html`<p class="check"><input type="checkbox" id="${name}" name="${name}"${entry[name] !== '' && html` checked`}><label for="${name}">${label}</label></p>`;

// ── saving ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export async function saveField(request: PageRequest, editable: Editable, id: string): Promise<Reply> {
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const entry = Object.fromEntries(ENTRIES.map((name) => [name, sent.form.get(name)])) as Entry;
  const fields = editableFields(editable.content);
  const before = fields.find((one) => one.id === id);
  if (!before && id !== 'new') return unknownField(request, editable);
  const field = { ...before, ...fieldOf(entry) };
  const next = before ? fields.map((one) => (one === before ? field : one)) : [...fields, field];
  const failed = await save(request, editable, sent.form, next);
  if (failed === undefined) return sendTo(editable.path);
  if (failed === 'changed') return changedMeanwhile(request, editable);
  const at = before ? fields.indexOf(before) : fields.length;
  return formPage(request, editable, id, entry, wrongIn(failed, at));
}

export async function removeField(request: PageRequest, editable: Editable, id: string): Promise<Reply> {
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const fields = editableFields(editable.content);
  if (!fields.some((one) => one.id === id)) return unknownField(request, editable);
  const failed = await save(
    request,
    editable,
    sent.form,
    fields.filter((one) => one.id !== id),
  );
  return failed === undefined ? sendTo(editable.path) : changedMeanwhile(request, editable);
}

/** @returns undefined if it is saved, otherwise what is wrong */
async function save(
  { context }: PageRequest,
  { edited, user }: Editable,
  form: PageForm,
  fields: unknown[],
): Promise<FieldError[] | 'changed' | undefined> {
  const saved = await saveEditedFields(context, user, edited, form.get('revision'), fields);
  if (!saved.ok) return saved.refusal.errors.length > 0 ? [...saved.refusal.errors] : 'changed';
  return saved.output.kind === 'changed' ? 'changed' : undefined;
}

/** What is no number stays text, and is refused as the service refuses it. */
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
    const name = path.startsWith(`fields.${at}.`) ? (path.split('.')[2] ?? '') : '';
    const field = (ENTRIES as readonly string[]).includes(name) ? name : 'type';
    return { field, message: `${field === name ? PROPERTY_NAMES[name as keyof Entry] : path} ${message}` };
  });

const PROPERTY_NAMES: Record<keyof Entry, string> = {
  type: 'The type',
  recipient_id: 'The recipient',
  document_id: 'The document',
  page: 'The page',
  positionX: 'The position from the left',
  positionY: 'The position from the top',
  width: 'The width',
  height: 'The height',
  label: 'The label',
  is_required: 'Required',
  font_size: 'The font size',
  helper_text: 'The help',
  value: 'The value',
  readonly: 'Read-only',
  options: 'The options',
  min_length: 'The least number of characters',
  max_length: 'The greatest number of characters',
  min_value: 'The least value',
  max_value: 'The greatest value',
  date_format: 'The form of the date',
  date_language: 'The language of the month',
};

const unknownField = (request: PageRequest, { path }: Editable): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Field not found',
    text: 'There is no such field, or someone has removed it.',
    link: html`<a href="${path}">View all fields</a>`,
  });

const changedMeanwhile = (request: PageRequest, { path }: Editable): Reply =>
  errorPage(request, {
    status: 409,
    title: 'The fields were changed meanwhile',
    text: 'Someone has changed the fields since you opened this page. Nothing was saved. Go back to copy what you entered, then open the fields again.',
    link: html`<a href="${path}">View the fields as they are now</a>`,
  });
