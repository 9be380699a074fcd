// The parts of a transaction as several commands print them with `--json`.
import {
  boolean,
  brief,
  type JsonSchema,
  list,
  nameOnly,
  nullable,
  number,
  object,
  only,
  text,
} from './json-output.ts';
import { PERSON } from './shared-json.ts';

/** What of a document could not be kept or shown. */
export const REMARK = object({ code: text, message: text, 'page?': number });

export const DOCUMENT = object({ id: text, name: text, pages: nullable(number), remarks: list(REMARK) });

export const RECIPIENT = object({
  id: text,
  name: text,
  email: text,
  role: nullable(text),
  index: nullable(number),
  is_current: nullable(boolean),
  opened_at: nullable(text),
  submitted_at: nullable(text),
  'undelivered_email?': object({ kind: nullable(text), reason: nullable(text), at: nullable(text) }),
});

const OPENING = { id: text, name: text, status: text, outcome: text, profile: text };
export const PARTS = { documents: list(brief(DOCUMENT)), recipients: list(brief(RECIPIENT)) };

type Properties = Readonly<Record<string, JsonSchema>>;

/** Describes a transaction, with what a command prints before and after its documents. */
export const transaction = (before: Properties = {}, after: Properties = {}): JsonSchema =>
  object({ ...OPENING, ...before, ...PARTS, ...after });

export const WAITING_FOR = { 'url?': text, 'recipient?': PERSON };
export const REJECTED = { 'reason?': text, 'rejected_by?': PERSON };

const limit = nullable(number);

/** The service answers a field like this. */
export const FIELD = object({
  id: text,
  type: text,
  document_id: nullable(text),
  recipient_id: nullable(text),
  template_id: nullable(text),
  page: number,
  positionX: number,
  positionY: number,
  width: number,
  height: number,
  label: nullable(text),
  helper_text: nullable(text),
  is_required: boolean,
  'value?': text,
  'readonly?': boolean,
  'date_format?': text,
  'date_language?': text,
  options: list(text),
  regex: nullable(text),
  min_length: limit,
  max_length: limit,
  min_value: limit,
  max_value: limit,
  font_family: text,
  font_size: number,
  font_color: text,
  bold: boolean,
  italic: boolean,
  underline: boolean,
});

/** A warning is about the place of a field, or about a tag that makes no field. */
export const FIELD_WARNING = object({
  code: nameOnly(
    only(
      'field_covers_text',
      'field_covers_field',
      'recipient_without_signature',
      'no_empty_place',
      'value_drawn',
      'form_field_omitted',
      'form_field_different',
      'tags_unread',
    ),
  ),
  message: text,
  document: text,
  page: number,
  type: text,
  recipient: nullable(text),
  words: list(text),
});

/** A page that was drawn with the boxes of its fields. Lengths are points. */
export const DRAWN_PAGE = {
  document: text,
  page: number,
  width: number,
  height: number,
  fields: list(
    object({
      type: text,
      label: text,
      is_required: boolean,
      recipient: nullable(PERSON),
      x: number,
      y: number,
      width: number,
      height: number,
    }),
  ),
};

/** What was removed from a file before its upload, as evidence states it. */
export const PREPARATION = object({
  stated_by: nameOnly(only('sender')),
  original: object({ sha256: text, bytes: number }),
  removed_tags: list(object({ page: number, text })),
  emptied_form_boxes: number,
  drawn_values: number,
});
