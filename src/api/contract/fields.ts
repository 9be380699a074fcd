// Fields, which a recipient fills in inside a document: their types and their schema in requests and answers.

import * as z from 'zod';
import { DATE_FORMATS, DATE_LANGUAGES, DEFAULT_DATE_FORMAT, DEFAULT_DATE_LANGUAGE } from './languages.ts';
import { lazySchema } from './lazy-schema.ts';
import { neededText, type ReadBy, record, someFlag, someNumber, someText } from './lenient.ts';
import { LIMITS } from './limits.ts';
import { extension, hexColor, id, integer, line, number, oneOf, text } from './values.ts';

/** The four that the specification shows, then ours (assumed: A19). */
export const FIELD_TYPES = [
  'text',
  'signature',
  'person_name',
  'email',
  'initials',
  'date',
  'number',
  'checkbox',
  'select',
  'radio',
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

export const isFieldType = (value: string): value is FieldType =>
  (FIELD_TYPES as readonly string[]).includes(value);

/** A client sends any text: the service says which types it knows (assumed: A19). */
const fieldType: z.ZodType<FieldType, string> = lazySchema(() =>
  oneOf(FIELD_TYPES, 'is not a field type. Use one of'),
);

const length = lazySchema(() => integer(0, LIMITS.textLength));

/** A pattern in the dialect RE2. The service reads it to see whether it is valid, which takes more than a schema. */
const pattern = lazySchema(() =>
  z.string().max(LIMITS.regexLength, { error: `must have at most ${LIMITS.regexLength} characters` }),
);

/** A value that the sender of a draft fills in. */
const givenValue = lazySchema(() =>
  z.union([text(LIMITS.textLength), z.boolean(), z.number(), z.null()], {
    error: 'must be a string, a number, true, false or null',
  }),
);

/** A field is at least as wide and as high, in points (assumed: A43). */
const side = lazySchema(() =>
  number.gte(LIMITS.fieldSideMin, { error: `must be at least ${LIMITS.fieldSideMin} points` }),
);

/**
 * A field in a request. Size and position are points (1/72 inch) from the top left corner of the page as a reader
 * displays it; `page` counts from 0 (assumed: A18). Only the first eight properties are required (assumed: A20).
 */
export const fieldInput = lazySchema(() =>
  z.object({
    document_id: id,
    recipient_id: id,
    page: integer(0, LIMITS.pagesPerDocument),
    width: side,
    height: side,
    positionX: number,
    positionY: number,
    type: fieldType,
    id: id.optional(),
    label: line(0, LIMITS.labelLength).optional(),
    is_required: z.boolean().default(true),
    bold: z.boolean().default(false),
    italic: z.boolean().default(false),
    underline: z.boolean().default(false),
    font_family: line(1, LIMITS.labelLength).default('Helvetica'),
    font_size: integer(1, LIMITS.fontSizeMax).default(12),
    font_color: hexColor.default('#000000'),
    helper_text: line(0, LIMITS.textLength).default(''),
    max_length: length.nullable().default(null),
    min_length: length.nullable().default(null),
    max_value: number.nullable().default(null),
    min_value: number.nullable().default(null),
    regex: pattern.nullable().default(null),
    options: z.array(line(1, LIMITS.labelLength)).max(LIMITS.optionsCount).default([]),
    value: extension(
      givenValue.default(null),
      'What the sender fills in. The recipient can change it, unless the field is read-only. ' +
        'The value "today" of a date is the date of signing in the time zone of the recipient (UTC where it is not known), which the service fills in; the field is read-only.',
    ),
    readonly: extension(
      z.boolean().default(false),
      'The recipient cannot change the value, which the sender has filled in.',
    ),
    date_format: extension(
      oneOf(DATE_FORMATS, 'is not a form of a date. Use one of').default(DEFAULT_DATE_FORMAT),
      'For a date: how it is written into the document. The value is YYYY-MM-DD whatever the form.',
    ),
    date_language: extension(
      oneOf(DATE_LANGUAGES, 'is not a language of dates. Use one of').default(DEFAULT_DATE_LANGUAGE),
      'For a date: the language of the names of months, whatever language the signer reads.',
    ),
  }),
);

/** The properties of a field in a request that can be checked before there is a document and a recipient. */
export const fieldProperties = lazySchema(() =>
  fieldInput.omit({
    document_id: true,
    recipient_id: true,
    page: true,
    width: true,
    height: true,
    positionX: true,
    positionY: true,
    id: true,
  }),
);

/** The service answers with fields like this (spec §2, Field). */
export const field = lazySchema(() =>
  z.strictObject({
    id,
    document_id: id,
    recipient_id: id,
    page: z.int().min(0),
    width: z.number(),
    height: z.number(),
    positionX: z.number(),
    positionY: z.number(),
    type: z.enum(FIELD_TYPES),
    label: z.string(),
    is_required: z.boolean(),
    bold: z.boolean(),
    italic: z.boolean(),
    underline: z.boolean(),
    font_family: z.string(),
    font_size: z.int(),
    font_color: z.string(),
    helper_text: z.string(),
    template_id: id,
    max_length: z.int().nullable(),
    min_length: z.int().nullable(),
    max_value: z.number().nullable(),
    min_value: z.number().nullable(),
    regex: z.string().nullable(),
    options: z.array(z.string()),
    value: extension(
      z.string().optional(),
      'What the sender has filled in, or "today" for the date of signing. Absent where nothing is.',
    ),
    readonly: extension(
      z.boolean().optional(),
      'The recipient cannot change the value. Absent where the sender has filled in nothing.',
    ),
    date_format: extension(
      z.enum(DATE_FORMATS).optional(),
      'How the date is written into the document. Absent for YYYY-MM-DD.',
    ),
    date_language: extension(
      z.enum(DATE_LANGUAGES).optional(),
      'The language of the names of months. Absent for English.',
    ),
  }),
);

/** A client reads what it shows or sends again of a field; only the type has to be there. */
export const receivedField = record({
  id: someText,
  document_id: someText,
  recipient_id: someText,
  page: someNumber,
  width: someNumber,
  height: someNumber,
  positionX: someNumber,
  positionY: someNumber,
  type: neededText,
  template_id: someText,
  label: someText,
  is_required: someFlag,
});

export type ReceivedField = ReadBy<typeof receivedField>;

export type FieldInput = z.input<typeof fieldInput>;

export const fieldsInput = lazySchema(() =>
  z.array(fieldInput).max(LIMITS.fieldsPerTransaction, {
    error: `must have at most ${LIMITS.fieldsPerTransaction} fields`,
  }),
);

/** The value that a recipient submits for a field: text, a tick, or a signature as text or `data:image/png;base64,…`. */
export const fieldValue = lazySchema(() =>
  z.strictObject({
    field_id: id,
    value: z.union([text(LIMITS.signatureLength), z.boolean(), z.number(), z.null()], {
      error: 'must be a string, a number, true, false or null',
    }),
  }),
);

export type FieldValue = z.output<typeof fieldValue>;
