// Says how a signature or initials were adopted: typed, drawn, or as a picture. This is the only file that decides which of
// these a value can be, for pages, API and commands alike: only a typed name has a face, and a face that comes with a
// picture is dropped.
import type { FieldValue } from '../../api/contract/fields.ts';

/** A typed signature can have these faces. */
export const SIGNATURE_FACES = ['handwriting', 'script'] as const;
export type SignatureFace = (typeof SIGNATURE_FACES)[number];

export type Adoption = { kind: 'typed'; face: SignatureFace } | { kind: 'drawn' } | { kind: 'uploaded' };

/** A request claims this adoption, right or wrong. */
export type ClaimedAdoption = { kind?: string | undefined; face?: string | null | undefined };

/** The value of a typed signature is its text, that of any other a PNG as a data URL. */
export type Adopted = Adoption & { value: string };

/** A recipient submits this for a field; for a signature, it says how it was adopted, where that is known. */
export type SubmittedValue = FieldValue & { adoption?: Adoption };

export const isPictureValue = (value: string): boolean => value.startsWith('data:');

export function adoptionOf(value: string, { kind, face }: ClaimedAdoption): Adoption {
  if (!isPictureValue(value)) return { kind: 'typed', face: faceOf(face) };
  return { kind: kind === 'drawn' ? kind : 'uploaded' };
}

export const adopted = (value: string, claimed: ClaimedAdoption): Adopted => ({
  ...adoptionOf(value, claimed),
  value,
});

/** A typed value that came without a face is drawn in the first one. */
const faceOf = (face: string | null | undefined): SignatureFace =>
  SIGNATURE_FACES.find((item) => item === face) ?? SIGNATURE_FACES[0];
