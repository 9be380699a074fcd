// Uploads files and adds each to a draft, with the fields of its tags and its form. It reads and checks all of them before it sends the first
// one. A file has its fields before the next one is sent.
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError, PartialFailure } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { createFileReader, type LocalFile, readLocalFiles } from '../../../input/local-file.ts';
import { fieldsToKeep, updateBody } from '../../../transactions/bodies.ts';
import { resolveField } from '../../../transactions/draft-fields.ts';
import { warnOfFields } from '../../../transactions/field-warnings.ts';
import { type Preparation, preparationBody, preparationOf } from '../../../transactions/preparations.ts';
import { prepareUpload } from '../../../transactions/prepare-upload.ts';
import { withProject } from '../../../transactions/project-defaults.ts';
import { pairRecipients } from '../../../transactions/recipients.ts';
import { remarksIn, warnOfRemarks } from '../../../transactions/remarks.ts';
import { contentOfTransaction, summaryOutcome } from '../../../transactions/view.ts';
import { type DraftPeople, readDraftPeople } from './draft-people.ts';
import type { UploadInput } from './options.ts';
import { type FieldOfFile, type FieldsOfFiles, mentionTags, readFieldsOfFiles } from './read-fields.ts';

type UploadContext = Uses<'connections' | 'process' | 'prompts' | 'settings' | 'terminal'>;

export async function uploadFiles(context: UploadContext, typed: UploadInput): Promise<Outcome> {
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
      fields: read.fields.filter((one) => one.file === index),
      preparation: preparationOf(read.preparations, index),
      // A draft takes recipients once it has a document.
      draft: index === 0 ? draft : { ...draft, recipients: undefined },
    });
  return summaryOutcome(await client['transaction.detail']({ params }), connection, {
    headline: 'Added the files.',
    json: { warnings: read.warnings },
  });
}

/** Of a project file: what concerns the files. The recipients are those of the draft. */
const isOfFiles = (option: string): boolean => ['tags', 'form-fields', 'form-to'].includes(option);

const takesFields = (options: UploadInput['options']): boolean => options.tags || options['form-fields'];

function checkOptions({ args, options }: UploadInput): void {
  if ([...args.file, options.data].filter((path) => path === '-').length > 1) throw cliError('stdin_twice');
  if (options['form-to'] !== undefined && !options['form-fields'])
    throw cliError('options_conflict', { option: '--form-to', needs: '--form-fields' });
  if (takesFields(options)) return;
  const { to, sender, data } = options;
  const given = [to.length > 0 && '--to', sender !== undefined && '--sender', data !== undefined && '--data'];
  const option = given.find((one) => one !== false);
  if (option) throw cliError('options_conflict', { option, needs: '--tags or --form-fields' });
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
    const found = pairRecipients(specs, contentOfTransaction(transaction).recipients);
    const added = fields.map(({ field, person }) => {
      const recipient_id = found.get(specs[person]!)?.id;
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
  throw cliError('answer_incomplete', { missing: 'the document that was added to the transaction' });
}
