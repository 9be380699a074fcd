// The bodies of update and fields, made from what a transaction holds and what is to change. Both operations replace
// whole arrays (assumed: A41), so everything that is to stay is written again.
import type { FieldInput, FieldType } from '../../api/contract/fields.ts';
import type { InputOf } from '../../api/contract/operations.ts';
import type { Recipient, Transaction } from '../../api/contract/transactions.ts';
import { colorAt } from '../../api/contract/transactions.ts';
import type { Box } from './placement.ts';
import { type PlannedRecipient, pairsOf } from './recipients.ts';
import type { Texts } from './texts.ts';
import { contentOf } from './view.ts';

type UpdateBody = InputOf<'transaction.update'>['body'];
type RecipientBody = UpdateBody['recipients'][number];

export type Changes = {
  texts: Texts;
  /** The recipients there are to be, in their order; left out: as they are. */
  recipients?: readonly PlannedRecipient[] | undefined;
  /** The documents there are to be, by id; left out: as they are. */
  documents?: readonly string[] | undefined;
};

/** Only what is named changes. A recipient who is there already keeps the id (assumed: A20). */
export function updateBody(transaction: Transaction, { texts, recipients, documents }: Changes): UpdateBody {
  const content = contentOf(transaction);
  const ids = documents ?? content.documents.map(({ id }) => id);
  const there = pairsOf(recipients ?? [], content.recipients);
  return {
    ...keptTexts(transaction, texts),
    name: texts.name ?? content.name ?? 'Untitled',
    documents: ids.map((id, index) => ({ id, index, isLoading: false })),
    recipients: recipients
      ? recipients.map((recipient, index) => recipientBody(recipient, index, there.get(recipient)))
      : content.recipients.map((recipient, index) => recipientBody(recipient, index, recipient)),
  };
}

function keptTexts(transaction: Transaction, texts: Texts): Partial<UpdateBody> {
  const now: Partial<Transaction['template']> = transaction.template ?? {};
  const kept = {
    description: texts.description ?? now.description,
    email_alias: texts.email_alias ?? now.email_alias,
    email_subject: texts.email_subject ?? now.email_subject,
    email_body: texts.email_body ?? now.email_body,
    edit_navigation: texts.edit_navigation ?? now.edit_navigation,
    expiration_days: texts.expiration_days ?? transaction.expiration_days,
  };
  return Object.fromEntries(
    Object.entries(kept).filter(([, value]) => value !== undefined),
  ) as Partial<UpdateBody>;
}

function recipientBody(
  wanted: PlannedRecipient | Recipient,
  index: number,
  there: Recipient | undefined,
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

/** What a template brought stays in its order; whoever is named and there already gets the new name and role. */
export function withNamed(
  present: readonly PlannedRecipient[],
  named: readonly PlannedRecipient[],
): PlannedRecipient[] {
  const pairs = pairsOf(named, present);
  const nameOf = new Map([...pairs].map(([one, other]) => [other, one]));
  const hasSender = present.some(({ role }) => role === 'sender');
  const kept = present.map((recipient): PlannedRecipient => {
    const { name, email } = nameOf.get(recipient) ?? recipient;
    return { name, email, role: recipient.role, id: recipient.id };
  });
  const added = named.filter((one) => !pairs.has(one));
  return [...kept, ...added.filter(({ role }) => !(role === 'sender' && hasSender))];
}

/** Everything the specification shows of a field in a request, so that no service misses anything. */
export function fieldBody(
  place: { document_id: string; recipient_id: string; type: string; box: Box },
  properties: Record<string, unknown> = {},
): FieldInput {
  const { document_id, recipient_id, type, box } = place;
  return {
    document_id,
    recipient_id,
    ...box,
    // assumed: A19, the client sends any type; the service says which it knows.
    type: type as FieldType,
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

/** The fields a transaction has, as a request that keeps them. */
export function keptFields(transaction: Transaction): FieldInput[] {
  return contentOf(transaction).fields.map(({ template_id: _, ...field }) => field);
}
