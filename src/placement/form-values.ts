// Makes the properties of a field from those of a form field: its type, its value, its limits and its options.
import { DATE_FORMATS, DEFAULT_DATE_FORMAT } from '../api/contract/date-format.ts';
import type { FieldType } from '../api/contract/fields.ts';
import { LIMITS } from '../api/contract/limits.ts';
import type { AcroFormField, FormOption } from '../pdf/engine/engine.ts';
import { readDate } from './form-dates.ts';
import type { FormNoteCode } from './form-notes.ts';

export type FormProperties = {
  type: FieldType;
  properties: Record<string, unknown>;
  notes: FormNoteCode[];
};

/** Makes the properties of a text: a date or a number where a standard script of forms says that it is one. */
export function textProperties({ values, maxLength, format, range }: AcroFormField): FormProperties {
  const [value] = values;
  if (format?.kind === 'date') {
    const date = value === undefined ? undefined : readDate(value, format.pattern);
    if (value === undefined || date !== undefined) return dateProperties(date, format.pattern);
    return { type: 'text', properties: textOf(value, maxLength), notes: ['formatted'] };
  }
  if (format?.kind === 'number' && (value === undefined || isNumber(value, range)))
    return {
      type: 'number',
      properties: {
        ...(range?.min !== undefined && { min_value: range.min }),
        ...(range?.max !== undefined && { max_value: range.max }),
        ...givenValue(value),
      },
      notes: ['number_format'],
    };
  const lost: FormNoteCode[] = [];
  if (format) lost.push('formatted');
  if (range) lost.push('validated');
  const properties = textOf(value, maxLength);
  if (value !== undefined && !Object.hasOwn(properties, 'value')) lost.push('value_left');
  return { type: 'text', properties, notes: lost };
}

/** A date that a form writes in another form than fields have is written as YYYY-MM-DD. */
function dateProperties(date: string | undefined, pattern: string): FormProperties {
  const date_format = DATE_FORMATS.find((format) => format.toLowerCase() === pattern.trim());
  const isOther = date_format !== undefined && date_format !== DEFAULT_DATE_FORMAT;
  const properties = { ...givenValue(date), ...(isOther && { date_format }) };
  return { type: 'date', properties, notes: date_format ? [] : ['date_format'] };
}

function textOf(value: string | undefined, maxLength: number = LIMITS.textLength): Record<string, unknown> {
  const limit = maxLength < LIMITS.textLength ? { max_length: maxLength } : {};
  const text = value === undefined ? undefined : plain(value);
  const isTooLong = text !== undefined && [...text].length > Math.min(maxLength, LIMITS.textLength);
  return isTooLong ? limit : { ...limit, ...givenValue(text) };
}

const givenValue = (value: string | undefined): Record<string, unknown> =>
  value === undefined || value === '' ? {} : { value };

/** As a number of a recipient is checked. */
const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;

function isNumber(text: string, { min, max }: NonNullable<AcroFormField['range']> = {}): boolean {
  const number = Number(text);
  return NUMBER.test(text) && (min === undefined || number >= min) && (max === undefined || number <= max);
}

/** Makes the properties of a choice of one option. */
export function choiceProperties(
  { traits, values, options }: AcroFormField,
  type: 'select' | 'radio',
): FormProperties {
  const notes: FormNoteCode[] = [];
  const texts = optionTexts(options);
  const chosen = values.map((value) => {
    const index = options.findIndex((option) => option.value === value || option.text === value);
    return index < 0 ? undefined : texts[index];
  });
  const usable = [...new Set(texts.filter((text) => text !== ''))];
  const isFree = traits.includes('editable') && chosen.includes(undefined);
  if (usable.length === 0 || usable.length > LIMITS.optionsCount || isFree) {
    const text = values.join(', ');
    return {
      type: 'text',
      properties: textOf(text === '' ? undefined : text),
      notes: [...notes, 'options_left'],
    };
  }
  if (traits.includes('editable')) notes.push('own_text');
  if (traits.includes('multiple')) notes.push('one_choice');
  const [value] = chosen;
  if (values.length > 0 && !value) notes.push('value_left');
  return { type, properties: { options: usable, ...givenValue(value) }, notes };
}

/** The texts of options on one line each; one that two options have is followed by what is stored for it. */
export function optionTexts(options: readonly FormOption[]): string[] {
  const texts = options.map(({ text }) => cut(oneLine(text)));
  return texts.map((text, index) => {
    const { value } = options[index]!;
    const isShared = texts.some((other, at) => other === text && options[at]?.value !== value);
    return isShared && text !== ''
      ? cut(`${text.slice(0, LIMITS.labelLength / 2)} (${oneLine(value)})`)
      : text;
  });
}

// ── text ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Replaces what no field may have: control characters other than line ends and tabs, and halves of characters. */
const plain = (text: string): string =>
  text.replace(/[^\P{C}\n\t\u200c\u200d]|[\ud800-\udfff]/gu, (found) => (/\p{Cf}/u.test(found) ? '' : ' '));

/** A text on one line. */
export const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim();

/** As long as a label or an option may be. */
export const cut = (text: string): string => [...text].slice(0, LIMITS.labelLength).join('');
