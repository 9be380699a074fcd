// Renders the controls of a recipient's fields, one below the other in reading order: whatever happens to pages and pictures, a
// keyboard and a screen reader find everything here, each with its label, its position, and its errors.

import { LIMITS } from '../../../api/contract/limits.ts';
import { isSignatureField } from '../../domain/draft.ts';
import { isDateOfSigning, isOfSender } from '../../domain/known-value.ts';
import type { Field } from '../../domain/transaction.ts';
import { longestOf, type ValueError } from '../../domain/values.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/language.ts';
import {
  callToSign,
  controlId,
  type DrawnFields,
  faceOfSignature,
  filledAtSigning,
  labelOf,
  overlayAddress,
  pageNumber,
  valueInWords,
} from './fields.ts';
import { exampleNumber, formatNumber } from './language.ts';
import type { Guest } from './request.ts';

/** `valuesIn` reads the control of this name. */
export const controlName = ({ id }: Pick<Field, 'id'>): string => `value-${id}`;

/** @param showsAllErrors whether fields that are still empty are wrong already */
export function renderControl(
  guest: Guest,
  field: Field,
  filled: DrawnFields,
  showsAllErrors: boolean,
): Html {
  const { words, visit } = guest;
  const value = filled.draft.values[field.id] ?? '';
  const error = filled.valueErrors.get(field.id);
  const message = error && (showsAllErrors || value !== '') && errorText(guest, field, error);
  const document = visit.transaction.content.documents.find(({ id }) => id === field.document_id);
  const id = controlId(field);
  const name = isolateDirection(document?.file.original_name ?? '');
  const isSmall = filled.drawings.get(field.id)?.isSmall === true;
  const control: Control = {
    guest,
    field,
    value,
    id,
    isWrong: Boolean(message),
    label: html`<bdi>${labelOf(guest, field)}</bdi>${!field.is_required && !field.is_readonly && html` <span class="optional-mark">(${words.optionalMark})</span>`}`,
    described: html` aria-describedby="${`${id}-where${field.helper_text ? ` ${id}-hint` : ''} ${id}-small ${id}-wrong`}"`,
    notes: html`<p class="where" id="${id}-where">${words.onPage({ page: field.page + 1, document: name })}${sourceOf(guest, field, value)}</p>
${field.helper_text && html`<p class="hint" id="${id}-hint" dir="auto">${field.helper_text}</p>`}
<p class="hint" id="${id}-small" data-small aria-live="polite"${!isSmall && html` hidden`}>${isSmall && smallText(guest, field)}</p>
<p class="wrong" id="${id}-wrong" aria-live="polite"${!message && html` hidden`}>${message}</p>`,
  };
  const page = pageNumber(guest, field.document_id, field.page);
  const isAdopted = isSignatureField(field) && filled.draft[field.type] !== undefined;
  return html`<div class="field" data-control="${field.id}" data-type="${field.type}" data-page="${page}" data-place="${[field.positionX, field.positionY, field.width, field.height].join(' ')}"${field.is_required && !field.is_readonly && html` data-required`}${isAdopted && html` data-adopted`}>${field.is_readonly ? statement(control) : BODIES[field.type](control)}</div>`;
}

/** Says who else than the recipient has filled in a field. */
function sourceOf(guest: Guest, field: Field, value: string): Html | false {
  if (isDateOfSigning(field)) return html` · ${filledAtSigning(guest)}`;
  return isOfSender(field, value) && html` · ${guest.words.filledBySender}`;
}

type Control = {
  guest: Guest;
  field: Field;
  value: string;
  id: string;
  isWrong: boolean;
  label: HtmlValue;
  described: HtmlValue;
  notes: HtmlValue;
};

type Body = (control: Control) => Html;

/** Shows a value that the recipient cannot change in full, however long it is. */
const statement: Body = ({ guest, field, value, id, label, notes }) =>
  html`<div id="${id}" role="group" tabindex="-1" aria-labelledby="${id}-label"><p class="label" id="${id}-label">${label}</p>${notes}<p class="statement" dir="auto">${valueInWords(guest, field, value)}</p></div>`;

const line =
  (attributes: Html): Body =>
  (control) =>
    html`${labelFor(control)}<input ${common(control)} value="${control.value}" maxlength="${maxlength(longestOf(control.field))}" ${attributes}>`;

const labelFor = ({ id, label, notes }: Control): Html => html`<label for="${id}">${label}</label>${notes}`;

const common = ({ id, field, isWrong, described }: Control): Html =>
  html`id="${id}" name="${controlName(field)}"${field.is_required && html` aria-required="true"`}${isWrong && html` aria-invalid="true"`}${described}`;

/** One line is so far from the next, in sizes of the text. */
const LINE_HEIGHT = 1.2;

/** A box that is a little higher than its line still asks for one line. */
const SEVERAL_LINES = 3;

const hasSeveralLines = ({ height, font_size }: Field, value: string): boolean =>
  height >= SEVERAL_LINES * font_size * LINE_HEIGHT || value.includes('\n');

const text: Body = (control) =>
  hasSeveralLines(control.field, control.value)
    ? html`${labelFor(control)}<textarea ${common(control)} dir="auto" rows="3" maxlength="${maxlength(longestOf(control.field))}">${'\n'}${control.value}</textarea>`
    : line(html`type="text" dir="auto" autocomplete="off"`)(control);

const date: Body = (control) =>
  html`${labelFor(control)}<input ${common(control)} type="date" max="9999-12-31" value="${control.value}"> <button type="button" class="plain small" data-today hidden>${control.guest.words.today}</button>`;

const number: Body = (control) => {
  const value = formatNumber(control.guest.language, control.value);
  return html`${labelFor(control)}<input ${common(control)} type="text" inputmode="decimal" autocomplete="off" maxlength="60" value="${value}">`;
};

const checkbox: Body = (control) =>
  html`<label class="check" for="${control.id}"><input ${common(control)} type="checkbox" value="true"${control.value === 'true' && html` checked`}><span>${control.label}</span></label>${control.notes}`;

const select: Body = (control) =>
  html`${labelFor(control)}<select ${common(control)}><option value="">${control.guest.words.chooseOption}</option>${control.field.options.map(
    (option) =>
      html`<option value="${option}" dir="auto"${option === control.value && html` selected`}>${option}</option>`,
  )}</select>`;

const radio: Body = ({ id, field, value, label, notes, described, isWrong, guest }) =>
  html`<fieldset role="radiogroup" id="${id}" tabindex="-1"${field.is_required && html` aria-required="true"`}${isWrong && html` aria-invalid="true"`}${described}><legend>${label}</legend>${notes}<div class="options">${field.options.map(
    (option) =>
      html`<label><input type="radio" name="${controlName(field)}" value="${option}"${option === value && html` checked`}><bdi>${option}</bdi></label>`,
  )}${!field.is_required && html`<label><input type="radio" name="${controlName(field)}" value=""${value === '' && html` checked`}>${guest.words.notChosen}</label>`}</div></fieldset>`;

const signature: Body = ({ guest, field, value, id, label, notes, described }) => {
  const { words } = guest;
  const address = guest.at(`signature?for=${field.type}`);
  return html`<fieldset id="${id}" tabindex="-1"${described}><legend>${label}</legend>${notes}
${value !== '' && signatureShown(guest, field, value)}
<p class="actions"><a class="button plain${value !== '' && ' small'}" data-sign="${field.type}" href="${address}">${value === '' ? callToSign(guest, field) : words.changeSignature}</a>
${value !== '' && html`<button class="plain small" name="remove" value="${field.id}">${words.removeSignature}</button>`}</p></fieldset>`;
};

const signatureShown = (guest: Guest, field: Field, value: string): Html =>
  html`<span class="signature-shown">${
    value.startsWith('data:')
      ? html`<img src="${overlayAddress(guest, field)}" alt="${field.type === 'initials' ? guest.words.typeInitials : guest.words.signaturePreview}">`
      : html`<span class="written ${faceOfSignature(guest, field)}" dir="auto">${value}</span>`
  }</span>`;

const BODIES: Record<Field['type'], Body> = {
  text,
  person_name: line(html`type="text" dir="auto" autocomplete="name"`),
  email: line(html`type="email" autocomplete="email" spellcheck="false" autocapitalize="none"`),
  date,
  number,
  checkbox,
  select,
  radio,
  signature,
  initials: signature,
};

/** Says that a value is set smaller than can be read. */
export const smallText = (guest: Guest, field: Field): string =>
  guest.words.verySmall({ label: isolateDirection(labelOf(guest, field)) });

/** Describes what is wrong with a value, in the recipient's language. */
export function errorText(guest: Guest, field: Field, error: ValueError): string {
  const { words, language } = guest;
  const label = isolateDirection(labelOf(guest, field));
  switch (error.rule) {
    case 'required':
      return isSignatureField(field) ? words.wrongSignature({ label }) : words.wrongRequired({ label });
    case 'ticked':
    case 'boolean':
      return words.wrongTicked({ label });
    case 'option':
      return words.wrongOption({ label });
    case 'email':
      return words.wrongEmail({ label });
    case 'date':
      return words.wrongDate({ label });
    case 'number':
      return words.wrongNumber({ label, example: formatNumber(language, exampleNumber(field)) });
    case 'drawing':
      return words.wrongDrawing({ label });
    case 'pattern':
      return words.wrongPattern({ label });
    case 'unusable_pattern':
      return words.wrongUntestable({ label });
    case 'date_of_signing':
      return words.dateChanged;
    case 'readonly':
      return `${label}: ${words.filledBySender}`;
    case 'characters':
      return words.wrongCharacters({ label, characters: isolateDirection(error.characters) });
    case 'min_value':
      return words.wrongMinValue({ label, limit: formatNumber(language, `${error.limit}`) });
    case 'max_value':
      return words.wrongMaxValue({ label, limit: formatNumber(language, `${error.limit}`) });
    case 'min_length':
      return words.wrongMinLength({ label, count: error.limit });
    case 'max_length':
      return words.wrongMaxLength({ label, count: error.limit });
  }
}

/** @param longest in characters; what is longer than every text may be is not kept, so it cannot be typed either */
export const maxlength = (longest: number): number => Math.min(2 * longest, LIMITS.textLength);
