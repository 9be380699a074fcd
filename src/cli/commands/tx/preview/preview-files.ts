// Previews files before they are sent. It makes the plan as `esign tx send` does, so the fields are those that it
// would set. It must make no request and store nothing.
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import { colorAt } from '../../../../api/contract/recipients.ts';
import { sha256Of } from '../../../../common/sha256.ts';
import type { DocumentEngine } from '../../../../pdf/engine/engine.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import { convertToPdf } from '../../../input/as-pdf.ts';
import { readFieldFile } from '../../../input/field-file.ts';
import { type GivenField, isAnchored, type PlacedField, parseFieldSpec } from '../../../input/field-spec.ts';
import { createFileReader, type LocalFile, named, readLocalFiles } from '../../../input/local-file.ts';
import { type Addressee, parseAddressee, parsePerson } from '../../../input/person.ts';
import { checkFieldTypes } from '../../../transactions/field-types.ts';
import type { FieldWarning } from '../../../transactions/field-warnings.ts';
import type { FormFields } from '../../../transactions/form-fields.ts';
import { type FormSwitches, readForms } from '../../../transactions/form-options.ts';
import { makePlan, type Plan } from '../../../transactions/plan.ts';
import { fieldsOfPlan } from '../../../transactions/plan-fields.ts';
import { withProject } from '../../../transactions/project-defaults.ts';
import { placeSignatures } from '../../../transactions/signature-places.ts';
import { readTags, warnOfTags } from '../../../transactions/tag-options.ts';
import type { PreviewContent, PreviewedDocument, PreviewedSuggestions } from './content.ts';
import type { PreviewInput } from './options.ts';

export async function previewFiles(
  context: Uses<'connections' | 'process' | 'settings' | 'terminal'>,
  typed: PreviewInput,
  paths: readonly string[],
): Promise<PreviewContent> {
  const { input, defaults } = await withProject(context, typed, isShown);
  const { options } = input;
  if ([...paths, options.fields].filter((path) => path === '-').length > 1) throw cliError('stdin_twice');
  const given = options.to.map((text) => parseAddressee(text, '--to', { takesTag: true }));
  const to = given.length > 0 ? given : [ANY_SIGNER];
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
      ...(tagged?.pdfs[index] ?? (await convertToPdf(file, named(file.path), reader.documents))),
    });
  const unread = tagged || options.suggest ? [] : await warnOfTags(documents, reader.documents);
  const switches = { ...options, mayBeMissing: defaults.form };
  const ofForms = await withForms(switches, to.length, { files, documents }, reader.documents);
  const suggested = options.suggest
    ? await suggest(options, given.length > 0 ? given : undefined, documents, reader.documents)
    : undefined;
  // Without --to, all other fields are those of the first signer.
  const ofFirst = (field: GivenField): GivenField => ({ ...field, recipient: field.recipient ?? '1' });
  const others = [...specs, ...listed, ...(tagged?.fields ?? []), ...(ofForms?.fields ?? [])];
  const fields = [...(given.length > 0 ? others : others.map(ofFirst)), ...(suggested?.placed ?? [])];
  const signers = given.length > 0 ? to : anySigners(suggested?.signers ?? 1);
  if ((await context.connections.profile()).remote === undefined) checkFieldTypes(fields);
  const placed = fields.some(isAnchored)
    ? await (await import('../../../transactions/anchors.ts')).resolveAnchors(
        fields,
        ({ document = 1 }) => documents[document - 1],
        reader.documents,
      )
    : fields;
  const made = makePlan({
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
  const plan = await placeSignatures(made, documents, reader.documents);
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
  options: PreviewInput['options'],
  to: readonly Addressee[] | undefined,
  documents: readonly PreviewedDocument[],
  engine: DocumentEngine,
): Promise<PreviewedSuggestions & { placed: PlacedField[]; signers: number }> {
  const { fieldOfSuggestion, specsOf, suggestForDocuments } = await import(
    '../../../transactions/suggestions.ts'
  );
  const made = { form: options['form-fields'], tag: options.tags, line: false };
  const { suggested, omitted } = await suggestForDocuments(documents, to, engine);
  const fields = suggested.filter(({ from }) => !made[from]);
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
  const pdfs = async () => documents.map((one, index) => (files[index]?.type === 'pdf' ? one : undefined));
  const read = await readForms(options, recipients, { pdfs, mayChange: true }, engine);
  for (const { document, places } of read?.emptied ?? []) {
    const { prepareFile } = await import('../../../transactions/drawn-values.ts');
    const there = documents[document]!;
    const bytes = new Uint8Array(there.pdf);
    const { content: pdf } = await prepareFile(bytes, { fields: [], emptied: places }, there.name, engine);
    documents[document] = { ...there, pdf, sha256: sha256Of(pdf) };
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

/** Removes the address of the example signer from the warnings. */
const warningsOf = ({ warnings = [] }: Plan): FieldWarning[] =>
  warnings.map((warning) =>
    warning.recipient !== null && isExample(warning.recipient)
      ? { ...warning, recipient: null, message: warning.message.replace(` for ${warning.recipient}`, '') }
      : warning,
  );

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
