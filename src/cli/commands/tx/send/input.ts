// Reads and checks the input of `tx send`: first what needs no service, then the plan for the service it goes to.
import { randomBytes, randomUUID } from 'node:crypto';
import { inWords } from '../../../../api/contract/field-error.ts';
import { sameEmail } from '../../../../api/contract/values.ts';
import { once } from '../../../../common/once.ts';
import type { DocumentEngine } from '../../../../pdf/engine/engine.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { convertToPdf } from '../../../input/as-pdf.ts';
import { readFieldFile } from '../../../input/field-file.ts';
import { type GivenField, isAnchored, parseFieldSpec } from '../../../input/field-spec.ts';
import { createFileReader, type FileReader, type LocalFile, named } from '../../../input/local-file.ts';
import { type Addressee, parseAddressee } from '../../../input/person.ts';
import type { SearchedPdf } from '../../../transactions/anchors.ts';
import { checkFieldTypes } from '../../../transactions/field-types.ts';
import { readForms } from '../../../transactions/form-options.ts';
import { makePlan, type Plan, type PlanParts } from '../../../transactions/plan.ts';
import { resolveSender } from '../../../transactions/sender.ts';
import { readTags, warnOfTags } from '../../../transactions/tag-options.ts';
import { textsOf } from '../../../transactions/texts.ts';
import type { SendInput } from './options.ts';

type Contents = Map<number, Uint8Array<ArrayBuffer>>;

export type ReadInput = { planFor(connection: Connection): Promise<{ plan: Plan; contents: Contents }> };

export async function readSendInput(
  context: Uses<'process' | 'prompts' | 'settings' | 'terminal'>,
  { args, options }: SendInput,
  reading: Promise<LocalFile[]>,
  { tagsMayBeMissing = false } = {},
): Promise<ReadInput> {
  const to = options.to.map((text) => parseAddressee(text, '--to', { takesTag: true }));
  const texts = textsOf(options);
  const specs = options.field.map(parseFieldSpec);
  const reader = createFileReader(context);
  if (args.file.length === 0 && options.template.length === 0)
    throw cliError('file_missing', { hint: 'Specify a file, or use --template.' });
  if ([...args.file, options.fields, options.data].filter((path) => path === '-').length > 1)
    throw cliError('stdin_twice');
  const tagged = await readTags(
    { tags: options.tags, mayBeMissing: tagsMayBeMissing },
    to,
    await reading,
    reader.documents,
  );
  const files = tagged?.files ?? (await reading);
  const places = placesIn(files, reader.documents, tagged?.pdfs);
  const listed = options.fields === undefined ? [] : await readFieldFile(options.fields, reader);
  const offered = mayBeOffered(context, { args, options }, [specs, listed, tagged?.fields ?? []].flat())
    ? await offerFields(context, to, await places.readyPdfs(), reader.documents)
    : undefined;
  const form = await readForms(
    offered?.takesForms ? { ...options, 'form-fields': true } : options,
    to.length,
    { pdfs: places.readyPdfs, mayChange: true },
    reader.documents,
  );
  const unread = tagged ? [] : await warnOfTags(await places.readyPdfs(), reader.documents);
  const given = [
    ...specs,
    ...listed,
    ...(tagged?.fields ?? []),
    ...(offered?.fields ?? []),
    ...(form?.fields ?? []),
  ];
  const fields = options.data === undefined ? given : await fillFields(options.data, given, to, reader);
  const parts = {
    id: newPlanId(),
    files,
    templates: options.template,
    to,
    fields,
    texts,
    notify: options.notify,
    draft: options.draft || (options.edit && !options['dry-run']),
  };
  return {
    async planFor(connection) {
      const taken = await fieldsFor(connection, await places.ofWords(fields), files);
      const known = connection.isSandbox ? await checkInSandbox(connection, fields, options.template) : {};
      const mayBeLeft = known.bringsSender ?? options.template.length > 0;
      const sender = await resolveSender(context, connection, options.sender, mayBeLeft);
      const name = texts.name ?? (files.length === 0 ? known.templateName : undefined);
      const plan = makePlan({
        ...parts,
        ...taken,
        emptied: form?.emptied,
        removed: tagged?.removed,
        warnings: [...unread, ...(form?.warnings ?? []), ...(taken.warnings ?? [])],
        sender,
        texts: { ...texts, name },
        newId: connection.makesRecipientIds ? randomUUID : undefined,
      });
      if (known.people) checkHolders(plan, known.people);
      const complete = await places.ofSignatures(plan);
      return { plan: complete, contents: new Map(files.map(({ bytes }, index) => [index, bytes])) };
    },
  };
}

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

async function offerFields(...parts: Parameters<typeof import('./offer-suggestions.ts').offerSuggestions>) {
  const { offerSuggestions } = await import('./offer-suggestions.ts');
  return offerSuggestions(...parts);
}

/** Draws values into the files for a service that does not take values of fields. */
async function fieldsFor(
  { takesFieldValues, profile }: Connection,
  fields: GivenField[],
  files: readonly LocalFile[],
): Promise<Pick<PlanParts, 'drawn' | 'warnings'> & { fields: GivenField[] }> {
  const isFilledIn = ({ properties: { value, readonly } }: GivenField) =>
    value !== undefined || readonly !== undefined;
  if (takesFieldValues || !fields.some(isFilledIn)) return { fields };
  const { withoutFormValues } = await import('../../../transactions/form-fields.ts');
  const left = withoutFormValues(fields, files);
  const { splitByValue } = await import('../../../transactions/drawn-values.ts');
  const split = splitByValue(left.fields, files, profile);
  return { ...split, warnings: [...left.warnings, ...split.warnings] };
}

/** Finds places on files that are PDFs; others get theirs once the service has converted them. */
function placesIn(
  files: readonly LocalFile[],
  documents: DocumentEngine,
  known?: readonly (SearchedPdf | undefined)[],
) {
  const readyPdfs = once(async () => {
    if (known) return known;
    const pdfs: (SearchedPdf | undefined)[] = [];
    for (const file of files) {
      if (file.type !== 'pdf') pdfs.push(undefined);
      else pdfs.push({ name: file.name, ...(await convertToPdf(file, named(file.path), documents)) });
    }
    return pdfs;
  });
  return {
    readyPdfs,
    /** Places the fields that are at words. */
    async ofWords(fields: readonly GivenField[]): Promise<GivenField[]> {
      if (!fields.some(isAnchored)) return [...fields];
      for (const field of fields) checkText(field, files);
      const { resolveAnchors } = await import('../../../transactions/anchors.ts');
      const pdfs = await readyPdfs();
      return resolveAnchors(fields, ({ document = 1 }) => pdfs[document - 1], documents);
    },
    /** Places the signatures that have no field. */
    async ofSignatures(plan: Plan): Promise<Plan> {
      if (plan.fields.length + plan.boxesFor.length === 0) return plan;
      const { placeSignatures } = await import('../../../transactions/signature-places.ts');
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

async function fillFields(
  path: string,
  fields: readonly GivenField[],
  to: readonly Addressee[],
  reader: FileReader,
): Promise<GivenField[]> {
  const { readDataFile, withData } = await import('../../../input/data-file.ts');
  return withData(fields, await readDataFile(path, reader), to);
}

/** What is known of the templates. Unknown for another service, whose templates may have another URL. */
type KnownOfTemplates = {
  templateName?: string | undefined;
  bringsSender?: boolean | undefined;
  people?: readonly string[];
};

/**
 * Checks what the sandbox would refuse after the draft is made. Another service may know other types, and have its templates at
 * another address, so it checks that itself.
 */
async function checkInSandbox(
  { client, fieldErrors }: Connection,
  fields: readonly GivenField[],
  templates: readonly string[],
): Promise<KnownOfTemplates> {
  checkFieldTypes(fields);
  if (fieldErrors) await checkProperties(fields, fieldErrors);
  const found = [];
  for (const templateId of templates) found.push(await client['template.detail']({ params: { templateId } }));
  return {
    templateName: found[0]?.name,
    bringsSender: found.some(({ recipients }) => recipients?.some(({ role }) => role === 'sender')),
    people: found.flatMap(({ recipients }) => recipients?.flatMap(({ email }) => email ?? []) ?? []),
  };
}

/** @throws CliError exit 2 with the first field that has a property with a wrong value, or lacks one */
async function checkProperties(
  fields: readonly GivenField[],
  fieldErrors: NonNullable<Connection['fieldErrors']>,
): Promise<void> {
  if (fields.length === 0) return;
  const [first] = await fieldErrors(fields.map(({ type, properties }) => ({ ...properties, type })));
  if (!first) return;
  const [, position = '', ...property] = first.path.split('.');
  throw cliError('field_invalid', {
    field: fields[Number(position)]?.source ?? '',
    problem: `cannot be used: ${inWords({ ...first, path: property.join('.') })}`,
    hint: 'See `esign help fields` for the properties of a field.',
  });
}

/** Checks that the recipient of each field is named by --to, or can come with a template. */
function checkHolders({ fields, recipients }: Plan, people: readonly string[]): void {
  const known = [...recipients.map(({ email }) => email), ...people];
  for (const { recipient, source } of fields)
    if (!known.some((email) => sameEmail(email, recipient)))
      throw cliError('field_recipient_unknown', { field: source, recipient });
}

/** Makes the id of a plan: short enough to be typed, with 60 random bits, so that no two are the same. */
function newPlanId(): string {
  const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'; // 31 signs that are not mistaken for each other
  const bytes = randomBytes(12);
  return `plan-${[...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')}`;
}
