// `esign tx upload`: adds files to a draft, with the fields of their tags and forms. It reads and checks all files before it sends the first one.
// A file has its fields before the next one is sent.

import type { ReceivedTransaction } from '../../../api/contract/transactions.ts';
import type { DocumentEngine } from '../../../pdf/engine/engine.ts';
import { type CommandInput, defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError, PartialFailure } from '../../command/errors.ts';
import { list, prints } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { FIELD_WARNING, transaction } from '../../command/transaction-json.ts';
import { optionNeeds } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import { type LocalFile, readLocalFiles } from '../../input/documents.ts';
import { readDataFile, withData } from '../../input/field-file.ts';
import { isAnchored, type PlacedField } from '../../input/field-spec.ts';
import { createFileReader, type FileReader, refuseStdinTwice } from '../../input/files.ts';
import { type Addressee, parseAddressee } from '../../input/person.ts';
import {
  answerIncomplete,
  fieldsToKeep,
  recipientSpecOf,
  recipientUnknown,
  resolveField,
  updateBody,
} from '../../sending/bodies.ts';
import { resolveBox } from '../../sending/boxes.ts';
import { readForms } from '../../sending/forms.ts';
import { type ReadyPdfs, readyPdfsOf } from '../../sending/pdfs.ts';
import {
  checkFieldTypes,
  checkProperties,
  fieldsToSend,
  type Preparation,
  type Preparations,
  preparationBody,
  preparationOf,
  prepareUpload,
} from '../../sending/preparations.ts';
import { type ProjectDefaults, withProject } from '../../sending/read-input.ts';
import {
  checkDistinct,
  findRecipientByEmail,
  pairRecipients,
  type RecipientSpec,
  resolveSender,
  withSender,
} from '../../sending/recipients.ts';
import {
  type FieldWarning,
  findCoveredFields,
  findOverlappingFields,
  remarksIn,
  warnOfFields,
  warnOfRemarks,
  warnOfTags,
} from '../../sending/remarks.ts';
import { readTags } from '../../sending/tags.ts';
import { contentOfTransaction, summaryOutcome } from '../../sending/view.ts';

const UPLOAD_ARGUMENTS = [
  { name: 'id', completes: 'transaction', summary: 'ID of the transaction' },
  {
    name: 'file',
    repeat: true,
    completes: 'file',
    summary:
      'PDF, Word document (.docx) or image (PNG, JPEG, WebP, GIF, TIFF, BMP) to add, up to 10 MB each; - reads standard input',
  },
] as const;

const UPLOAD_OPTIONS = {
  tags: {
    summary: 'Make fields of the tags in the documents',
    details:
      'As with `esign tx send`: the tags are removed before the upload. r1 is the first recipient of the transaction who signs.',
  },
  to: {
    value: 'RECIPIENT',
    short: 't',
    repeat: true,
    completes: 'recipient',
    summary: 'Recipient of the fields as "Name <email>[,role=proxy][,tag=NAME]"',
    details:
      'One who is no recipient of the transaction yet is added after the others, with the first file. ,tag=NAME is the role that tags name.',
  },
  sender: { value: 'PERSON', summary: 'You as "Name <email>", if --to adds the first recipients' },
  'form-fields': {
    summary: 'Make fields of the form of each PDF',
    details:
      'As with `esign tx send`: a value of the form becomes the value of its field, and is removed from the page before the upload.',
  },
  'form-to': {
    value: 'EMAIL',
    summary: 'Recipient who fills in the form (default: the only one)',
    details: 'The email of a recipient of the transaction, or their number, from 1.',
  },
  data: {
    value: 'FILE',
    completes: 'file',
    summary: 'JSON file with values of these fields by label',
    details: 'As with `esign tx send`.',
  },
} as const;

type UploadInput = CommandInput<typeof UPLOAD_ARGUMENTS, typeof UPLOAD_OPTIONS>;

export const command = defineCommand({
  summary: 'Upload files and add them to a draft',
  details:
    'If content of a file cannot be kept or displayed (an approximate layout, a missing font, a page that ' +
    'cannot be rendered), a warning is printed. `esign tx show` lists the same warnings with the document. ' +
    'With --tags and --form-fields, each file gets its fields before the next one is uploaded. The recipients ' +
    'of these fields are those of the transaction, and those that --to adds.',
  manual:
    'All files, tags and forms are checked before the first upload. If the command is interrupted, or the service refuses something, ' +
    'the error says which document is without its fields.',
  arguments: UPLOAD_ARGUMENTS,
  options: UPLOAD_OPTIONS,
  json: prints(transaction({}, { warnings: list(FIELD_WARNING) })),
  examples: [
    { line: 'esign tx upload @ contract.pdf annex.pdf', about: 'Add two documents to a draft' },
    {
      line: 'esign tx upload @ lease.pdf --tags --to "Ada <ada@example.com>,tag=Tenant"',
      about: 'Make fields of the tags in a document',
    },
  ],
  run: uploadFiles,
});

type UploadContext = Uses<'connections' | 'process' | 'prompts' | 'settings' | 'terminal'>;

async function uploadFiles(context: UploadContext, typed: UploadInput): Promise<Outcome> {
  const { input, defaults } = await withProject(context, typed, isOfFiles);
  const { args, options } = input;
  checkOptions(input);
  const reader = createFileReader(context);
  const files = await readLocalFiles(args.file, reader);
  const connection = await context.connections.connect();
  const { client } = connection;
  const params = { transactionId: args.id };
  const upload = { context, connection, id: args.id };
  let draft: DraftPeople = { people: [], recipients: undefined };
  let read: FieldsOfFiles;
  if (takesFields(options)) {
    const transaction = await client['transaction.detail']({ params });
    draft = await readDraftPeople(context, connection, transaction, options);
    read = await readFieldsOfFiles(files, options, { connection, reader, defaults, people: draft.people });
  } else read = await mentionTags(files, reader.documents);
  warnOfFields(context, read.warnings);
  for (const [index, file] of files.entries())
    await addFile(upload, {
      file,
      fields: read.fields.filter((field) => field.file === index),
      preparation: preparationOf(read.preparations, index),
      // A draft takes recipients once it has a document.
      draft: index === 0 ? draft : { ...draft, recipients: undefined },
    });
  return summaryOutcome(await client['transaction.detail']({ params }), connection, {
    headline: 'Added the files.',
    json: { warnings: read.warnings },
  });
}

/** Takes from a project file what concerns the files, because the recipients are those of the draft. */
const isOfFiles = (option: string): boolean => ['tags', 'form-fields', 'form-to'].includes(option);

const takesFields = (options: UploadInput['options']): boolean => options.tags || options['form-fields'];

function checkOptions({ args, options }: UploadInput): void {
  refuseStdinTwice([...args.file, options.data]);
  if (options['form-to'] !== undefined && !options['form-fields'])
    throw optionNeeds('--form-to', '--form-fields');
  if (takesFields(options)) return;
  const { to, sender, data } = options;
  const flags = [to.length > 0 && '--to', sender !== undefined && '--sender', data !== undefined && '--data'];
  const option = flags.find((flag) => flag !== false);
  if (option) throw optionNeeds(option, '--tags or --form-fields');
}

type Upload = { context: UploadContext; connection: Connection; id: string };

type NewDocument = {
  file: LocalFile;
  fields: readonly FieldOfFile[];
  preparation: Preparation;
  draft: DraftPeople;
};

/** Adds a file with its fields. @throws PartialFailure that says whether the document is there without them */
async function addFile(upload: Upload, document: NewDocument): Promise<void> {
  const { context, id } = upload;
  const { file, fields, draft } = document;
  const isMore = fields.length > 0 || draft.recipients !== undefined;
  let isAdded = false;
  try {
    context.process.checkpoint();
    const documentId = await addDocument(upload, document);
    isAdded = true;
    if (isMore) await setFields(upload, document, documentId);
  } catch (error) {
    throw new PartialFailure(error, {
      partial: { id },
      ...(isAdded &&
        isMore && {
          hint: `"${file.name}" was added without its fields. Remove it with \`esign tx update ${id} --document …\`, which takes the IDs of the documents that stay, and upload the file again.`,
        }),
      next: [{ command: `esign tx show ${id}`, when: 'to see its documents' }],
    });
  }
}

/** Uploads a file and adds it. @returns the ID of the document, where the service returns it */
async function addDocument(
  { context, connection, id }: Upload,
  { file, preparation }: NewDocument,
): Promise<string | undefined> {
  const { client, takesPreparations } = connection;
  const { name, bytes, sha256 } = file;
  const { progress } = context.terminal;
  const { content, remarks } = await prepareUpload(preparation, file, context.process.documents);
  const uploaded = await progress.step(`upload ${name}`, (onSent) =>
    client['file.upload']({ form: { name }, file: { name, content } }, { onSent }),
  );
  warnOfRemarks(context, { name, remarks: [...remarks, ...remarksIn(uploaded)] });
  const original = { sha256, sizeBytes: bytes.length };
  const statement = takesPreparations ? preparationBody(preparation, original) : undefined;
  const body = { token: uploaded.token, ...(statement && { preparation: statement }) };
  const added = await progress.step(`add ${name}`, () =>
    client['transaction.add_document']({ params: { transactionId: id }, body }),
  );
  return added.document_id ?? undefined;
}

/** Adds the new recipients, and the fields of the document to those of the others. */
async function setFields(
  { context, connection: { client }, id }: Upload,
  { file, fields, draft: { recipients, people } }: NewDocument,
  documentId: string | undefined,
): Promise<void> {
  const params = { transactionId: id };
  await context.terminal.progress.step(`set the fields of ${file.name}`, async () => {
    let transaction = await client['transaction.detail']({ params });
    if (recipients) {
      await client['transaction.update']({
        params,
        body: updateBody(transaction, { texts: {}, recipients }),
      });
      transaction = await client['transaction.detail']({ params });
    }
    if (fields.length === 0) return;
    const document_id = documentId ?? lastDocument(transaction);
    const specs = people.map(({ recipient }) => recipient);
    const matches = pairRecipients(specs, contentOfTransaction(transaction).recipients);
    const added = fields.map(({ field, person }) => {
      const recipient_id = matches.get(specs[person]!)?.id;
      return resolveField(
        { ...field, properties: { ...field.properties, document_id, recipient_id } },
        transaction,
      );
    });
    await client['transaction.fields']({
      params,
      body: { fields: [...fieldsToKeep(transaction), ...added] },
    });
  });
}

/** A document is added after the others. */
function lastDocument(transaction: ReceivedTransaction): string {
  const last = contentOfTransaction(transaction).documents.at(-1);
  if (last) return last.id;
  throw answerIncomplete('the document that was added to the transaction');
}

/** `recipient`: how the draft has them. */
type DraftPerson = Addressee & { recipient: RecipientSpec };

type DraftPeople = {
  /** Those who act, in signing order, with their roles of tags. Numbers count them. */
  people: readonly DraftPerson[];
  /** All recipients of the draft as they will be; undefined where none is added. */
  recipients: readonly RecipientSpec[] | undefined;
};

/** Reads the recipients. @throws CliError exit 2 for a --to that contradicts the draft */
async function readDraftPeople(
  context: Uses<'prompts'>,
  connection: Connection,
  transaction: ReceivedTransaction,
  options: Pick<UploadInput['options'], 'to' | 'sender'>,
): Promise<DraftPeople> {
  const present = contentOfTransaction(transaction).recipients.map(recipientSpecOf);
  const to = options.to.map((text) => ({ ...parseAddressee(text, '--to', { takesTag: true }), text }));
  const matches = pairRecipients(to, present);
  for (const recipient of to) if (matches.has(recipient)) checkRole(recipient, matches.get(recipient)!);
  const added = to
    .filter((recipient) => !matches.has(recipient))
    .map(({ name, email, role }) => ({ name, email, role }));
  const all =
    added.length > 0 ? await withAdded(context, connection, { present, added }, options.sender) : present;
  checkDistinct(all);
  const named = pairRecipients(to, all);
  const tagOf = (recipient: RecipientSpec) => to.find((person) => named.get(person) === recipient)?.tag;
  const isNamed = (recipient: RecipientSpec) => [...named.values()].includes(recipient);
  return {
    people: all
      .filter((recipient) => recipient.role !== 'sender' || isNamed(recipient))
      .map((recipient) => {
        const { name, email } = recipient;
        return { name, email, role: 'signer', tag: tagOf(recipient), recipient };
      }),
    recipients: added.length > 0 ? all : undefined,
  };
}

type Merged = { present: readonly RecipientSpec[]; added: readonly RecipientSpec[] };

/** Adds recipients after those of the draft. A draft without a sender gets one. */
async function withAdded(
  context: Uses<'prompts'>,
  connection: Connection,
  { present, added }: Merged,
  flag: string | undefined,
): Promise<RecipientSpec[]> {
  const all = [...present, ...added];
  if (present.some(({ role }) => role === 'sender')) return all;
  return withSender(all, await resolveSender(context, connection, flag, false));
}

function checkRole({ role, text }: Addressee & { text: string }, existing: RecipientSpec): void {
  if (role === 'proxy' && existing.role !== 'proxy')
    throw cliError('recipient_invalid', {
      sentence: `--to "${text}" has the role proxy, but is a ${existing.role} in the draft.`,
      hint: 'Change roles with `esign tx update`.',
    });
}

/** A field of the file at a position, from 0, for one of the people, from 0. */
type FieldOfFile = { field: PlacedField; file: number; person: number };

type FieldsOfFiles = {
  fields: readonly FieldOfFile[];
  preparations: Preparations;
  warnings: readonly FieldWarning[];
};

type Reading = {
  connection: Connection;
  people: readonly Addressee[];
  reader: FileReader;
  defaults: ProjectDefaults;
};

/** Mentions the tags of files whose tags are not read. */
async function mentionTags(files: readonly LocalFile[], documents: DocumentEngine): Promise<FieldsOfFiles> {
  const pdfs = await readyPdfsOf(files, documents)();
  return { fields: [], preparations: {}, warnings: await warnOfTags(pdfs, documents) };
}

/** Reads the fields. @throws CliError exit 2 for what the service would refuse after an upload, as far as it is known */
async function readFieldsOfFiles(
  files: readonly LocalFile[],
  options: UploadInput['options'],
  { connection, people, reader, defaults }: Reading,
): Promise<FieldsOfFiles> {
  const { documents } = reader;
  const tags = { tags: options.tags, mayBeMissing: defaults.tags };
  const tagged = await readTags(tags, people, files, documents);
  const sent = tagged?.files ?? files;
  const pdfs = readyPdfsOf(sent, documents, tagged?.pdfs);
  const switches = { ...options, mayBeMissing: defaults.form };
  const form = await readForms(switches, people.length, { pdfs, mayChange: true }, documents);
  const unread = tagged ? [] : await warnOfTags(await pdfs(), documents);
  const unfilled = [...(tagged?.fields ?? []), ...(form?.fields ?? [])];
  const filled =
    options.data === undefined ? unfilled : await fillIn(unfilled, options.data, { people, reader });
  if (connection.isSandbox) {
    checkFieldTypes(filled);
    await checkProperties(filled, connection);
  }
  const accepted = await fieldsToSend(connection, filled, sent);
  const fields = accepted.fields.flatMap((field) =>
    isAnchored(field) ? [] : [{ field, file: (field.document ?? 1) - 1, person: personOf(field, people) }],
  );
  const covered = await findCovered(fields, people, await pdfs(), documents);
  return {
    fields,
    preparations: { drawn: accepted.drawn, emptied: form?.emptied, removed: tagged?.removed },
    warnings: [...unread, ...(form?.warnings ?? []), ...(accepted.warnings ?? []), ...covered],
  };
}

async function fillIn(
  fields: readonly PlacedField[],
  path: string,
  { people, reader }: Pick<Reading, 'people' | 'reader'>,
) {
  return withData(fields, await readDataFile(path, reader), people);
}

/** @returns the position of who fills in the field. @throws CliError exit 2 where it is none of the people */
function personOf({ recipient = '1', source }: PlacedField, people: readonly Addressee[]): number {
  const match = /^\d+$/.test(recipient)
    ? people[Number(recipient) - 1]
    : findRecipientByEmail(people, recipient, source);
  if (match) return people.indexOf(match);
  throw recipientUnknown(source, recipient, people);
}

/** Warns of fields that cover text. @throws CliError exit 2 for a field that is off its page */
async function findCovered(
  fields: readonly FieldOfFile[],
  people: readonly Addressee[],
  pdfs: ReadyPdfs,
  documents: DocumentEngine,
): Promise<FieldWarning[]> {
  const warnings: FieldWarning[] = [];
  for (const [index, pdf] of pdfs.entries()) {
    if (!pdf) continue;
    const here = fields
      .filter(({ file }) => file === index)
      .map(({ field, person }) => ({
        type: field.type,
        recipient: people[person]?.email ?? null,
        box: resolveBox(field, { sizes: pdf.pages }, pdf.name),
      }));
    warnings.push(
      ...(await findCoveredFields(pdf, here, documents)),
      ...findOverlappingFields(pdf.name, here),
    );
  }
  return warnings;
}
