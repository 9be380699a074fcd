// Reads the forms of documents that are at hand as PDF, and turns their fields into fields of a transaction, with a warning for everything
// that cannot be carried over.

import { LIMITS } from '../../api/contract/limits.ts';
import type { DocumentEngine, FormPlace, ReadFormAnswer } from '../../pdf/engine/engine.ts';
import { placeChoices } from '../../placement/form-choices.ts';
import { type TurnedField, turnForm } from '../../placement/form-fields.ts';
import { type FormNote, remarksOfForm } from '../../placement/form-notes.ts';
import { cliError } from '../command/errors.ts';
import { optionNeeds } from '../command/wrong-input.ts';
import type { SearchedPdf } from '../input/documents.ts';
import { documentTooComplex } from '../input/documents.ts';
import { type GivenField, isAnchored, type PlacedField } from '../input/field-spec.ts';
import type { FieldWarning } from './remarks.ts';

export type FormSwitches = {
  'form-fields'?: boolean | undefined;
  'form-to'?: string | undefined;
  /** Whether --form-fields comes from the file of the project, which is for documents with and without forms. */
  mayBeMissing?: boolean;
};

/**
 * Reads the forms of documents. Undefined without --form-fields.
 * @param recipients how many there are who could fill in a form
 * @throws CliError exit 2 when nothing says who of several recipients fills them in
 */
export async function readForms(
  { 'form-fields': isWanted, 'form-to': recipient, mayBeMissing = false }: FormSwitches,
  recipients: number,
  { pdfs, mayChange }: { pdfs: () => Promise<readonly (SearchedPdf | undefined)[]>; mayChange: boolean },
  documents: DocumentEngine,
): Promise<FormFields | undefined> {
  if (!isWanted && recipient !== undefined) throw optionNeeds('--form-to', '--form-fields');
  if (!isWanted) return undefined;
  const isUnclear = recipient === undefined && recipients !== 1;
  if (isUnclear && !mayBeMissing) throw recipientMissing(recipients);
  const read = await readFormFields(await pdfs(), { recipient, mayChange, mayBeMissing }, documents);
  if (isUnclear && read.fields.length > 0) throw recipientMissing(recipients);
  return read;
}

/** @param count how many recipients could fill in the form */
const recipientMissing = (count: number) =>
  cliError('form_recipient_missing', {
    sentence:
      count === 0
        ? 'The fields of the form have no recipient.'
        : `The fields of the form have no recipient, and the transaction has ${count}.`,
    hint: 'Add --form-to with the email of a recipient, or with its number, starting at 1.',
  });

/** `document`: the position of a file, from 0. Its places are left empty, because fields have their values. */
export type EmptiedForm = { document: number; places: FormPlace[] };

export type FormFields = { fields: PlacedField[]; emptied: EmptiedForm[]; warnings: FieldWarning[] };

type Documents = Pick<DocumentEngine, 'readForm' | 'listWords'>;

type FormOptions = {
  /** Who fills the fields in: an email, or a number from 1. Absent: the only recipient. */
  recipient: string | undefined;
  /** Whether values can be taken out of the documents before they are sent. */
  mayChange: boolean;
  mayBeMissing?: boolean;
};

/**
 * Reads the forms.
 * @param pdfs the documents in their order, undefined for those that are no PDF
 * @throws CliError exit 2 when none of them has a form, or a form cannot be read
 */
async function readFormFields(
  pdfs: readonly (SearchedPdf | undefined)[],
  { recipient, mayChange, mayBeMissing = false }: FormOptions,
  documents: Documents,
): Promise<FormFields> {
  const read: FormFields = { fields: [], emptied: [], warnings: [] };
  let hasForm = false;
  for (const [document, pdf] of pdfs.entries()) {
    if (!pdf) continue;
    const answer = await documents.readForm({ sha256: pdf.sha256, bytes: async () => pdf.pdf }, 'own');
    if (!answer.ok && answer.reason === 'no_form') continue;
    if (!answer.ok) throw unusableForm(answer, pdf.name);
    hasForm = true;
    const turned = turnForm(answer.fields, pdf.pages, { mayChange: mayChange && !answer.isSigned });
    const placed = await withPlacedChoices(turned.fields, pdf, documents);
    read.fields.push(...placed.map((field) => givenField(field, document, recipient, pdf.name)));
    if (turned.emptied.length > 0) read.emptied.push({ document, places: turned.emptied });
    read.warnings.push(...warningsOf(turned.notes, pdf.name));
  }
  if (!hasForm && !mayBeMissing)
    throw cliError('form_missing', {
      sentence: noneHasForm(pdfs.flatMap((pdf) => (pdf ? `"${pdf.name}"` : []))),
      hint: 'Remove --form-fields, or use a PDF with fields (AcroForm). Place other fields with --field; see `esign help fields`.',
    });
  if (read.fields.length > LIMITS.fieldsPerTransaction)
    throw cliError('form_too_large', {
      sentence: `The forms have ${read.fields.length} fields. A transaction can have ${LIMITS.fieldsPerTransaction}.`,
      hint: 'Split the document, or place the fields that are needed with --field or --fields.',
    });
  return read;
}

function noneHasForm(documents: readonly string[]): string {
  if (documents.length === 0) return 'No form can be read, because no PDF is given.';
  return documents.length === 1
    ? `${documents[0]} has no form.`
    : `None of these documents has a form: ${documents.join(', ')}.`;
}

function unusableForm(answer: Extract<ReadFormAnswer, { ok: false }>, name: string) {
  if (answer.reason === 'busy')
    return cliError('interrupted', { sentence: `Interrupted: the form of "${name}" was not read.` });
  if (answer.reason === 'too_complex') return documentTooComplex(`"${name}"`, answer);
  if (answer.reason === 'too_large')
    return cliError('form_too_large', {
      sentence: `The form of "${name}" is too large to be read.`,
      hint: 'Split the document, or place the fields that are needed with --field or --fields.',
    });
  if (answer.reason === 'dynamic')
    return cliError('form_unreadable', {
      sentence: `The form of "${name}" cannot be read: it is a dynamic form (XFA) without other fields.`,
      hint: 'Print the form to a new PDF, and place fields with --field.',
    });
  return cliError('form_unreadable', {
    sentence: `The form of "${name}" cannot be read, because the file is damaged.`,
    hint: 'Save the file anew in a PDF program, or place fields with --field.',
  });
}

/** Finds places for choices. Where the words of a page cannot be read, any place beside the buttons is taken. */
async function withPlacedChoices(
  fields: readonly TurnedField[],
  { sha256, pdf, pages }: SearchedPdf,
  documents: Documents,
): Promise<TurnedField[]> {
  const words = [];
  for (const page of new Set(fields.filter(({ buttons }) => buttons).map((field) => field.page))) {
    const range = { from: page, to: page + 1 };
    const listed = await documents.listWords({ sha256, bytes: async () => pdf }, range, 'own');
    for (const word of listed.ok ? listed.words : []) words.push(word);
  }
  return placeChoices(fields, words, pages);
}

function givenField(
  { name, type, page, box, properties }: TurnedField,
  document: number,
  recipient: string | undefined,
  documentName: string,
): PlacedField {
  const points = (length: number) => ({ points: length });
  return {
    ...{ type, page, recipient, document: document + 1, properties },
    x: points(box.x),
    y: points(box.y),
    width: points(box.width),
    height: points(box.height),
    form: { name, ...(properties.value !== undefined && { value: properties.value }) },
    source: `${name} (form of ${documentName})`,
  };
}

/**
 * Takes the values of forms and the forms of their dates out of fields, for a service that does not take them. Other values stay.
 * @returns the fields, and a warning for each file with such values
 */
export function withoutFormValues(
  fields: readonly GivenField[],
  files: readonly { name: string }[],
): { fields: GivenField[]; warnings: FieldWarning[] } {
  const notes = files.map((): FormNote[] => []);
  const remaining = fields.map((field) => {
    if (isAnchored(field) || !field.form) return field;
    const { name, value: valueOfForm } = field.form;
    const { value, date_format, ...properties } = field.properties;
    const isOfForm = valueOfForm !== undefined && value === valueOfForm;
    const note = (code: FormNote['code']) =>
      notes[(field.document ?? 1) - 1]?.push({ code, name, page: field.page === 'last' ? 0 : field.page });
    if (isOfForm) note('value_not_taken');
    if (date_format !== undefined) note('date_format');
    return { ...field, properties: isOfForm || value === undefined ? properties : { ...properties, value } };
  });
  const warnings = files.flatMap(({ name }, index) => warningsOf(notes[index] ?? [], name));
  return { fields: remaining, warnings };
}

const warningsOf = (notes: readonly FormNote[], document: string): FieldWarning[] =>
  remarksOfForm(notes).map(({ message, page, isOmitted }) => ({
    code: isOmitted ? 'form_field_omitted' : 'form_field_different',
    ...{ message, page, document, type: '', recipient: null, words: [] },
  }));
