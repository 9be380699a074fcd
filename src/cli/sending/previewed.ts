// Reads what `tx preview` draws, from files or from a transaction: documents as PDF, the people, and the fields with the names of the contract.

import type { ReceivedField } from '../../api/contract/fields.ts';
import { colorAt } from '../../api/contract/recipients.ts';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { Uses } from '../command/context.ts';
import { convertToPdf, type LocalFile, type PdfContent, readLocalFiles } from '../input/documents.ts';
import { readFieldFile } from '../input/field-file.ts';
import { type GivenField, isAnchored, type PlacedField, parseFieldSpec } from '../input/field-spec.ts';
import { createFileReader, fileLabel, refuseStdinTwice } from '../input/files.ts';
import { type Addressee, parseAddressee, parsePerson } from '../input/person.ts';
import { fieldsOfPlan } from './bodies.ts';
import { documentsMissing } from './download.ts';
import { type FormFields, type FormSwitches, readForms } from './forms.ts';
import type { SendInput } from './options.ts';
import { fetchPdf } from './pdfs.ts';
import { placeSignatures, resolveAnchors } from './place.ts';
import { makePlan, type Plan } from './plan.ts';
import { checkFieldTypes, prepareFile } from './preparations.ts';
import { withProject } from './read-input.ts';
import {
  type FieldOnPage,
  type FieldWarning,
  findCoveredFields,
  findOverlappingFields,
  warnOfTags,
} from './remarks.ts';
import {
  fieldOfSuggestion,
  type OmittedSuggestions,
  type SuggestedField,
  specsOf,
  suggestForDocuments,
} from './suggestions.ts';
import { readTags } from './tags.ts';
import { contentOfTransaction, documentName } from './view.ts';

export type PreviewedDocument = PdfContent & { id: string; name: string };

export type PreviewedField = {
  document_id?: string | null | undefined;
  recipient_id?: string | null | undefined;
  page: number;
  positionX: number;
  positionY: number;
  width: number;
  height: number;
  type: string;
  label?: string | undefined;
  is_required?: boolean | undefined;
};

/** `email` is absent for the signer of a preview without recipients. */
export type PreviewedPerson = { id: string; name: string; email?: string; color: string };

export type PreviewContent = {
  /** Of the transaction; null for files. */
  id: string | null;
  documents: readonly PreviewedDocument[];
  people: readonly PreviewedPerson[];
  fields: readonly PreviewedField[];
  /** Warnings about the places of fields. */
  warnings: readonly FieldWarning[];
  suggested?: PreviewedSuggestions | undefined;
};

export type PreviewedSuggestions = {
  fields: readonly SuggestedField[];
  /** For each of them the value of --field; null where another option makes it. */
  specs: readonly (string | null)[];
  /** Those for more people than there are. */
  omitted: OmittedSuggestions;
};

/** The options of `tx preview` that say which fields files have, as in `tx send`. */
type PreviewOptions = Pick<
  SendInput['options'],
  'to' | 'sender' | 'field' | 'fields' | 'tags' | 'form-fields' | 'form-to'
> & { suggest: boolean };

/** Previews files before they are sent. It makes the plan as `tx send` does, makes no request, and stores nothing. */
export async function previewFiles(
  context: Uses<'connections' | 'process' | 'settings' | 'terminal'>,
  typed: PreviewOptions,
  paths: readonly string[],
): Promise<PreviewContent> {
  const { input, defaults } = await withProject(context, { options: typed }, isShown);
  const { options } = input;
  refuseStdinTwice([...paths, options.fields]);
  const typedRecipients = options.to.map((text) => parseAddressee(text, '--to', { takesTag: true }));
  const to = typedRecipients.length > 0 ? typedRecipients : [ANY_SIGNER];
  const sender = options.sender === undefined ? undefined : parsePerson(options.sender, '--sender');
  const specs = [...options.field.map(parseFieldSpec), ...defaults.fields];
  const reader = createFileReader(context);
  const read = await readLocalFiles(paths, reader);
  const tagged = await readTags(
    { tags: options.tags, mayBeMissing: defaults.tags },
    to,
    read,
    reader.documents,
  );
  const files = tagged?.files ?? read;
  const listed = options.fields === undefined ? [] : await readFieldFile(options.fields, reader);
  const documents: PreviewedDocument[] = [];
  for (const [index, file] of files.entries())
    documents.push({
      id: String(index),
      name: file.name,
      ...(tagged?.pdfs[index] ?? (await convertToPdf(file, fileLabel(file.path), reader.documents))),
    });
  const unread = tagged || options.suggest ? [] : await warnOfTags(documents, reader.documents);
  const switches = { ...options, mayBeMissing: defaults.form };
  const ofForms = await withForms(switches, to.length, { files, documents }, reader.documents);
  const suggested = options.suggest
    ? await suggest(
        options,
        typedRecipients.length > 0 ? typedRecipients : undefined,
        documents,
        reader.documents,
      )
    : undefined;
  // Without --to, all other fields are those of the first signer.
  const ofFirst = (field: GivenField): GivenField => ({ ...field, recipient: field.recipient ?? '1' });
  const others = [...specs, ...listed, ...(tagged?.fields ?? []), ...(ofForms?.fields ?? [])];
  const fields = [
    ...(typedRecipients.length > 0 ? others : others.map(ofFirst)),
    ...(suggested?.placed ?? []),
  ];
  const signers = typedRecipients.length > 0 ? to : anySigners(suggested?.signers ?? 1);
  if ((await context.connections.profile()).remote === undefined) checkFieldTypes(fields);
  const placed = fields.some(isAnchored)
    ? await resolveAnchors(fields, ({ document = 1 }) => documents[document - 1], reader.documents)
    : fields;
  const planned = makePlan({
    id: 'preview',
    files: files.map((file, index) => ({ ...file, pages: documents[index]?.pages })),
    templates: [],
    sender,
    to: signers,
    fields: placed,
    warnings: [...unread, ...(ofForms?.warnings ?? [])],
    texts: {},
    notify: undefined,
    draft: true,
    newId: counter(),
  });
  const plan = await placeSignatures(planned, documents, reader.documents);
  // A sender who was not named will come before the others, and has the first color.
  const first = plan.sender ? 0 : 1;
  return {
    id: null,
    documents,
    people: plan.recipients.map(({ id = '', name, email }, index) => ({
      id,
      name,
      ...(!isExample(email) && { email }),
      color: colorAt(first + index),
    })),
    fields: fieldsOfPlan(plan, transactionOfPlan(plan), plan.recipients),
    warnings: warningsOf(plan),
    suggested,
  };
}

/** Suggests what no other option makes; without recipients, for as many as the documents ask for. */
async function suggest(
  options: PreviewOptions,
  to: readonly Addressee[] | undefined,
  documents: readonly PreviewedDocument[],
  engine: DocumentEngine,
): Promise<PreviewedSuggestions & { placed: PlacedField[]; signers: number }> {
  const hasOption = { form: options['form-fields'], tag: options.tags, line: false };
  const { suggested, omitted } = await suggestForDocuments(documents, to, engine);
  const fields = suggested.filter(({ from }) => !hasOption[from]);
  const recipients = to?.length ?? Math.max(1, ...fields.map(({ recipient }) => recipient + 1));
  const specs = await specsOf(fields, documents, { recipients, documents: documents.length }, engine);
  return {
    fields,
    specs: specs.map((spec, index) => (fields[index]?.from === 'line' ? spec : null)),
    omitted,
    placed: fields.map(fieldOfSuggestion),
    signers: recipients,
  };
}

type Previewed = { files: readonly LocalFile[]; documents: PreviewedDocument[] };

/** Makes fields of the forms, and takes the values that these have out of the documents. */
async function withForms(
  options: FormSwitches,
  recipients: number,
  { files, documents }: Previewed,
  engine: DocumentEngine,
): Promise<FormFields | undefined> {
  const pdfs = async () =>
    documents.map((document, index) => (files[index]?.type === 'pdf' ? document : undefined));
  const read = await readForms(options, recipients, { pdfs, mayChange: true }, engine);
  for (const { document, places } of read?.emptied ?? []) {
    const present = documents[document]!;
    const bytes = new Uint8Array(present.pdf);
    const { content: pdf } = await prepareFile(bytes, { fields: [], emptied: places }, present.name, engine);
    documents[document] = { ...present, pdf, sha256: sha256Of(pdf) };
  }
  return read;
}

/** No mailbox can have such an address (RFC 2606). */
const EXAMPLE = /^signer(-\d+)?@signer\.invalid$/;

const isExample = (email: string): boolean => EXAMPLE.test(email);

/** The signer of a preview without recipients. */
const ANY_SIGNER: Addressee = { name: 'Signer', email: 'signer@signer.invalid', role: 'signer' };

/** The signers that documents ask for, where no recipients were given. */
const anySigners = (count: number): Addressee[] =>
  count === 1
    ? [ANY_SIGNER]
    : Array.from({ length: count }, (_, index) => ({
        ...ANY_SIGNER,
        name: `Signer ${index + 1}`,
        email: `signer-${index + 1}@signer.invalid`,
      }));

/** Removes the address of the example signer from the warnings, and what is about this signer alone. */
const warningsOf = ({ warnings = [] }: Plan): FieldWarning[] =>
  warnings.flatMap((warning) => {
    if (warning.recipient === null || !isExample(warning.recipient)) return [warning];
    if (warning.code === 'recipient_without_signature') return [];
    const message = warning.message.replaceAll(/ for signer(?:-\d+)?@signer\.invalid/g, '');
    return [{ ...warning, recipient: null, message }];
  });

/** Of a project file: what is drawn on a page. */
const isShown = (option: string): boolean =>
  ['to', 'field', 'tags', 'form-fields', 'form-to'].includes(option);

function counter(): () => string {
  let count = 0;
  return () => String(count++);
}

/** Makes the transaction as it would be once the files are added. */
const transactionOfPlan = (plan: Plan): ReceivedTransaction =>
  ({
    template: {
      documents: plan.files.map((_, index) => ({ id: String(index), index })),
      recipients: [],
      fields: [],
    },
  }) as unknown as ReceivedTransaction;

/** Previews a transaction of the service: downloads its documents, and checks them like any file. */
export async function previewTransaction(
  context: Uses<'connections' | 'process' | 'terminal'>,
  transactionId: string,
): Promise<PreviewContent> {
  const connection = await context.connections.connect();
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const { documents, recipients, fields } = contentOfTransaction(transaction);
  if (documents.length === 0) throw documentsMissing(transaction);
  const read: PreviewedDocument[] = [];
  for (const document of documents) {
    context.process.checkpoint();
    const name = documentName(document);
    read.push({
      id: document.id,
      name,
      ...(await context.terminal.progress.step(`read ${name}`, () =>
        fetchPdf(connection, document, context.process.documents),
      )),
    });
  }
  const placed = fields.flatMap(placedField);
  if (placed.length < fields.length)
    context.terminal.progress.warn(
      `${fields.length - placed.length} of the fields are not drawn: the service does not return their positions.`,
    );
  const people = recipients.map(({ id, name, email, color }, index) => ({
    id,
    name,
    email,
    color: color ?? colorAt(index),
  }));
  const warnings = [];
  for (const document of read) {
    const here = fieldsIn(document, placed, people);
    warnings.push(...(await findCoveredFields(document, here, context.process.documents)));
    warnings.push(...findOverlappingFields(document.name, here));
  }
  return {
    id: transaction.id,
    documents: read,
    people,
    fields: placed,
    warnings,
  };
}

const fieldsIn = (
  document: PreviewedDocument,
  fields: readonly PreviewedField[],
  people: readonly PreviewedPerson[],
): FieldOnPage[] =>
  fields
    .filter(({ document_id, page }) => document_id === document.id && page < document.pages.length)
    .map(({ type, recipient_id, page, positionX, positionY, width, height }) => ({
      type,
      recipient: people.find(({ id }) => id === recipient_id)?.email ?? null,
      box: { page, positionX, positionY, width, height },
    }));

/** Far beyond any page. A service may answer with any number, or none. */
const FARTHEST_POINTS = 1_000_000;

const isNear = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Math.abs(value) < FARTHEST_POINTS;

/** Places a field. Empty for a field whose position the service does not tell. */
function placedField(field: ReceivedField): PreviewedField[] {
  const { document_id, recipient_id, type, label, is_required, page } = field;
  const { positionX, positionY, width, height } = field;
  if (!isNear(page) || !isNear(positionX) || !isNear(positionY) || !isNear(width) || !isNear(height))
    return [];
  return [
    {
      ...{ document_id, recipient_id, type, page, positionX, positionY, width, height },
      ...(label && { label }),
      ...(typeof is_required === 'boolean' && { is_required }),
    },
  ];
}
