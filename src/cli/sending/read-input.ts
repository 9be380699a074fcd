// Reads the input of `tx send` and plans the sending: first what needs no service, then the plan for the service that it goes to. Defaults come
// from the file of a project. That file comes with a repository, which other people may have written, so a command prints what it takes
// from there, and the recipients with their values before the first request.
import { randomBytes, randomUUID } from 'node:crypto';
import { sameEmail } from '../../api/contract/values.ts';
import { nearest } from '../../common/nearest.ts';
import { PROJECT_FILE, type Project, readProject } from '../../config/project-file.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import type { LocalFile } from '../input/documents.ts';
import {
  type DataEntry,
  type FillableField,
  readDataFile,
  readFieldFile,
  readFieldList,
  withData,
} from '../input/field-file.ts';
import { type GivenField, isAnchored, parseFieldSpec } from '../input/field-spec.ts';
import { createFileReader, refuseStdinTwice } from '../input/files.ts';
import { type Addressee, parseAddressee } from '../input/person.ts';
import { safeText } from '../terminal/safe-text.ts';
import { type EmptiedForm, readForms } from './forms.ts';
import { type SendInput, type Texts, textsOf } from './options.ts';
import { type ReadyPdfs, readyPdfsOf, withWordDocuments } from './pdfs.ts';
import { placeSignatures, resolveAnchors } from './place.ts';
import { documentsNotGiven, makePlan, type Plan, recipientNotGiven } from './plan.ts';
import { checkFieldTypes, checkProperties, fieldsToSend } from './preparations.ts';
import { resolveSender } from './recipients.ts';
import { type FieldWarning, warnOfTags } from './remarks.ts';
import { offerSuggestions } from './suggestions.ts';
import { type RemovedTags, readTags } from './tags.ts';
import { dataForTemplates, readKnownTemplates, valuesOfTemplates, withAsked } from './templates.ts';

/** The input of `tx send` without what only the service can tell. */
export type SendReading = {
  to: readonly Addressee[];
  texts: Texts;
  files: readonly LocalFile[];
  readyPdfs: () => Promise<ReadyPdfs>;
  /** The fields from all sources: options, files, tags, suggestions and forms. */
  fields: readonly GivenField[];
  data: readonly DataEntry[];
  emptied: EmptiedForm[] | undefined;
  removed: RemovedTags[] | undefined;
  warnings: readonly FieldWarning[];
  /** Whether a person edits the fields in the browser before the draft is started. */
  isEdited: boolean;
};

/** `isConfirmed`: whether the person is asked to confirm the plan before it is sent. */
type ReadOptions = { defaults: ProjectDefaults; isConfirmed: boolean };

/** Reads and checks what needs no service. @param reading the files, whose reading was begun before the options are checked */
export async function readSendInput(
  context: Uses<'process' | 'prompts' | 'settings' | 'terminal'>,
  { args, options }: SendInput,
  reading: Promise<LocalFile[]>,
  { defaults, isConfirmed }: ReadOptions,
): Promise<SendReading> {
  const to = options.to.map((text) => parseAddressee(text, '--to', { takesTag: true }));
  for (const sentence of sharedAddresses(to)) context.terminal.progress.warn(sentence);
  const texts = textsOf(options);
  const specs = [...options.field.map(parseFieldSpec), ...defaults.fields];
  const reader = createFileReader(context);
  const { documents } = reader;
  if (args.file.length === 0 && options.template.length === 0) throw documentsNotGiven();
  refuseStdinTwice([...args.file, options.fields, options.data]);
  const tagSwitches = { tags: options.tags, mayBeMissing: defaults.tags };
  const tagged = await readTags(tagSwitches, to, await reading, documents);
  const files = tagged?.files ?? (await reading);
  const readyPdfs = readyPdfsOf(files, documents, tagged?.pdfs);
  const listed = options.fields === undefined ? [] : await readFieldFile(options.fields, reader);
  const typed = [...specs, ...listed, ...(tagged?.fields ?? [])];
  const isOffered = mayBeOffered(context, { args, options }, typed);
  const pdfs = tagged?.pdfs ?? (await withWordDocuments(await readyPdfs(), files, documents, isOffered));
  const offer = isOffered
    ? await offerSuggestions(context, pdfs, documents, {
        to,
        isConverted: ({ document }) => files[document]?.type !== 'pdf',
        next: options.draft ? 'draft' : isConfirmed ? 'confirm' : 'send',
      })
    : undefined;
  const formSwitches = {
    ...options,
    'form-fields': options['form-fields'] || offer?.takesForms,
    mayBeMissing: defaults.form,
  };
  const form = await readForms(formSwitches, to.length, { pdfs: readyPdfs, mayChange: true }, documents);
  const unread = tagged ? [] : await warnOfTags(pdfs, documents);
  const fields = [...typed, ...(offer?.fields ?? []), ...(form?.fields ?? [])];
  const data = options.data === undefined ? [] : await readDataFile(options.data, reader);
  // The fields of templates are known only with the service.
  if (options.template.length === 0) fillFields(fields, data, to, []);
  return {
    ...{ to, texts, files, readyPdfs, fields, data },
    emptied: form?.emptied,
    removed: tagged?.removed,
    warnings: [...unread, ...(form?.warnings ?? [])],
    isEdited: options.edit || offer?.isEdited === true,
  };
}

export type PlannedSending = { plan: Plan; contents: ReadonlyMap<number, Uint8Array<ArrayBuffer>> };

/** Makes the plan for the service that it goes to, and places its fields. */
export async function planSending(
  context: Uses<'process' | 'prompts'>,
  connection: Connection,
  options: SendInput['options'],
  reading: SendReading,
): Promise<PlannedSending> {
  const { to, texts, files, data, readyPdfs, isEdited } = reading;
  const { documents } = context.process;
  const templates = await readKnownTemplates(connection, options.template, {
    isFilled: data.length > 0,
    people: to,
    hasFiles: files.length > 0,
  });
  const fields = fillFields(reading.fields, data, to, templates.fields ?? 'unknown');
  const placed = fields.some(isAnchored) ? await placeAtWords(fields, files, readyPdfs, documents) : fields;
  const accepted = await fieldsToSend(connection, placed, files);
  // The sandbox would refuse these after the draft is made. Another service may know other types, and have its templates at
  // another address, so it checks them itself.
  if (connection.isSandbox) {
    checkFieldTypes(fields);
    await checkProperties([...fields, ...valuesOfTemplates(data, templates)], connection);
  }
  const mayBeOmitted = templates.bringsSender ?? options.template.length > 0;
  const sender = await resolveSender(context, connection, options.sender, mayBeOmitted);
  const name = texts.name ?? (files.length === 0 ? templates.templateName : undefined);
  const made = makePlan({
    id: newPlanId(),
    ...{ files, to, sender, ...accepted },
    templates: options.template,
    emptied: reading.emptied,
    removed: reading.removed,
    data: options.template.length === 0 ? [] : dataForTemplates(connection, data, { fields, to, templates }),
    warnings: [...reading.warnings, ...(accepted.warnings ?? [])],
    texts: { ...texts, name },
    notify: options.notify,
    draft: options.draft || (isEdited && !options['dry-run']),
    isEdited,
    newId: connection.makesRecipientIds ? randomUUID : undefined,
  });
  const plan = withAsked(made, templates);
  if (templates.people) checkHolders(plan, templates.people);
  const hasFields = plan.fields.length + plan.boxesFor.length > 0;
  return {
    plan: hasFields ? await placeSignatures(plan, await readyPdfs(), documents) : plan,
    contents: new Map(files.map(({ bytes }, index) => [index, bytes])),
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

/** Whether a person can be asked for fields. A script has those it gave, and the editor makes its own offer. */
const mayBeOffered = (
  { prompts, settings }: Uses<'prompts' | 'settings'>,
  { args, options }: SendInput,
  fields: readonly GivenField[],
): boolean =>
  prompts.canAsk &&
  !settings.yes &&
  fields.length === 0 &&
  args.file.length > 0 &&
  options.template.length === 0 &&
  options.data === undefined &&
  !options['form-fields'] &&
  options['form-to'] === undefined &&
  !options.edit &&
  !options['dry-run'];

/** Places fields at words of files that are PDFs; others get their places once the service has converted them. */
async function placeAtWords(
  fields: readonly GivenField[],
  files: readonly LocalFile[],
  readyPdfs: () => Promise<ReadyPdfs>,
  documents: DocumentEngine,
): Promise<GivenField[]> {
  for (const field of fields) checkText(field, files);
  const pdfs = await readyPdfs();
  return resolveAnchors(fields, ({ document = 1 }) => pdfs[document - 1], documents);
}

/** @throws CliError for a field at words of an image */
function checkText(field: GivenField, files: readonly LocalFile[]): void {
  const file = files[(field.document ?? 1) - 1];
  if (!file || !isAnchored(field) || file.type === 'pdf' || file.type === 'docx') return;
  throw cliError('words_unread', {
    sentence: `No field can be placed at "${field.anchor.text}": "${file.name}" is an image, which has no text.`,
    hint: 'Place the field by its position instead; `esign tx preview FILE --grid` shows the coordinates.',
  });
}

/** @param ofTemplates fields that the values may be for as well */
const fillFields = (
  fields: readonly GivenField[],
  data: readonly DataEntry[],
  to: readonly Addressee[],
  ofTemplates: readonly FillableField[] | 'unknown',
): GivenField[] => (data.length === 0 ? [...fields] : withData(fields, data, to, ofTemplates));

/** Checks that the recipient of each field is named by --to, or can come with a template. */
function checkHolders({ fields, recipients }: Plan, people: readonly string[]): void {
  const emails = [...recipients.map(({ email }) => email), ...people];
  for (const { recipient, source } of fields)
    if (!emails.some((email) => sameEmail(email, recipient)))
      throw recipientNotGiven(source, recipient, emails);
}

/** Makes the id of a plan: short enough to be typed, with 60 random bits, so that no two are the same. */
function newPlanId(): string {
  const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'; // 31 signs that are not mistaken for each other
  const bytes = randomBytes(12);
  return `plan-${[...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')}`;
}

/** The input of a command that takes options of `tx send`, under the same names. Not every one places fields. */
type TakesOptions = { options: object & { field?: string[]; fields?: string | undefined } };

/** The fields of a project file, and what it decides; it is for documents with and without tags and forms. */
export type ProjectDefaults = {
  /** Fields of the option `field`. */
  fields: readonly GivenField[];
  /** Whether the file decides that tags are read. */
  tags: boolean;
  /** Whether the file decides that forms are read. */
  form: boolean;
};

type WithProject<I> = {
  input: I;
  /** The file has set the recipients, and not the user. */
  decidesWhoIsAsked: boolean;
  defaults: ProjectDefaults;
};

const NO_DEFAULTS: ProjectDefaults = { fields: [], tags: false, form: false };

/** Adds the defaults of the project to the input. @param takes whether the command uses an option; absent: it uses all */
export async function withProject<I extends TakesOptions>(
  context: Uses<'process' | 'settings' | 'terminal'>,
  input: I,
  takes: (option: string) => boolean = () => true,
): Promise<WithProject<I>> {
  const { process, settings } = context;
  const project = (!settings.ignoresProject && (await readProject(process.workingDir, nearest))) || {};
  const { options } = input;
  const hasFields = (options.field ?? []).length > 0 || options.fields !== undefined;
  const applied = Object.entries(project).filter(
    ([key]) => takes(key) && (key === 'field' ? !hasFields : isOmitted(options[key as keyof typeof options])),
  );
  if (applied.length === 0) return { input, decidesWhoIsAsked: false, defaults: NO_DEFAULTS };
  context.terminal.progress.note(`Options from ${PROJECT_FILE}: ${applied.map(([key]) => key).join(', ')}`);
  const isApplied = (option: string) => applied.some(([key]) => key === option);
  const to = isApplied('to') ? project.to : undefined;
  if (to) printRecipients(context, to);
  return {
    input: {
      ...input,
      options: { ...options, ...Object.fromEntries(applied.filter(([key]) => key !== 'field')) },
    },
    decidesWhoIsAsked: to !== undefined,
    defaults: {
      fields: isApplied('field') ? await readFields(project.field ?? []) : [],
      tags: isApplied('tags'),
      form: isApplied('form-fields'),
    },
  };
}

async function readFields(fields: NonNullable<Project['field']>): Promise<GivenField[]> {
  if (fields.every((field) => typeof field === 'string')) {
    return fields.map(parseFieldSpec);
  }
  return readFieldList(fields, PROJECT_FILE, PROJECT_FILE);
}

/** Prints the recipients, with `--json` as well, so that the log of a CI job has them. `--quiet` prints nothing. */
function printRecipients(
  { settings, terminal: { streams, progress } }: Uses<'settings' | 'terminal'>,
  to: readonly string[],
): void {
  const sentence = `Recipients from ${PROJECT_FILE}: ${to.join(', ')}`;
  if (settings.json && !settings.quiet) streams.err.write(`${safeText(sentence)}\n`);
  else progress.note(sentence);
}

const isOmitted = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : value === undefined || value === false;
