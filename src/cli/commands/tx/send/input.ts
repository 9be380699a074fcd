// Reads and checks the input of `tx send`: first what needs no service, then the plan for the service it goes to.

import { randomBytes, randomUUID } from 'node:crypto';
import { sameEmail } from '../../../../api/contract/values.ts';
import { nearest } from '../../../../common/nearest.ts';
import type { DocumentEngine } from '../../../../pdf/engine/engine.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { type DataEntry, type FillableField, readDataFile, withData } from '../../../input/data-file.ts';
import { readFieldFile } from '../../../input/field-file.ts';
import { type GivenField, isAnchored, parseFieldSpec } from '../../../input/field-spec.ts';
import { createFileReader, type FileReader, type LocalFile } from '../../../input/local-file.ts';
import { type Addressee, parseAddressee } from '../../../input/person.ts';
import { resolveAnchors } from '../../../transactions/anchors.ts';
import { checkFieldTypes } from '../../../transactions/field-types.ts';
import { type FormSwitches, readForms } from '../../../transactions/form-options.ts';
import { type CheckedField, checkProperties, fieldsToSend } from '../../../transactions/known-values.ts';
import { makePlan, type Plan } from '../../../transactions/plan.ts';
import type { ProjectDefaults } from '../../../transactions/project-defaults.ts';
import { type ReadyPdfs, readyPdfsOf } from '../../../transactions/ready-pdfs.ts';
import { resolveSender } from '../../../transactions/sender.ts';
import { placeSignatures } from '../../../transactions/signature-places.ts';
import { readTags, warnOfTags } from '../../../transactions/tag-options.ts';
import { textsOf } from '../../../transactions/texts.ts';
import { withWordDocuments } from '../../../transactions/word-documents.ts';
import { dataForTemplates, readKnownTemplates, valuesOfTemplates } from './known-templates.ts';
import { offerSuggestions } from './offer-suggestions.ts';
import type { SendInput } from './options.ts';

type Contents = Map<number, Uint8Array<ArrayBuffer>>;

export type ReadInput = { planFor(connection: Connection): Promise<{ plan: Plan; contents: Contents }> };

/** `isConfirmed`: whether the person is asked to confirm the plan before it is sent. */
export type ReadOptions = { defaults: ProjectDefaults; isConfirmed: boolean };

export async function readSendInput(
  context: Uses<'process' | 'prompts' | 'settings' | 'terminal'>,
  { args, options }: SendInput,
  reading: Promise<LocalFile[]>,
  { defaults, isConfirmed }: ReadOptions,
): Promise<ReadInput> {
  const to = options.to.map((text) => parseAddressee(text, '--to', { takesTag: true }));
  for (const people of sharedAddresses(to)) context.terminal.progress.warn(people);
  const texts = textsOf(options);
  const specs = [...options.field.map(parseFieldSpec), ...defaults.fields];
  const reader = createFileReader(context);
  if (args.file.length === 0 && options.template.length === 0)
    throw cliError('file_missing', { hint: 'Specify a file, or use --template.' });
  if ([...args.file, options.fields, options.data].filter((path) => path === '-').length > 1)
    throw cliError('stdin_twice');
  const tagged = await readTags(
    { tags: options.tags, mayBeMissing: defaults.tags },
    to,
    await reading,
    reader.documents,
  );
  const files = tagged?.files ?? (await reading);
  const places = placesIn(files, reader.documents, tagged?.pdfs);
  const listed = options.fields === undefined ? [] : await readListedFields(options.fields, reader);
  const isOffered = mayBeOffered(context, { args, options }, [specs, listed, tagged?.fields ?? []].flat());
  const searched = tagged
    ? tagged.pdfs
    : await searchedPdfs(await places.readyPdfs(), files, reader.documents, isOffered);
  const offered = isOffered
    ? await offerFields(context, searched, reader.documents, {
        to,
        isConverted: ({ document }) => files[document]?.type !== 'pdf',
        next: options.draft ? 'draft' : isConfirmed ? 'confirm' : 'send',
      })
    : undefined;
  const isEdited = options.edit || offered?.isEdited === true;
  const form = await readForms(
    formSwitches(options, offered?.takesForms, defaults),
    to.length,
    { pdfs: places.readyPdfs, mayChange: true },
    reader.documents,
  );
  const unread = tagged ? [] : await warnOfTags(searched, reader.documents);
  const given = [
    ...specs,
    ...listed,
    ...(tagged?.fields ?? []),
    ...(offered?.fields ?? []),
    ...(form?.fields ?? []),
  ];
  const data = options.data === undefined ? [] : await readData(options.data, reader);
  // Those of templates are known only with the service.
  if (options.template.length === 0) await fillFields(given, data, to, []);
  const parts = {
    id: newPlanId(),
    files,
    templates: options.template,
    to,
    texts,
    notify: options.notify,
    draft: options.draft || (isEdited && !options['dry-run']),
    isEdited,
  };
  return {
    async planFor(connection) {
      const templates = await readKnownTemplates(connection, options.template, {
        isFilled: data.length > 0,
        people: to,
        hasFiles: files.length > 0,
      });
      const fields = await fillFields(given, data, to, templates.fields ?? 'unknown');
      const taken = await fieldsToSend(connection, await places.ofWords(fields), files);
      if (connection.isSandbox) await checkInSandbox(connection, fields, valuesOfTemplates(data, templates));
      const mayBeLeft = templates.bringsSender ?? options.template.length > 0;
      const sender = await resolveSender(context, connection, options.sender, mayBeLeft);
      const name = texts.name ?? (files.length === 0 ? templates.templateName : undefined);
      const plan = makePlan({
        ...parts,
        ...taken,
        emptied: form?.emptied,
        removed: tagged?.removed,
        data:
          options.template.length === 0 ? [] : dataForTemplates(connection, data, { fields, to, templates }),
        warnings: [...unread, ...(form?.warnings ?? []), ...(taken.warnings ?? [])],
        sender,
        texts: { ...texts, name },
        newId: connection.makesRecipientIds ? randomUUID : undefined,
      });
      if (templates.people) checkHolders(plan, templates.people);
      const complete = await places.ofSignatures(plan);
      return { plan: complete, contents: new Map(files.map(({ bytes }, index) => [index, bytes])) };
    },
  };
}

/** Says who shares an email address: it may be a mailbox of two people, or a mistake. */
const sharedAddresses = (to: readonly Addressee[]): string[] =>
  to.flatMap(({ name, email }, index) => {
    const other = to.slice(0, index).find((earlier) => sameEmail(earlier.email, email));
    return other
      ? [`${other.name} and ${name} have the same email address, ${email}. Each of them is asked there.`]
      : [];
  });

const formSwitches = (
  options: SendInput['options'],
  isOffered: boolean | undefined,
  defaults: ProjectDefaults,
): FormSwitches => ({
  ...options,
  'form-fields': options['form-fields'] || isOffered,
  mayBeMissing: defaults.form,
});

/** Whether a person can be asked for fields. A script has those it gave, and the editor makes its own offer. */
const mayBeOffered = (
  { prompts, settings }: Uses<'prompts' | 'settings'>,
  { args, options }: SendInput,
  given: readonly GivenField[],
): boolean =>
  prompts.canAsk &&
  !settings.yes &&
  given.length === 0 &&
  args.file.length > 0 &&
  options.template.length === 0 &&
  options.data === undefined &&
  !options['form-fields'] &&
  options['form-to'] === undefined &&
  !options.edit &&
  !options['dry-run'];

/** The schemas of the file take as long to build as a twentieth of the command. */
async function readListedFields(path: string, reader: FileReader): Promise<GivenField[]> {
  return readFieldFile(path, reader);
}

async function searchedPdfs(
  pdfs: ReadyPdfs,
  files: readonly LocalFile[],
  documents: DocumentEngine,
  isOffered: boolean,
): Promise<ReadyPdfs> {
  if (!files.some(({ type }) => type === 'docx')) return pdfs;
  return withWordDocuments(pdfs, files, documents, isOffered);
}

async function offerFields(...parts: Parameters<typeof import('./offer-suggestions.ts').offerSuggestions>) {
  return offerSuggestions(...parts);
}

/** Finds places on files that are PDFs; others get theirs once the service has converted them. */
function placesIn(files: readonly LocalFile[], documents: DocumentEngine, known?: ReadyPdfs) {
  const readyPdfs = readyPdfsOf(files, documents, known);
  return {
    readyPdfs,
    /** Places the fields that are at words. */
    async ofWords(fields: readonly GivenField[]): Promise<GivenField[]> {
      if (!fields.some(isAnchored)) return [...fields];
      for (const field of fields) checkText(field, files);
      const pdfs = await readyPdfs();
      return resolveAnchors(fields, ({ document = 1 }) => pdfs[document - 1], documents);
    },
    /** Places the signatures that have no field. */
    async ofSignatures(plan: Plan): Promise<Plan> {
      if (plan.fields.length + plan.boxesFor.length === 0) return plan;
      return placeSignatures(plan, await readyPdfs(), documents);
    },
  };
}

/** @throws CliError for a field at words of an image */
function checkText(field: GivenField, files: readonly LocalFile[]): void {
  const file = files[(field.document ?? 1) - 1];
  if (!file || !isAnchored(field) || file.type === 'pdf' || file.type === 'docx') return;
  throw cliError('words_unread', {
    words: field.anchor.text,
    document: file.name,
    isImage: true,
  });
}

async function readData(path: string, reader: FileReader): Promise<DataEntry[]> {
  return readDataFile(path, reader);
}

/** @param ofTemplates fields that the values may be for as well */
async function fillFields(
  fields: readonly GivenField[],
  data: readonly DataEntry[],
  to: readonly Addressee[],
  ofTemplates: readonly FillableField[] | 'unknown',
): Promise<GivenField[]> {
  if (data.length === 0) return [...fields];
  return withData(fields, data, to, ofTemplates);
}

/**
 * Checks what the sandbox would refuse after the draft is made. Another service may know other types, and have its templates at
 * another address, so it checks that itself.
 */
async function checkInSandbox(
  connection: Connection,
  fields: readonly GivenField[],
  ofTemplates: readonly CheckedField[],
): Promise<void> {
  checkFieldTypes(fields);
  await checkProperties([...fields, ...ofTemplates], connection);
}

/** Checks that the recipient of each field is named by --to, or can come with a template. */
function checkHolders({ fields, recipients }: Plan, people: readonly string[]): void {
  const known = [...recipients.map(({ email }) => email), ...people];
  for (const { recipient, source } of fields)
    if (!known.some((email) => sameEmail(email, recipient)))
      throw cliError('field_recipient_unknown', {
        field: source,
        recipient,
        meant: nearest(recipient, known),
      });
}

/** Makes the id of a plan: short enough to be typed, with 60 random bits, so that no two are the same. */
function newPlanId(): string {
  const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'; // 31 signs that are not mistaken for each other
  const bytes = randomBytes(12);
  return `plan-${[...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')}`;
}
