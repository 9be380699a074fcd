// The parts of a transaction as several commands print them with `--json`.
import { anything, boolean, list, nullable, number, object, text } from './json-output.ts';

export const DOCUMENT = object({
  id: text,
  name: text,
  pages: nullable(number),
  'media_type?': text,
  remarks: list(anything),
  'content?': object({}),
  'original?': object({}),
});

export const RECIPIENT = object({
  id: text,
  name: text,
  email: text,
  role: text,
  index: number,
  is_current: boolean,
  opened_at: nullable(text),
  submitted_at: nullable(text),
});

/** A field as the service answers it. */
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
  'value?': anything,
  'readonly?': boolean,
  'date_format?': text,
  options: list(anything),
  regex: nullable(text),
  min_length: nullable(number),
  max_length: nullable(number),
  min_value: nullable(number),
  max_value: nullable(number),
  font_family: text,
  font_size: number,
  font_color: text,
  bold: boolean,
  italic: boolean,
  underline: boolean,
});
