// Finds how the signature or initials in a field were adopted: as stored with the value or, for a value from an earlier
// release, as far as value and face show.
import { type Adoption, adoptionOf } from '../domain/adoption.ts';
import { isSignatureField } from '../domain/draft.ts';
import type { Field } from '../domain/transaction.ts';
import type { Signing } from '../store/signing.ts';

/** @returns undefined for other fields, and for one that was left empty */
export function adoptionIn(field: Field, signing: Signing | undefined): Adoption | undefined {
  if (!isSignatureField(field) || field.value === null || field.value === '') return undefined;
  return adoptionOf(field.value, field.adoption ?? { face: signing?.face });
}
