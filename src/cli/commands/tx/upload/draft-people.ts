// Finds who can fill in the fields of uploaded files: the recipients of the draft, and those that --to adds.
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { type Addressee, parseAddressee } from '../../../input/person.ts';
import { recipientSpecOf } from '../../../transactions/bodies.ts';
import {
  checkDistinct,
  pairRecipients,
  type RecipientSpec,
  withSender,
} from '../../../transactions/recipients.ts';
import { resolveSender } from '../../../transactions/sender.ts';
import { contentOfTransaction } from '../../../transactions/view.ts';
import type { UploadInput } from './options.ts';

/** `recipient`: how the draft has them. */
export type DraftPerson = Addressee & { recipient: RecipientSpec };

export type DraftPeople = {
  /** Those who act, in signing order, with their roles of tags. Numbers count them. */
  people: readonly DraftPerson[];
  /** All recipients of the draft as they will be; undefined where none is added. */
  recipients: readonly RecipientSpec[] | undefined;
};

/** Reads the recipients. @throws CliError exit 2 for a --to that contradicts the draft */
export async function readDraftPeople(
  context: Uses<'prompts'>,
  connection: Connection,
  transaction: ReceivedTransaction,
  options: Pick<UploadInput['options'], 'to' | 'sender'>,
): Promise<DraftPeople> {
  const present = contentOfTransaction(transaction).recipients.map(recipientSpecOf);
  const to = options.to.map((text) => ({ ...parseAddressee(text, '--to', { takesTag: true }), text }));
  const there = pairRecipients(to, present);
  for (const one of to) if (there.has(one)) checkRole(one, there.get(one)!);
  const added = to.filter((one) => !there.has(one)).map(({ name, email, role }) => ({ name, email, role }));
  const all =
    added.length > 0 ? await withAdded(context, connection, { present, added }, options.sender) : present;
  checkDistinct(all);
  const named = pairRecipients(to, all);
  const tagOf = (recipient: RecipientSpec) => to.find((one) => named.get(one) === recipient)?.tag;
  const isNamed = (recipient: RecipientSpec) => [...named.values()].includes(recipient);
  return {
    people: all
      .filter((one) => one.role !== 'sender' || isNamed(one))
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

function checkRole({ role, text }: Addressee & { text: string }, there: RecipientSpec): void {
  if (role === 'proxy' && there.role !== 'proxy')
    throw cliError('recipient_invalid', {
      name: '--to',
      value: text,
      problem: `has the role proxy, but is a ${there.role} in the draft`,
      hint: 'Change roles with `esign tx update`.',
    });
}
