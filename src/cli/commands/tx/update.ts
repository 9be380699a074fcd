// `esign tx update`: reads the draft, merges the given changes into it, and writes all of it.

import { randomUUID } from 'node:crypto';
import {
  type ReceivedTransaction,
  template,
  transactionOperations,
} from '../../../api/contract/transactions.ts';
import { type CommandInput, defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError, UnknownName } from '../../command/errors.ts';
import { prints } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { transaction } from '../../command/transaction-json.ts';
import { invalidValue } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import { checkValue } from '../../input/check-value.ts';
import { checkKnown } from '../../input/field-file.ts';
import { createFileReader, readJson } from '../../input/files.ts';
import { meantBy } from '../../input/meant.ts';
import { type Addressee, parseAddressee } from '../../input/person.ts';
import { recipientSpecOf, updateBody } from '../../sending/bodies.ts';
import { checkTexts, TEXT_OPTIONS, textsOf } from '../../sending/options.ts';
import {
  checkDistinct,
  pairReplaced,
  type RecipientSpec,
  resolveSender,
  withSender,
} from '../../sending/recipients.ts';
import {
  chooseTransaction,
  contentOfTransaction,
  describeFields,
  documentName,
  person,
  summaryOutcome,
} from '../../sending/view.ts';
import { notConfirmed } from '../../terminal/prompts.ts';

const UPDATE_ARGUMENTS = [
  { name: 'id', optional: true, completes: 'transaction', summary: 'ID of the transaction' },
] as const;

const UPDATE_OPTIONS = {
  ...TEXT_OPTIONS,
  to: {
    value: 'RECIPIENT',
    short: 't',
    repeat: true,
    completes: 'recipient',
    group: 'Recipients',
    summary: 'Recipient as "Name <email>[,role=proxy]", in signing order; replaces all recipients',
    details:
      'A recipient keeps the fields of an earlier one with the same email, or otherwise the same name. Where there are as many recipients as before, the others keep them in their order. Before fields are removed with their recipient, you are asked; a script adds --yes.',
  },
  sender: { value: 'PERSON', group: 'Recipients', summary: 'Sender as "Name <email>"' },
  document: {
    value: 'ID',
    repeat: true,
    group: 'Documents',
    summary: 'ID of a document, in order; documents not listed are removed',
  },
  from: {
    value: 'FILE',
    completes: 'file',
    group: 'File',
    summary: 'JSON file with the properties to update; - reads standard input',
  },
} as const;

type UpdateInput = CommandInput<typeof UPDATE_ARGUMENTS, typeof UPDATE_OPTIONS>;

export const command = defineCommand({
  summary: 'Change the properties, recipients or documents of a draft',
  details:
    'Changes only the properties you specify; everything else stays unchanged. Lists (--to, --document) ' +
    'replace the existing list.',
  arguments: UPDATE_ARGUMENTS,
  options: UPDATE_OPTIONS,
  json: prints(transaction({})),
  examples: [
    {
      line: 'esign tx update @ --name "Second version" --expires 14',
      about: 'Change the name and the expiry',
    },
    {
      line: 'esign tx update @ --to "Ada <ada@example.com>" --to "Grace <grace@example.com>"',
      about: 'Replace the recipients: Ada signs first, then Grace',
    },
  ],
  async check(_, { options }) {
    readUpdateOptions(options);
  },
  run: updateDraft,
});

const UPDATE = transactionOperations['transaction.update'].body;

/** @throws CliError for a value that is not valid */
function readUpdateOptions(options: UpdateInput['options']) {
  const to = options.to.map((text) => parseAddressee(text, '--to'));
  const texts = textsOf(options);
  checkTexts({ texts, notify: null });
  return { to, texts };
}

async function updateDraft(
  context: Uses<'connections' | 'history' | 'process' | 'prompts' | 'settings' | 'terminal'>,
  { args, options }: UpdateInput,
): Promise<Outcome> {
  const { to, texts } = readUpdateOptions(options);
  const from = options.from === undefined ? {} : await readChanges(context, options.from);
  const isNamed =
    to.length + options.document.length + Object.keys(from).length > 0 || options.sender !== undefined;
  if (!isNamed && Object.values(texts).every((text) => text === undefined))
    throw cliError('nothing_to_change', {
      sentence: 'No changes given.',
      hint: 'Add at least one option. See `esign tx update --help`.',
    });
  const transactionId = await chooseTransaction(context, args.id, ['draft']);
  const connection = await context.connections.connect();
  const params = { transactionId };
  const transaction = await connection.client['transaction.detail']({ params });
  const recipients = await recipientsFor(context, connection, { transaction, to, sender: options.sender });
  const documents = options.document.length > 0 ? documentsIn(options.document, transaction) : undefined;
  const body = withIds(
    { ...updateBody(transaction, { texts, recipients, documents }), ...from },
    transaction,
  );
  checkComplete(transactionId, body);
  await confirmLostFields(context, transaction, body);
  await connection.client['transaction.update']({ params, body });
  return summaryOutcome(await connection.client['transaction.detail']({ params }), connection, {
    headline: 'Updated the draft.',
  });
}

/** An update can only order and remove the documents of a draft. @throws CliError for one that the draft does not have */
function documentsIn(ids: readonly string[], transaction: ReceivedTransaction): readonly string[] {
  const { documents } = contentOfTransaction(transaction);
  // Another service may show no documents here; it checks the IDs itself.
  const unknown =
    documents.length > 0 ? ids.find((id) => !documents.some((document) => document.id === id)) : undefined;
  if (unknown === undefined) return ids;
  const meant = meantBy(
    unknown,
    documents.map((document) => ({ id: document.id, name: documentName(document) })),
  );
  const error = cliError('document_unknown', {
    sentence: `The draft ${transaction.id} has no document "${unknown}".`,
    hint: `List its documents with \`esign tx show ${transaction.id}\`.`,
  });
  throw meant ? new UnknownName(error, meant) : error;
}

type UpdateBody = ReturnType<typeof updateBody>;

/** Refuses an update of a draft without documents or recipients: the specification wants both arrays non-empty. */
function checkComplete(id: string, { documents, recipients }: UpdateBody): void {
  if (documents.length === 0)
    throw cliError('document_missing', {
      sentence: `The draft ${id} has no documents. A draft can be updated only when it has at least one.`,
      hint: `Add a document with \`esign tx upload ${id} FILE\`.`,
    });
  if (recipients.length === 0)
    throw cliError('recipient_missing', {
      sentence: `The draft ${id} has no recipients. A draft can be updated only when it has at least one.`,
      hint: 'Add a recipient with --to "Ada <ada@example.com>".',
    });
}

/** Gives recipients of a file that have no ID the ID of the recipient whom they replace. */
function withIds(body: UpdateBody, transaction: ReceivedTransaction): UpdateBody {
  const { recipients } = contentOfTransaction(transaction);
  const isNamed = (id: string) => body.recipients.some((recipient) => recipient.id === id);
  const pairs = pairReplaced(
    body.recipients.filter(({ id }) => id === undefined),
    recipients.filter(({ id }) => !isNamed(id)),
  );
  return {
    ...body,
    recipients: body.recipients.map((recipient) => {
      const replaced = pairs.get(recipient);
      return replaced ? { ...recipient, id: replaced.id } : recipient;
    }),
  };
}

/**
 * Asks before fields are removed with their recipients.
 * @throws CliError exit 2 where no person can be asked
 */
async function confirmLostFields(
  { prompts, settings, terminal }: Uses<'prompts' | 'settings' | 'terminal'>,
  transaction: ReceivedTransaction,
  body: UpdateBody,
): Promise<void> {
  if (body.fields !== undefined || settings.yes) return;
  const { recipients, documents, fields } = contentOfTransaction(transaction);
  const stays = (list: readonly { id?: string | undefined }[], id: unknown) =>
    list.some((recipient) => recipient.id === id);
  const lost = recipients.flatMap((recipient) => {
    if (stays(body.recipients, recipient.id)) return [];
    const theirs = fields.filter(
      ({ recipient_id: of, document_id: on }) => of === recipient.id && stays(body.documents, on),
    );
    return theirs.length === 0 ? [] : [`${person(recipient)} (${describeFields(theirs, documents)})`];
  });
  if (lost.length === 0) return;
  const error = cliError('recipient_fields_lost', {
    sentence: `The update removes ${lost.length === 1 ? 'a recipient' : 'recipients'} with fields: ${lost.join('; ')}.`,
    hint: 'Nothing was changed. Add --yes to remove these fields. A recipient with the email or the name of an earlier one keeps their fields.',
  });
  if (!prompts.canAsk) throw error;
  terminal.progress.warn(error.message);
  if (!(await prompts.confirm('Remove these fields?'))) throw notConfirmed();
}

async function readChanges(
  context: Uses<'process' | 'terminal'>,
  path: string,
): Promise<Partial<UpdateBody>> {
  const value = await readJson(path, createFileReader(context));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidValue({
      name: path,
      problem: 'is not a JSON object',
      use: 'an object with the properties to change, for example {"name": "…"}',
    });
  checkKnown(value, [UPDATE, template], path === '-' ? 'Standard input' : path);
  checkValue(UPDATE.partial(), value);
  return value as Partial<UpdateBody>;
}

type Wanted = { transaction: ReceivedTransaction; to: readonly Addressee[]; sender: string | undefined };

/** Merges the recipients. The sender of the draft stays unless another is given; a draft without one needs a sender. */
async function recipientsFor(
  context: Uses<'prompts'>,
  connection: Connection,
  { transaction, to, sender }: Wanted,
): Promise<RecipientSpec[] | undefined> {
  if (to.length === 0 && sender === undefined) return undefined;
  const present = contentOfTransaction(transaction).recipients.map(recipientSpecOf);
  const ofDraft = present.find(({ role }) => role === 'sender');
  const named = (await resolveSender(context, connection, sender, ofDraft !== undefined)) ?? ofDraft;
  const others = to.length > 0 ? to : present.filter(({ role }) => role !== 'sender');
  // A recipient who was a signer stays one, even with the address of the sender.
  const isSenderThere = to.length === 0 && ofDraft !== undefined;
  const recipients: RecipientSpec[] =
    isSenderThere && named
      ? [{ name: named.name, email: named.email, role: 'sender' }, ...others]
      : withSender(others, named);
  checkDistinct(recipients);
  return connection.makesRecipientIds
    ? recipients.map((recipient) => ({ ...recipient, id: randomUUID() }))
    : recipients;
}
