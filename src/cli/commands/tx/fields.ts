// `esign tx fields`: shows, adds or replaces the fields of a transaction, or opens the editor for them.

import type { FieldInput, ReceivedField } from '../../../api/contract/fields.ts';
import { TODAY } from '../../../api/contract/languages.ts';
import type { ReceivedDocument, ReceivedTransaction } from '../../../api/contract/transactions.ts';
import { type CommandInput, defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { boolean, brief, list, nullable, object, prints, text } from '../../command/json-output.ts';
import type { ListOutcome, Outcome } from '../../command/outcome.ts';
import { FIELD } from '../../command/transaction-json.ts';
import { optionNeeds, optionsConflict } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import type { SearchedPdf } from '../../input/documents.ts';
import { readFieldFile } from '../../input/field-file.ts';
import { type GivenField, isAnchored, type PlacedField, parseFieldSpec } from '../../input/field-spec.ts';
import { createFileReader } from '../../input/files.ts';
import { actingRecipients, documentOf, fieldsToKeep, resolveField } from '../../sending/bodies.ts';
import { editInBrowser } from '../../sending/edit.ts';
import { readForms } from '../../sending/forms.ts';
import { fetchPdf } from '../../sending/pdfs.ts';
import { resolveAnchors } from '../../sending/place.ts';
import { dateNotTaken, valueNotTaken } from '../../sending/preparations.ts';
import { type FieldWarning, findOverlappingFields, warnOfFields } from '../../sending/remarks.ts';
import {
  contentOfTransaction,
  documentName,
  withoutSignature,
  withoutSignatureSentence,
} from '../../sending/view.ts';

const FIELDS_ARGUMENTS = [
  { name: 'id', completes: 'transaction', summary: 'ID of the transaction' },
] as const;

const FIELDS_OPTIONS = {
  field: {
    value: 'SPEC',
    short: 'f',
    repeat: true,
    summary: 'Field as TYPE@PAGE:X,Y,WxH or TYPE@"WORDS"; see `esign help fields`',
  },
  from: { value: 'FILE', completes: 'file', summary: 'JSON file with fields; - reads standard input' },
  tags: { summary: 'Make fields of tags: refused for stored documents; use `esign tx upload --tags`' },
  'form-fields': {
    summary: 'Make fields of the form of each document',
    details:
      'The page of a stored document keeps the values of its form, so form fields with a value are left out. `esign tx upload --form-fields` carries them over.',
  },
  'form-to': {
    value: 'EMAIL',
    summary: 'Recipient who fills in the form (default: the only one)',
  },
  add: { summary: 'Keep the existing fields (default)' },
  replace: { summary: 'Remove the existing fields' },
  edit: {
    summary: 'Edit the fields in the browser',
    details:
      'Opens the editor of the draft, waits until you press Done there, and shows the fields. Every change is saved at once. In a pipe, and with --json, it only prints the URL.',
  },
  'no-wait': { summary: 'Open the editor without waiting, with --edit' },
} as const;

type FieldsInput = CommandInput<typeof FIELDS_ARGUMENTS, typeof FIELDS_OPTIONS>;

export const command = defineCommand({
  summary: 'Show the fields of a transaction, or set those of a draft',
  details: 'Without options, shows the fields. `esign help fields` explains the syntax of SPEC.',
  arguments: FIELDS_ARGUMENTS,
  options: FIELDS_OPTIONS,
  json: prints(
    object({ items: list(brief(FIELD)) }),
    ', each field as in the response of the service; with --edit ',
    object({ id: nullable(text), url: text, 'sign_in_url?': text, opened: boolean }),
  ),
  examples: [
    { line: 'esign tx fields @', about: 'Show the fields of a transaction' },
    {
      line: 'esign tx fields @ --field "text@1:72pt,120pt,200x24=ada@example.com,label=City"',
      about: 'Add a text field for Ada',
    },
    {
      line: `esign tx fields @ --field 'date@"Place and date",match=last,at=above'`,
      about: 'Add a date field at words of the document',
    },
    { line: 'esign tx fields @ --edit', about: 'Place the fields in the browser' },
  ],
  async check(_, { options: { field } }) {
    field.forEach(parseFieldSpec);
  },
  async run(context, input) {
    const { edit, tags, 'no-wait': noWait } = input.options;
    if (tags)
      throw cliError('tags_stored', {
        sentence:
          '--tags cannot be used here, because tags cannot be removed from documents that are stored already.',
        hint: `Add the file again with \`esign tx upload ${input.args.id} FILE --tags\`, and leave the stored document out with \`esign tx update ${input.args.id} --document …\`.`,
      });
    if (noWait && !edit) throw optionNeeds('--no-wait', '--edit');
    return edit ? editFields(context, input) : showOrSetFields(context, input);
  },
});

type FieldsContext = Uses<'connections' | 'process' | 'terminal'>;

async function showOrSetFields(context: FieldsContext, { args, options }: FieldsInput): Promise<ListOutcome> {
  if (options.add && options.replace) throw optionsConflict('--add', '--replace');
  const specs = options.field.map(parseFieldSpec);
  const typed =
    options.from === undefined
      ? specs
      : [...specs, ...(await readFieldFile(options.from, createFileReader(context)))];
  const connection = await context.connections.connect();
  const { client } = connection;
  const params = { transactionId: args.id };
  const transaction = await client['transaction.detail']({ params });
  if (!isSetting(options)) return fieldList(transaction);
  for (const { type, properties, source } of connection.takesFieldValues ? [] : typed)
    if (properties.value !== undefined || properties.readonly !== undefined) {
      const refuse = type === 'date' && properties.value === TODAY ? dateNotTaken : valueNotTaken;
      throw refuse(source, connection.profile);
    }
  const placed = typed.some(isAnchored) ? await placeAtWords(context, connection, typed, transaction) : typed;
  const ofForms = await fieldsOfForms(context, connection, options, transaction);
  const added = [...placed, ...ofForms].map((field) => resolveField(field as PlacedField, transaction));
  const fields = [...(options.replace ? [] : fieldsToKeep(transaction)), ...added];
  await client['transaction.fields']({ params, body: { fields } });
  warnOfFields(context, overlapsIn(fields, transaction));
  return fieldList(await client['transaction.detail']({ params }));
}

/** Warns of fields that cover each other, which the service accepts and nobody may mean. */
function overlapsIn(fields: readonly FieldInput[], transaction: ReceivedTransaction): FieldWarning[] {
  const { documents, recipients } = contentOfTransaction(transaction);
  const emailOf = (id: string) => recipients.find((recipient) => recipient.id === id)?.email ?? null;
  return documents.flatMap((document) =>
    findOverlappingFields(
      documentName(document),
      fields
        .filter(({ document_id: id }) => id === document.id)
        .map((field) => ({ type: field.type, recipient: emailOf(field.recipient_id), box: field })),
    ),
  );
}

/** Tells apart a command that sets fields from one that only shows them. */
const isSetting = (options: FieldsInput['options']): boolean =>
  options.field.length > 0 ||
  [options.from, options['form-to']].some((value) => value !== undefined) ||
  options.replace ||
  options['form-fields'];

/** Makes fields of the forms of the documents. Form fields with a value are left out: the documents are at the service already. */
async function fieldsOfForms(
  context: FieldsContext,
  connection: Connection,
  options: FieldsInput['options'],
  transaction: ReceivedTransaction,
): Promise<GivenField[]> {
  const { documents } = contentOfTransaction(transaction);
  const pdfs = async () => {
    const fetched = [];
    for (const document of documents) fetched.push(await fetchSearchedPdf(context, connection, document));
    return fetched;
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
  const pdfs = new Map<ReceivedDocument, SearchedPdf>();
  for (const document of new Set(fields.filter(isAnchored).map((field) => documentOf(field, transaction))))
    pdfs.set(document, await fetchSearchedPdf(context, connection, document));
  const { documents } = context.process;
  return resolveAnchors(fields, (field) => pdfs.get(documentOf(field, transaction)), documents);
}

function fieldList(transaction: ReceivedTransaction): ListOutcome {
  const { fields, documents, recipients } = contentOfTransaction(transaction);
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
        const document = documents.find(({ id }) => id === field.document_id);
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

/** Sets the fields of the options, and opens the editor in the browser. */
async function editFields(context: FieldsContext, input: FieldsInput): Promise<Outcome> {
  const { args, options } = input;
  if (isSetting(options)) await showOrSetFields(context, input);
  const connection = await context.connections.connect();
  const editing = { waits: !options['no-wait'], sends: false };
  const edited = await editInBrowser(context, connection, args.id, editing);
  if (edited.kind === 'opened') return edited.shown;
  const settingNothing = {
    field: [],
    from: undefined,
    replace: false,
    'form-fields': false,
    'form-to': undefined,
  };
  return showOrSetFields(context, { args, options: { ...options, ...settingNothing } });
}
