// Makes the bodies of update and fields from a transaction and the changes to it. Both operations replace
// whole arrays (assumed: A41), so everything that stays is sent again.
import type { FieldInput } from '../../api/contract/fields.ts';
import type { InputOf } from '../../api/contract/operations.ts';
import type { ReceivedField, ReceivedRecipient, ReceivedTransaction } from '../../api/contract/received.ts';
import { colorAt, type Role } from '../../api/contract/recipients.ts';
import { cliError } from '../command/errors.ts';
import type { FieldBox } from './placement.ts';
import { type PlannedRecipient, pairRecipients, pairReplaced, type RecipientSpec } from './recipients.ts';
import type { Texts } from './texts.ts';
import { contentOfTransaction } from './view.ts';

type UpdateBody = InputOf<'transaction.update'>['body'];
type RecipientBody = UpdateBody['recipients'][number];

export type DraftChanges = {
  texts: Texts;
  /** The new recipients in their order; absent: no change. */
  recipients?: readonly RecipientSpec[] | undefined;
  /** The new documents by id; absent: no change. */
  documents?: readonly string[] | undefined;
};

/** Makes the body of an update. Only the given parts change. An existing recipient keeps the id (assumed: A20). */
export function updateBody(
  transaction: ReceivedTransaction,
  { texts, recipients, documents }: DraftChanges,
): UpdateBody {
  const content = contentOfTransaction(transaction);
  const ids = documents ?? content.documents.map(({ id }) => id);
  const there = pairReplaced(recipients ?? [], content.recipients);
  return {
    ...textsToKeep(transaction, texts),
    name: texts.name ?? content.name ?? 'Untitled',
    documents: ids.map((id, index) => ({ id, index, isLoading: false })),
    recipients: recipients
      ? recipients.map((recipient, index) => recipientBody(recipient, index, there.get(recipient)))
      : content.recipients.map((recipient, index) =>
          recipientBody(recipientSpecOf(recipient), index, recipient),
        ),
  };
}

function textsToKeep(transaction: ReceivedTransaction, texts: Texts): Partial<UpdateBody> {
  const { template: now } = transaction;
  const kept = {
    description: texts.description ?? now?.description ?? undefined,
    email_alias: texts.email_alias ?? now?.email_alias,
    email_subject: texts.email_subject ?? now?.email_subject,
    email_body: texts.email_body ?? now?.email_body,
    edit_navigation: texts.edit_navigation ?? now?.edit_navigation,
    expiration_days: texts.expiration_days ?? transaction.expiration_days,
  };
  return Object.fromEntries(
    Object.entries(kept).filter(([, value]) => value !== undefined),
  ) as Partial<UpdateBody>;
}

function recipientBody(
  wanted: RecipientSpec,
  index: number,
  there: ReceivedRecipient | undefined,
): RecipientBody {
  const id = there?.id ?? wanted.id;
  return {
    ...(id !== undefined && { id }),
    role: wanted.role,
    color: there?.color ?? colorAt(index),
    index,
    name: wanted.name,
    email: wanted.email,
  };
}

/**
 * Makes the request entry that keeps a recipient of a transaction. An unknown role is sent back unchanged.
 * @throws CliError when the service does not show the role
 */
export function recipientSpecOf({ id, name, email, role }: ReceivedRecipient): RecipientSpec {
  if (role) return { id, name, email, role };
  throw notShown(`the role of ${name} <${email}>`);
}

const notShown = (missing: string) => cliError('answer_incomplete', { missing });

/** Merges recipients. Existing ones stay in their order; one that is named again gets the new name and role. */
export function mergeRecipients<R extends string>(
  present: readonly RecipientSpec<R>[],
  named: readonly PlannedRecipient[],
): RecipientSpec<R | Role>[] {
  const pairs = pairRecipients(named, present);
  const nameOf = new Map([...pairs].map(([one, other]) => [other, one]));
  const hasSender = present.some(({ role }) => role === 'sender');
  const kept = present.map((recipient): RecipientSpec<R> => {
    const { name, email } = nameOf.get(recipient) ?? recipient;
    return { name, email, role: recipient.role, id: recipient.id };
  });
  const added = named.filter((one) => !pairs.has(one));
  return [...kept, ...added.filter(({ role }) => !(role === 'sender' && hasSender))];
}

/** Makes the body of a field with everything that the specification shows in a request. */
export function fieldBody(
  place: { document_id: string; recipient_id: string; type: string; box: FieldBox },
  properties: Record<string, unknown> = {},
): FieldInput {
  const { document_id, recipient_id, type, box } = place;
  return {
    document_id,
    recipient_id,
    ...box,
    type,
    label: type,
    is_required: true,
    bold: false,
    italic: false,
    font_family: 'Helvetica',
    font_size: 12,
    font_color: '#000000',
    helper_text: '',
    ...properties,
  };
}

/**
 * Makes the request entries that keep the fields of a transaction, without those of `without`.
 * @throws CliError when the service does not show where a field is
 */
export const fieldsToKeep = (
  transaction: ReceivedTransaction,
  without: readonly { id: string }[] = [],
): FieldInput[] =>
  contentOfTransaction(transaction)
    .fields.filter(({ document_id }) => !without.some(({ id }) => id === document_id))
    .map(keptField);

function keptField({ template_id: _, ...field }: ReceivedField): FieldInput {
  const { id, document_id, recipient_id, page, width, height, positionX, positionY, label, is_required } =
    field;
  if (
    !document_id ||
    !recipient_id ||
    !isNumber(page) ||
    !isNumber(width) ||
    !isNumber(height) ||
    !isNumber(positionX) ||
    !isNumber(positionY)
  )
    throw notShown(`where the field ${label ?? id ?? field.type} is, so it cannot be kept`);
  return {
    ...field,
    ...{ document_id, recipient_id, page, width, height, positionX, positionY },
    ...{ id: id ?? undefined, label: label ?? undefined, is_required: is_required ?? undefined },
  };
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';
