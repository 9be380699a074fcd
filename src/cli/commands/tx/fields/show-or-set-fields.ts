// `tx fields`: shows, adds or replaces the fields of a transaction.

import { TODAY } from '../../../../api/contract/date-format.ts';
import type {
  ReceivedDocument,
  ReceivedField,
  ReceivedTransaction,
} from '../../../../api/contract/received.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { ListOutcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { readFieldFile } from '../../../input/field-file.ts';
import { type GivenField, isAnchored, type PlacedField, parseFieldSpec } from '../../../input/field-spec.ts';
import { createFileReader } from '../../../input/local-file.ts';
import type { SearchedPdf } from '../../../transactions/anchors.ts';
import { fieldsToKeep } from '../../../transactions/bodies.ts';
import { actingRecipients, documentOf, resolveField } from '../../../transactions/draft-fields.ts';
import { warnOfFields } from '../../../transactions/field-warnings.ts';
import { readForms } from '../../../transactions/form-options.ts';
import {
  contentOfTransaction,
  documentName,
  withoutSignature,
  withoutSignatureSentence,
} from '../../../transactions/view.ts';
import type { FieldsInput } from './options.ts';

type FieldsContext = Uses<'connections' | 'process' | 'terminal'>;

export async function showOrSetFields(
  context: FieldsContext,
  { args, options }: FieldsInput,
): Promise<ListOutcome> {
  if (options.add && options.replace)
    throw cliError('options_conflict', { option: '--add', conflictsWith: '--replace' });
  const specs = options.field.map(parseFieldSpec);
  const given =
    options.from === undefined
      ? specs
      : [...specs, ...(await readFieldFile(options.from, createFileReader(context)))];
  const connection = await context.connections.connect();
  const { client } = connection;
  const params = { transactionId: args.id };
  const transaction = await client['transaction.detail']({ params });
  if (!isSetting(options)) return fieldList(transaction);
  for (const { type, properties, source } of connection.takesFieldValues ? [] : given)
    if (properties.value !== undefined || properties.readonly !== undefined) {
      const isOfSigning = type === 'date' && properties.value === TODAY;
      throw cliError('field_value_unknown', { field: source, profile: connection.profile, isOfSigning });
    }
  const placed = given.some(isAnchored) ? await placeAtWords(context, connection, given, transaction) : given;
  const ofForms = await fieldsOfForms(context, connection, options, transaction);
  const added = [...placed, ...ofForms].map((field) => resolveField(field as PlacedField, transaction));
  await client['transaction.fields']({
    params,
    body: { fields: [...(options.replace ? [] : fieldsToKeep(transaction)), ...added] },
  });
  return fieldList(await client['transaction.detail']({ params }));
}

/** Whether the options set fields, and do not only show them. */
export const isSetting = (options: FieldsInput['options']): boolean =>
  options.field.length > 0 ||
  [options.from, options['form-to']].some((given) => given !== undefined) ||
  options.replace ||
  options['form-fields'];

/** Makes fields of the forms of the documents. What has a value stays in them, because they are at the service already. */
async function fieldsOfForms(
  context: FieldsContext,
  connection: Connection,
  options: FieldsInput['options'],
  transaction: ReceivedTransaction,
): Promise<GivenField[]> {
  const { documents } = contentOfTransaction(transaction);
  const pdfs = async () => {
    const found = [];
    for (const document of documents) found.push(await fetchSearchedPdf(context, connection, document));
    return found;
  };
  const count = actingRecipients(transaction).length;
  const read = await readForms(options, count, { pdfs, mayChange: false }, context.process.documents);
  warnOfFields(context, read?.warnings ?? []);
  return read?.fields ?? [];
}

async function fetchSearchedPdf(
  { process, terminal }: FieldsContext,
  connection: Connection,
  document: ReceivedDocument,
): Promise<SearchedPdf> {
  const { fetchPdf } = await import('../../../transactions/document-content.ts');
  const name = documentName(document);
  const pdf = await terminal.progress.step(`read ${name}`, () =>
    fetchPdf(connection, document, process.documents),
  );
  return { name, ...pdf };
}

/** Places fields at words of the documents, as the service returns these. */
async function placeAtWords(
  context: FieldsContext,
  connection: Connection,
  fields: readonly GivenField[],
  transaction: ReceivedTransaction,
): Promise<GivenField[]> {
  const { resolveAnchors } = await import('../../../transactions/anchors.ts');
  const pdfs = new Map<ReceivedDocument, SearchedPdf>();
  for (const document of new Set(fields.filter(isAnchored).map((field) => documentOf(field, transaction))))
    pdfs.set(document, await fetchSearchedPdf(context, connection, document));
  const { documents } = context.process;
  return resolveAnchors(fields, (field) => pdfs.get(documentOf(field, transaction)), documents);
}

function fieldList(transaction: ReceivedTransaction): ListOutcome {
  const { fields, documents, recipients } = contentOfTransaction(transaction);
  const name = (id: ReceivedField['document_id']) =>
    documents.find((document: ReceivedDocument) => document.id === id);
  const email = (id: ReceivedField['recipient_id']) =>
    recipients.find((recipient) => recipient.id === id)?.email;
  const people = transaction.status === 'draft' ? withoutSignature(transaction) : [];
  return {
    kind: 'list',
    json: { items: fields },
    empty: 'No fields.',
    ...(people.length > 0 && { notes: [withoutSignatureSentence(people)] }),
    table: {
      columns: ['ID', 'TYPE', 'LABEL', 'FOR', 'DOCUMENT', 'PAGE', 'X', 'Y', 'WIDTH', 'HEIGHT', 'REQUIRED'],
      rows: fields.map((field) => {
        const document = name(field.document_id);
        return [
          field.id,
          field.type,
          field.label,
          email(field.recipient_id) ?? field.recipient_id,
          document ? documentName(document) : field.document_id,
          typeof field.page === 'number' ? field.page + 1 : undefined,
          field.positionX,
          field.positionY,
          field.width,
          field.height,
          field.is_required ? 'yes' : 'no',
        ];
      }),
    },
  };
}
