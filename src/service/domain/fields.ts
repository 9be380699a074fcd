// Checks the fields of a draft: each is on an existing page, belongs to an existing recipient, and asks for something that can
// be answered (assumed: A11, A18, A19, A20).
import type { z } from 'zod';
import type { fieldInput, fieldProperties } from '../../api/contract/fields.ts';
import { DEFAULT_DATE_FORMAT, DEFAULT_DATE_LANGUAGE, TODAY } from '../../api/contract/languages.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import { type EditContext, idErrors } from './ids.ts';
import { isDateOfSigning } from './known-value.ts';
import type { Content, Field } from './transaction.ts';

export type ValidFieldInput = z.output<typeof fieldInput>;
export type ValidFieldProperties = z.output<typeof fieldProperties>;

/** A box may touch the edge; sums of decimal fractions miss it by less than this many points. */
const TOLERANCE_PT = 0.01;

type FieldsRead = { ok: true; fields: Field[] } | { ok: false; errors: FieldError[] };

/** Reads the fields of a request. The id of a field of the draft keeps it; a missing label becomes the type (A20). */
export function readFields(inputs: ValidFieldInput[], content: Content, context: EditContext): FieldsRead {
  const errors = [
    ...inputs.flatMap((input, position) => {
      const path = `fields.${position}`;
      return [...placeErrors(input, content, path), ...senseErrors(input, path)];
    }),
    ...idErrors('fields', inputs, content, context.takenIds),
  ];
  if (errors.length > 0) return { ok: false, errors };
  const fields = inputs.map(
    ({ value, readonly, ...input }): Field => ({
      ...input,
      known_value: knownValueOf(value),
      is_readonly: readonly || isDateOfSigning({ type: input.type, known_value: knownValueOf(value) }),
      id: input.id ?? context.newId(),
      label: input.label || input.type,
      value: null,
      adoption: null,
    }),
  );
  return { ok: true, fields };
}

/** Writes a value of the sender as text; null stands for none. */
export const knownValueOf = (value: ValidFieldInput['value']): string | null =>
  value === null || value === '' ? null : String(value);

/** Checks that a field is inside an existing page of an existing document, for an existing recipient. */
export function placeErrors(
  field: Omit<ValidFieldInput, 'label' | 'id' | 'value' | 'readonly'>,
  content: Content,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!content.recipients.some((recipient) => recipient.id === field.recipient_id))
    errors.push({
      path: `${path}.recipient_id`,
      message: `"${field.recipient_id}" is not a recipient of this draft`,
    });
  const document = content.documents.find((item) => item.id === field.document_id);
  if (!document) {
    errors.push({
      path: `${path}.document_id`,
      message: `"${field.document_id}" is not a document of this draft`,
    });
    return errors;
  }
  const page = document.pages[field.page];
  if (!page) {
    const count = document.pages.length;
    const message = `"${document.file.original_name}" has no page ${field.page}. Use 0 to ${count - 1}`;
    return [...errors, { path: `${path}.page`, message }];
  }
  return [...errors, ...outsideErrors(field, page, path)];
}

function outsideErrors(field: Box, page: { width: number; height: number }, path: string): FieldError[] {
  const size = `the page (${shown(page.width)} × ${shown(page.height)} points)`;
  const errors: FieldError[] = [];
  if (field.positionX < -TOLERANCE_PT || field.positionX + field.width > page.width + TOLERANCE_PT)
    errors.push({
      path: `${path}.positionX`,
      message: `${shown(field.positionX)} with width ${shown(field.width)} is outside ${size}`,
    });
  if (field.positionY < -TOLERANCE_PT || field.positionY + field.height > page.height + TOLERANCE_PT)
    errors.push({
      path: `${path}.positionY`,
      message: `${shown(field.positionY)} with height ${shown(field.height)} is outside ${size}`,
    });
  return errors;
}

type Box = { positionX: number; positionY: number; width: number; height: number };

const shown = (points: number): string => String(Math.round(points * 100) / 100);

const CHOICES = new Set(['select', 'radio']);

/** Finds limits that contradict each other, and choices without anything to choose from. */
export function senseErrors(field: ValidFieldProperties, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (field.min_length !== null && field.max_length !== null && field.min_length > field.max_length)
    errors.push({
      path: `${path}.min_length`,
      message: `${field.min_length} is greater than max_length ${field.max_length}`,
    });
  if (field.min_value !== null && field.max_value !== null && field.min_value > field.max_value)
    errors.push({
      path: `${path}.min_value`,
      message: `${field.min_value} is greater than max_value ${field.max_value}`,
    });
  if (CHOICES.has(field.type) && field.options.length === 0)
    errors.push({ path: `${path}.options`, message: `must not be empty for a ${field.type}` });
  if (field.type !== 'date' && field.date_format !== DEFAULT_DATE_FORMAT)
    errors.push({ path: `${path}.date_format`, message: `is for date fields, not for ${field.type}` });
  if (field.type !== 'date' && field.date_language !== DEFAULT_DATE_LANGUAGE)
    errors.push({ path: `${path}.date_language`, message: `is for date fields, not for ${field.type}` });
  const isSignature = field.type === 'signature' || field.type === 'initials';
  const value = knownValueOf(field.value);
  if (isSignature && (value !== null || field.readonly))
    errors.push({
      path: `${path}.value`,
      message: `must be empty for ${field.type}, which only the recipient can make`,
    });
  else if (field.readonly && value === null)
    errors.push({ path: `${path}.value`, message: 'must be given for a field that is read-only' });
  if (isDateOfSigning({ type: field.type, known_value: value }) && field.regex !== null)
    errors.push({ path: `${path}.regex`, message: `must be null for a date with the value "${TODAY}"` });
  if (new Set(field.options).size !== field.options.length)
    errors.push({ path: `${path}.options`, message: 'must not contain the same option twice' });
  return errors;
}
