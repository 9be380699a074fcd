// Draws values that the sender fills in into the PDF before it is uploaded, for a service that does not take values of fields.

import {
  DEFAULT_DATE_FORMAT,
  DEFAULT_DATE_LANGUAGE,
  formatDate,
  isDateFormat,
  TODAY,
} from '../../api/contract/date-format.ts';
import { fileTypeOf } from '../../api/contract/file-types.ts';
import { isLanguage } from '../../api/contract/languages.ts';
import { tooComplex } from '../../api/contract/unusable.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { DocumentEngine, StampField } from '../../pdf/engine/engine.ts';
import { cliError } from '../command/errors.ts';
import { type GivenField, isAnchored, type PlacedField } from '../input/field-spec.ts';
import type { LocalFile } from '../input/local-file.ts';
import type { FieldWarning } from './field-warnings.ts';
import { resolveBox } from './placement.ts';
import type { Preparation } from './preparations.ts';
import { readAsPdf } from './tag-options.ts';

/** `document`: the position of a file, from 0. */
export type DrawnValue = { document: number; field: StampField };

export type SplitFields = { fields: GivenField[]; drawn: DrawnValue[]; warnings: FieldWarning[] };

/** Whether the sender fills in a field. */
export const hasValue = ({ properties: { value, readonly } }: GivenField): boolean =>
  (value !== undefined && value !== null && value !== '') || readonly === true;

/**
 * Takes the read-only fields with a value out of the fields that are sent.
 * @throws CliError exit 2 for a field whose value the recipient may change, or that cannot be drawn
 */
export function splitByValue(
  fields: readonly GivenField[],
  files: readonly LocalFile[],
  profile: string,
): SplitFields {
  const split: SplitFields = { fields: [], drawn: [], warnings: [] };
  for (const field of fields) {
    if (!hasValue(field)) {
      split.fields.push(field);
      continue;
    }
    if (field.type === 'date' && field.properties.value === TODAY)
      throw cliError('field_value_unknown', { field: field.source, profile, isOfSigning: true });
    if (field.properties.readonly !== true)
      throw cliError('field_value_unknown', { field: field.source, profile });
    const document = (field.document ?? 1) - 1;
    const file = files[document];
    if (!file?.pages || isAnchored(field))
      throw cliError('field_value_unknown', { field: field.source, profile, document: file?.name ?? '' });
    const drawn = stampFieldOf(field, file);
    split.drawn.push({ document, field: drawn });
    split.warnings.push({
      code: 'value_drawn',
      message: `The value of the ${field.type} field "${drawn.label}" becomes a part of page ${drawn.page + 1}, because the service does not take values of fields.`,
      document: file.name,
      page: drawn.page,
      type: field.type,
      recipient: null,
      words: [],
    });
  }
  return split;
}

function stampFieldOf(field: PlacedField, file: LocalFile): StampField {
  const box = resolveBox(field, file.pages && { sizes: file.pages }, file.name);
  const { value, label, font_family, font_size, font_color, bold, italic, date_format, date_language } =
    field.properties;
  const form = {
    date_format: isDateFormat(date_format) ? date_format : DEFAULT_DATE_FORMAT,
    date_language:
      typeof date_language === 'string' && isLanguage(date_language) ? date_language : DEFAULT_DATE_LANGUAGE,
  };
  const text = String(value ?? '');
  return {
    page: box.page,
    x: box.positionX,
    y: box.positionY,
    width: box.width,
    height: box.height,
    type: field.type as StampField['type'],
    value: field.type === 'date' ? formatDate(text, form) : text,
    label: typeof label === 'string' && label !== '' ? label : field.type,
    font_family: typeof font_family === 'string' ? font_family : 'Helvetica',
    font_size: typeof font_size === 'number' ? font_size : 12,
    font_color: typeof font_color === 'string' ? font_color : '#000000',
    is_bold: bold === true,
    is_italic: italic === true,
    is_underline: false,
  };
}

/** The file that is uploaded, and remarks about its conversion. */
export type PreparedFile = { content: Uint8Array<ArrayBuffer>; remarks: LocalFile['remarks'] };

/**
 * Makes the file with values in it, without its tags, and without those values of its form that fields have. The same file and
 * values give the same bytes, so that an upload can be repeated. A Word document becomes a PDF.
 */
export async function prepareFile(
  bytes: Uint8Array<ArrayBuffer>,
  { tags = [], fields, emptied = [] }: Preparation,
  name: string,
  documents: DocumentEngine,
): Promise<PreparedFile> {
  const given = { name, type: fileTypeOf(bytes) ?? 'pdf', sha256: sha256Of(bytes), bytes };
  const { pdf: ready, remarks } = await readAsPdf(given, `"${name}"`, documents);
  const pdf =
    tags.length === 0 ? ready.pdf : await (await import('./tags.ts')).withoutTags(ready, tags, documents);
  if (fields.length + emptied.length === 0) return { content: new Uint8Array(pdf), remarks };
  const source = { sha256: sha256Of(pdf), bytes: async () => pdf };
  const stamped = await documents.stamp(source, { fields, emptied }, 'own');
  if (stamped.ok) return { content: new Uint8Array(stamped.pdf), remarks };
  if (stamped.reason === 'busy')
    throw cliError('interrupted', { unfinished: `the values were not drawn into "${name}"` });
  if (stamped.reason === 'too_complex')
    throw cliError('document_too_complex', { document: `"${name}"`, ...tooComplex(stamped) });
  throw cliError('values_not_drawn', { document: name, what: stamped.what ?? stamped.label });
}
