// Holds what a recipient has filled in and not submitted yet: values by field, and the signature they have adopted.

import { LIMITS } from '../../api/contract/limits.ts';
import { codePoints } from '../../api/contract/values.ts';
import { type Adopted, adopted, type SubmittedValue } from './adoption.ts';
import { isDateOfSigning } from './known-value.ts';
import type { Field, Recipient } from './transaction.ts';

export type SignatureKind = 'signature' | 'initials';

/** The values stand by the id of their field, as they were typed. */
export type Draft = {
  values: Readonly<Record<string, string>>;
  signature?: Adopted | undefined;
  initials?: Adopted | undefined;
};

export const EMPTY_DRAFT: Draft = { values: {} };

export const isSignatureField = (
  field: Pick<Field, 'type'>,
): field is Pick<Field, 'type'> & { type: SignatureKind } =>
  field.type === 'signature' || field.type === 'initials';

/**
 * Fields start with what the sender has filled in; others for a name or an email with that of the recipient, until the recipient
 * enters something else.
 */
export function prefilled(draft: Draft, fields: readonly Field[], { name, email }: Recipient): Draft {
  const values: Record<string, string> = {};
  for (const field of fields) {
    const { id, type, known_value } = field;
    if (isDateOfSigning(field)) continue;
    if (known_value !== null) values[id] = known_value;
    else if (type === 'person_name') values[id] = name;
    else if (type === 'email') values[id] = email;
  }
  return { ...draft, values: { ...values, ...draft.values } };
}

/**
 * Puts the day of signing into the dates that the service fills in. The result is shown and submitted, and never stored.
 */
export function withDayOfSigning(draft: Draft, fields: readonly Field[], day: string): Draft {
  const dates = fields.filter(isDateOfSigning).map(({ id }) => [id, day]);
  return dates.length === 0 ? draft : { ...draft, values: { ...draft.values, ...Object.fromEntries(dates) } };
}

/**
 * Puts these values into the draft. A signature comes about by adopting one: here it can only be removed. A value that no
 * field could hold, or of a field that only the sender fills in, is omitted.
 */
export function changeDraft(
  draft: Draft,
  fields: readonly Field[],
  input: Readonly<Record<string, string>>,
): Draft {
  const values = { ...draft.values };
  for (const field of fields) {
    const value = input[field.id];
    if (value === undefined || field.is_readonly || codePoints(value) > LIMITS.textLength) continue;
    if (isSignatureField(field)) {
      const current = draft[field.type];
      if (value === '') delete values[field.id];
      else if (current) values[field.id] = current.value;
    } else values[field.id] = value;
  }
  return { ...draft, values };
}

/**
 * An adopted signature fills every field of its kind, and those for initials in its own way, until the recipient adopts initials
 * of their own. Typed initials that came from a typed signature follow it; others stay.
 */
export function adopt(draft: Draft, fields: readonly Field[], mark: SignatureKind, adoption: Adopted): Draft {
  const next: Draft = { ...draft, [mark]: adoption };
  const initials = mark === 'signature' ? initialsBeside(draft, adoption) : adoption;
  const values = { ...draft.values };
  for (const { id, type } of fields) {
    if (type === mark) values[id] = adoption.value;
    if (mark === 'signature' && type === 'initials') values[id] = initials.value;
  }
  return { ...next, initials, values };
}

function initialsBeside({ signature: before, initials }: Draft, signature: Adopted): Adopted {
  if (!initials) return initialsFrom(signature);
  const isFollowing =
    before?.kind === 'typed' && signature.kind === 'typed' && isSame(initials, initialsFrom(before));
  return isFollowing ? initialsFrom(signature) : initials;
}

const isSame = (first: Adopted, other: Adopted): boolean =>
  first.kind === 'typed' &&
  other.kind === 'typed' &&
  first.value === other.value &&
  first.face === other.face;

const initialsFrom = (signature: Adopted): Adopted =>
  signature.kind === 'typed' ? adopted(initialsOf(signature.value), signature) : signature;

const INITIALS_AT_MOST = 4;

/** "Ada King-Noel" has the initials AKN. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.map((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '');
  return letters.slice(0, INITIALS_AT_MOST).join('').toUpperCase() || name;
}

/** @returns values as they are submitted: signatures with how they were adopted */
export const submittedValuesOf = (draft: Draft, fields: readonly Field[]): SubmittedValue[] =>
  fields.flatMap((field) => {
    const { id } = field;
    const value = draft.values[id];
    if (value === undefined) return [];
    const adoption = isSignatureField(field) ? draft[field.type] : undefined;
    return [{ field_id: id, value, ...(adoption && { adoption }) }];
  });
