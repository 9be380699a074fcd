// The values in the fields of other recipients that the sealed documents will contain whatever this recipient does: what has been
// submitted, and what the sender has fixed. They are shown before a recipient signs, because the signature covers them.
import { isDateOfSigning } from '../domain/known-value.ts';
import type { Field, Recipient } from '../domain/transaction.ts';
import { inReadingOrder } from './fill.ts';
import type { Turn } from './find-turn.ts';

export type OthersValue = { field: Field; value: string; recipient: Recipient };

/** In reading order; without fields that are empty. */
export function valuesOfOthers({ transaction: { content }, recipient }: Turn): OthersValue[] {
  const others = new Map(
    content.recipients.filter(({ id }) => id !== recipient.id).map((other) => [other.id, other]),
  );
  return inReadingOrder(content, content.fields).flatMap((field) => {
    const other = others.get(field.recipient_id);
    const value = other && certainValue(field, other);
    return other && value ? [{ field, value, recipient: other }] : [];
  });
}

function certainValue(field: Field, { submitted_at }: Recipient): string | null {
  if (submitted_at !== null) return field.value;
  return field.is_readonly && !isDateOfSigning(field) ? field.known_value : null;
}
