// Makes the properties of a field from those of a form field: its type, its value, its limits and its options.

import type { FieldType } from '../api/contract/fields.ts';
import { DATE_FORMATS, DEFAULT_DATE_FORMAT } from '../api/contract/languages.ts';
import { LIMITS } from '../api/contract/limits.ts';
import { isCalendarDay } from '../common/instant.ts';
import type { AcroFormField, FormOption } from '../pdf/engine/engine.ts';
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
        ...valueProperty(value),
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
  const properties = { ...valueProperty(date), ...(isOther && { date_format }) };
  return { type: 'date', properties, notes: date_format ? [] : ['date_format'] };
}

function textOf(value: string | undefined, maxLength: number = LIMITS.textLength): Record<string, unknown> {
  const limit = maxLength < LIMITS.textLength ? { max_length: maxLength } : {};
  const text = value === undefined ? undefined : plain(value);
  const isTooLong = text !== undefined && [...text].length > Math.min(maxLength, LIMITS.textLength);
  return isTooLong ? limit : { ...limit, ...valueProperty(text) };
}

const valueProperty = (value: string | undefined): Record<string, unknown> =>
  value === undefined || value === '' ? {} : { value };

/** A number of a recipient is checked by the same pattern. */
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
  return { type, properties: { options: usable, ...valueProperty(value) }, notes };
}

/** Writes the texts of options on one line each; a text that two options have is followed by what is stored for it. */
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
  text.replace(/[^\P{C}\n\t\u200c\u200d]|[\ud800-\udfff]/gu, (character) =>
    /\p{Cf}/u.test(character) ? '' : ' ',
  );

export const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim();

/** A label or an option may be no longer than this. */
export const cut = (text: string): string => [...text].slice(0, LIMITS.labelLength).join('');

// ── dates, by patterns such as `dd.mm.yyyy` ─────────────────────────────────────────────────────────────────────

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Each part of a pattern matches such a text. */
const PARTS: Record<string, string> = {
  d: '(?<day>\\d{1,2})',
  dd: '(?<day>\\d{1,2})',
  m: '(?<month>\\d{1,2})',
  mm: '(?<month>\\d{1,2})',
  mmm: '(?<name>[a-z]{3})',
  mmmm: '(?<name>[a-z]{3,9})',
  yy: '(?<year>\\d{2})',
  yyyy: '(?<year>\\d{4})',
};

/** Reads a whole date. @returns `2026-11-30`; undefined where the text is none, or the pattern has no day, month and year */
function readDate(text: string, pattern: string): string | undefined {
  const trimmed = text.trim();
  if (isCalendarDay(trimmed)) return trimmed;
  const tokens = pattern.match(/d+|m+|y+|[^dmy]+/g) ?? [];
  const source = tokens.map((part) => PARTS[part] ?? part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('');
  const groups = matchOf(source, trimmed)?.groups;
  if (!groups) return undefined;
  const { day, month, name, year } = groups;
  const number = name === undefined ? Number(month) : monthNamed(name);
  if (day === undefined || !number || year === undefined) return undefined;
  const iso = [century(year), String(number).padStart(2, '0'), day.padStart(2, '0')].join('-');
  return isCalendarDay(iso) ? iso : undefined;
}

/** A pattern that names a part twice, or a time, is no date. */
function matchOf(source: string, text: string): RegExpExecArray | undefined {
  try {
    return new RegExp(`^${source}$`, 'iu').exec(text) ?? undefined;
  } catch {
    return undefined;
  }
}

const monthNamed = (name: string): number =>
  MONTHS.findIndex((month) => month === name.toLowerCase() || month.slice(0, 3) === name.toLowerCase()) + 1;

/** Two digits are a year from 1950 to 2049, as in forms of Acrobat. */
const century = (year: string): string =>
  year.length === 4 ? year : `${Number(year) < 50 ? '20' : '19'}${year}`;
