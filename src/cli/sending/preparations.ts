// Prepares what the sender fills in. The sandbox has types and values of fields checked here; for a service that does not take values of fields,
// they are drawn into the PDF before it is uploaded. What is done to a file is stated for the evidence of a service that records it.

import { isFieldType } from '../../api/contract/fields.ts';
import { fileTypeOf } from '../../api/contract/file-types.ts';
import type { PreparationInput } from '../../api/contract/files.ts';
import {
  DEFAULT_DATE_FORMAT,
  DEFAULT_DATE_LANGUAGE,
  formatDate,
  isDateFormat,
  isLanguage,
  TODAY,
} from '../../api/contract/languages.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { codePoints, withoutControls } from '../../api/contract/values.ts';
import { inWords } from '../../api/contract/wrong-values.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { BracedPlace, DocumentEngine, FormPlace, StampField } from '../../pdf/engine/engine.ts';
import { type CliError, cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import type { LocalFile } from '../input/documents.ts';
import { documentTooComplex } from '../input/documents.ts';
import {
  type GivenField,
  invalidField,
  isAnchored,
  type PlacedField,
  unknownType,
} from '../input/field-spec.ts';
import { resolveBox } from './boxes.ts';
import { withoutFormValues } from './forms.ts';
import type { FieldWarning } from './remarks.ts';
import { readAsPdf, withoutTags } from './tags.ts';

type FieldsToSend = { fields: GivenField[]; drawn?: DrawnValue[]; warnings?: FieldWarning[] };

/** Returns true if it has a property that only some services take. */
const hasExtensions = ({
  properties: { value, readonly, date_format, date_language },
}: GivenField): boolean =>
  [value, readonly, date_format, date_language].some((property) => property !== undefined);

/** Makes the fields that the service takes. @returns the others as values that are drawn into the files */
export async function fieldsToSend(
  { takesFieldValues, profile }: Connection,
  fields: GivenField[],
  files: readonly LocalFile[],
): Promise<FieldsToSend> {
  if (takesFieldValues || !fields.some(hasExtensions)) return { fields };
  const remaining = withoutFormValues(fields, files);
  const split = splitByValue(remaining.fields, files, profile);
  return { ...split, warnings: [...remaining.warnings, ...split.warnings] };
}

/** What of a field can be checked before there is a document. */
export type CheckedField = Pick<GivenField, 'type' | 'properties' | 'source'>;

/**
 * Checks the properties of fields in the sandbox. Another service checks them itself.
 * @throws CliError exit 2 with the first field that has a property with a wrong value, or lacks one
 */
export async function checkProperties(
  fields: readonly CheckedField[],
  { fieldErrors }: Pick<Connection, 'fieldErrors'>,
): Promise<void> {
  if (!fieldErrors || fields.length === 0) return;
  const [first] = await fieldErrors(fields.map(({ type, properties }) => ({ ...properties, type })));
  if (!first) return;
  const [, position = '', ...property] = first.path.split('.');
  throw invalidField(
    fields[Number(position)]?.source ?? '',
    `cannot be used: ${inWords({ ...first, path: property.join('.') })}`,
    'See `esign help fields` for the properties of a field.',
  );
}

/** Checks field types. @throws CliError exit 2 with the first field that the sandbox would refuse after the draft is made */
export function checkFieldTypes(fields: readonly GivenField[]): void {
  const unknown = fields.find(({ type }) => !isFieldType(type));
  if (unknown) throw unknownType(unknown);
}

/** `document`: the position of a file, from 0. */
export type DrawnValue = { document: number; field: StampField };

type SplitFields = { fields: GivenField[]; drawn: DrawnValue[]; warnings: FieldWarning[] };

/** Whether the sender fills in a field. */
const hasValue = ({ properties: { value, readonly } }: GivenField): boolean =>
  (value !== undefined && value !== null && value !== '') || readonly === true;

/**
 * Takes the read-only fields with a value out of the fields that are sent.
 * @throws CliError exit 2 for a field whose value the recipient may change, or that cannot be drawn
 */
function splitByValue(
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
    if (field.type === 'date' && field.properties.value === TODAY) throw dateNotTaken(field.source, profile);
    if (field.properties.readonly !== true) throw valueNotTaken(field.source, profile);
    const document = (field.document ?? 1) - 1;
    const file = files[document];
    if (!file?.pages || isAnchored(field))
      throw cliError('field_value_unknown', {
        sentence: `The field "${field.source}" has a value, but the service of the profile "${profile}" does not take values of fields, and "${file?.name ?? ''}" is not a PDF that it could be drawn into.`,
        hint: 'Convert the document to PDF. If the service takes values, run `esign config set field_values true`.',
      });
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

/** Makes the error for a date that the service would have to fill in when its recipient signs. */
export const dateNotTaken = (field: string, profile: string): CliError =>
  cliError('field_value_unknown', {
    sentence: `The date "${field}" cannot be filled in when its recipient signs: the service of the profile "${profile}" does not take values of fields.`,
    hint: 'Send the field without a value, so that the recipient enters the date. If the service takes values, run `esign config set field_values true`.',
  });

export const valueNotTaken = (field: string, profile: string): CliError =>
  cliError('field_value_unknown', {
    sentence: `The field "${field}" has a value, but the service of the profile "${profile}" does not take values of fields.`,
    hint: 'With the property readonly, the value is drawn into the PDF instead. If the service takes values, run `esign config set field_values true`.',
  });

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
type PreparedFile = { content: Uint8Array<ArrayBuffer>; remarks: LocalFile['remarks'] };

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
  const file = { name, type: fileTypeOf(bytes) ?? 'pdf', sha256: sha256Of(bytes), bytes };
  const { pdf: ready, remarks } = await readAsPdf(file, `"${name}"`, documents);
  const pdf = tags.length === 0 ? ready.pdf : await withoutTags(ready, tags, documents);
  if (fields.length + emptied.length === 0) return { content: new Uint8Array(pdf), remarks };
  const source = { sha256: sha256Of(pdf), bytes: async () => pdf };
  const stamped = await documents.stamp(source, { fields, emptied }, 'own');
  if (stamped.ok) return { content: new Uint8Array(stamped.pdf), remarks };
  if (stamped.reason === 'busy')
    throw cliError('interrupted', { sentence: `Interrupted: the values were not drawn into "${name}".` });
  if (stamped.reason === 'too_complex') throw documentTooComplex(`"${name}"`, stamped);
  const value = stamped.characters ?? stamped.label;
  throw cliError('values_not_drawn', {
    sentence: `The values cannot be drawn into "${name}"${value === undefined ? '' : `: ${value}`}.`,
    hint: 'Use characters that a font on this machine has, or send the document without these values.',
  });
}

/** What happens to a file before it is uploaded. */
export type Preparation = {
  fields: readonly StampField[];
  emptied?: readonly FormPlace[] | undefined;
  /** Tags that are removed. */
  tags?: readonly BracedPlace[] | undefined;
};

/** What is done to the files of a command; `document` is the position of a file. */
export type Preparations = {
  drawn?: readonly { document: number; field: StampField }[] | undefined;
  emptied?: readonly { document: number; places: FormPlace[] }[] | undefined;
  removed?: readonly { document: number; texts: BracedPlace[] }[] | undefined;
};

/** What is done to one of the files. */
export function preparationOf(all: Preparations, index: number): Preparation {
  const isOfFile = ({ document }: { document: number }) => document === index;
  return {
    fields: (all.drawn ?? []).filter(isOfFile).map(({ field }) => field),
    emptied: all.emptied?.find(isOfFile)?.places,
    tags: all.removed?.find(isOfFile)?.texts,
  };
}

/** Whether the file that is uploaded differs from the original. */
const isPrepared = ({ fields, emptied = [], tags = [] }: Preparation): boolean =>
  fields.length + emptied.length + tags.length > 0;

/** The statement about a file; undefined for one that is uploaded as it is. */
export function preparationBody(
  preparation: Preparation,
  original: { sha256: string; sizeBytes: number },
): PreparationInput | undefined {
  if (!isPrepared(preparation)) return undefined;
  const { fields, emptied = [], tags = [] } = preparation;
  return {
    original: { sha256: original.sha256, bytes: original.sizeBytes },
    removed_tags: tags.map(({ page, text }) => ({ page, text: onOneLine(text) })),
    emptied_form_boxes: emptied.length,
    drawn_values: fields.length,
  };
}

/** The text of a tag on one line, without control characters and no longer than the service takes it. */
function onOneLine(text: string): string {
  const line = withoutControls(text.replace(/\s+/gu, ' '));
  if (codePoints(line) <= LIMITS.tagLength) return line;
  return `${[...line].slice(0, LIMITS.tagLength - 1).join('')}…`;
}

/** Makes what is uploaded of a file. The code that changes files is loaded only where one is changed. */
export async function prepareUpload(
  preparation: Preparation,
  { name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> },
  documents: DocumentEngine,
): Promise<PreparedFile> {
  if (!isPrepared(preparation)) return { content: bytes, remarks: [] };
  return prepareFile(bytes, preparation, name, documents);
}
