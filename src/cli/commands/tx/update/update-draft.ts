// `tx update`: reads the draft, merges what is named, writes the whole.
import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../../api/contract/transactions.ts';
import { transactionOperations } from '../../../../api/contract/transactions.ts';
import type { Uses } from '../../../command/context.ts';
import { usageError } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { checked } from '../../../input/checked.ts';
import { readJson } from '../../../input/json-file.ts';
import { createFileReader } from '../../../input/local-file.ts';
import { type Addressee, parseAddressee } from '../../../input/person.ts';
import { updateBody } from '../../../transactions/bodies.ts';
import { checkDistinct, type PlannedRecipient, withSender } from '../../../transactions/recipients.ts';
import { senderOf } from '../../../transactions/sender.ts';
import { checkTexts, textsOf } from '../../../transactions/texts.ts';
import { contentOf, summaryOutcome } from '../../../transactions/view.ts';
import { whichTransaction } from '../../../transactions/which-transaction.ts';
import type { UpdateInput } from './options.ts';

const UPDATE = transactionOperations['transaction.update'].body;

export async function updateDraft(
  context: Uses<'connections' | 'history' | 'process' | 'prompts' | 'terminal'>,
  { args, options }: UpdateInput,
): Promise<Outcome> {
  const to = options.to.map((text) => parseAddressee(text, '--to'));
  const texts = textsOf(options);
  checkTexts({ texts, notify: null });
  const from = options.from === undefined ? {} : await readChanges(context, options.from);
  const isNamed =
    to.length + options.document.length + Object.keys(from).length > 0 || options.sender !== undefined;
  if (!isNamed && Object.values(texts).every((text) => text === undefined))
    throw usageError(
      'nothing_to_change',
      'Nothing is named that is to change.',
      'See `esign tx update --help`.',
    );
  const transactionId = await whichTransaction(context, args.id);
  const connection = await context.connections.connect();
  const params = { transactionId };
  const transaction = await connection.client['transaction.detail']({ params });
  const recipients = await recipientsFor(context, connection, { transaction, to, sender: options.sender });
  const documents = options.document.length > 0 ? options.document : undefined;
  const body = { ...updateBody(transaction, { texts, recipients, documents }), ...from };
  checkComplete(body);
  await connection.client['transaction.update']({ params, body });
  return summaryOutcome(await connection.client['transaction.detail']({ params }), connection, {
    headline: 'Updated.',
  });
}

type UpdateBody = ReturnType<typeof updateBody>;

/** The specification wants both arrays non-empty; before they are, an update has nowhere to go. */
function checkComplete({ documents, recipients }: UpdateBody): void {
  if (documents.length === 0)
    throw usageError(
      'document_missing',
      'The draft has no document yet, and the service takes no update without one.',
      'Add one with `esign tx upload ID FILE`.',
    );
  if (recipients.length === 0)
    throw usageError(
      'recipient_missing',
      'The draft has no recipient yet, and the service takes no update without one.',
      'Name one with --to "Name <email>".',
    );
}

async function readChanges(
  context: Uses<'process' | 'terminal'>,
  path: string,
): Promise<Partial<UpdateBody>> {
  const value = await readJson(path, createFileReader(context));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usageError(
      'value_invalid',
      `${path} is not a JSON object.`,
      'Write the properties of the update, as in {"name": "…"}.',
    );
  checked(UPDATE.unwrap().partial(), value);
  return value as Partial<UpdateBody>;
}

type Wanted = { transaction: Transaction; to: readonly Addressee[]; sender: string | undefined };

/** The sender of the draft stays unless another is named; without one somebody has to be found. */
async function recipientsFor(
  context: Uses<'prompts'>,
  connection: Connection,
  { transaction, to, sender }: Wanted,
): Promise<PlannedRecipient[] | undefined> {
  if (to.length === 0 && sender === undefined) return undefined;
  const present = contentOf(transaction).recipients;
  const ofDraft = present.find(({ role }) => role === 'sender');
  const named = (await senderOf(context, connection, sender, ofDraft !== undefined)) ?? ofDraft;
  const others = to.length > 0 ? to : present.filter(({ role }) => role !== 'sender');
  // Whoever stays as they are stays a signer, even behind the sender's address.
  const isSenderThere = to.length === 0 && ofDraft !== undefined;
  const recipients: PlannedRecipient[] =
    isSenderThere && named
      ? [{ name: named.name, email: named.email, role: 'sender' }, ...others]
      : withSender(others, named);
  checkDistinct(recipients);
  return connection.makesRecipientIds ? recipients.map((one) => ({ ...one, id: randomUUID() })) : recipients;
}
