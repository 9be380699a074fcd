// What a recipient has filled in and not submitted yet: values by field, and the signature they have adopted.

import { LIMITS } from '../../api/contract/limits.ts';
import { codePoints } from '../../api/contract/values.ts';
import type { Field, Recipient } from './transaction.ts';

/** A typed one has the text, any other a PNG as a data URL. */
export type Adopted = { kind: 'typed' | 'drawn' | 'uploaded'; value: string };

export type SignatureMark = 'signature' | 'initials';

/** Values by the id of their field, as they were typed. */
export type Draft = {
  values: Readonly<Record<string, string>>;
  signature?: Adopted | undefined;
  initials?: Adopted | undefined;
};

export const NOTHING_YET: Draft = { values: {} };

export const isMark = (field: Pick<Field, 'type'>): field is Pick<Field, 'type'> & { type: SignatureMark } =>
  field.type === 'signature' || field.type === 'initials';

/** Fields for a name or an email start with that of the recipient, until the recipient enters something else. */
export function prefilled(draft: Draft, fields: readonly Field[], { name, email }: Recipient): Draft {
  const values: Record<string, string> = {};
  for (const { id, type } of fields) {
    if (type === 'person_name') values[id] = name;
    if (type === 'email') values[id] = email;
  }
  return { ...draft, values: { ...values, ...draft.values } };
}

/**
 * The draft with these values. A signature comes about by adopting one: here it can only be taken away. A value that no
 * field could hold is left out.
 */
export function changed(
  draft: Draft,
  fields: readonly Field[],
  given: Readonly<Record<string, string>>,
): Draft {
  const values = { ...draft.values };
  for (const field of fields) {
    const value = given[field.id];
    if (value === undefined || codePoints(value) > LIMITS.textLength) continue;
    if (isMark(field)) {
      const adopted = draft[field.type];
      if (value === '') delete values[field.id];
      else if (adopted) values[field.id] = adopted.value;
    } else values[field.id] = value;
  }
  return { ...draft, values };
}

/** An adopted signature fills every field of its kind; the first one also those for initials, in its own way. */
export function adopt(draft: Draft, fields: readonly Field[], mark: SignatureMark, adopted: Adopted): Draft {
  const next: Draft = { ...draft, [mark]: adopted };
  const initials = next.initials ?? initialsFrom(adopted);
  const values = { ...draft.values };
  for (const { id, type } of fields) {
    if (type === mark) values[id] = adopted.value;
    if (mark === 'signature' && type === 'initials') values[id] = initials.value;
  }
  return { ...next, initials, values };
}

const initialsFrom = ({ kind, value }: Adopted): Adopted =>
  kind === 'typed' ? { kind, value: initialsOf(value) } : { kind, value };

const INITIALS_AT_MOST = 4;

/** "Ada King-Noel" has the initials AKN. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.map((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '');
  return letters.slice(0, INITIALS_AT_MOST).join('').toUpperCase() || name;
}

/** As an operation takes them. */
export const valuesOf = ({ values }: Draft, fields: readonly Field[]) =>
  fields.flatMap(({ id }) => {
    const value = values[id];
    return value === undefined ? [] : [{ field_id: id, value }];
  });
