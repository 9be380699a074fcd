// Names the fields of recipients, and draws their values as they are sealed, for all pages that show them.
import { SIGNATURE_FACES, type SignatureFace } from '../../domain/adoption.ts';
import { isSignatureField } from '../../domain/draft.ts';
import { writtenValue, zoneOfSigning } from '../../domain/known-value.ts';
import type { Field } from '../../domain/transaction.ts';
import { drawFields, type FieldDrawing } from '../../rendering/field-drawing.ts';
import type { Html } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/language.ts';
import { stampedField } from '../../rendering/stamped-field.ts';
import { type FilledFields, type OthersValue, valuesOfOthers } from '../../signing/fill.ts';
import type { Guest } from './request.ts';

export type DrawnFields = FilledFields & { drawings: ReadonlyMap<string, FieldDrawing> };

/**
 * @param shown those of the fields whose boxes the page shows
 * @param listed others, of which the page says whether they are very small
 */
export async function withDrawings(
  guest: Guest,
  filled: FilledFields,
  shown: readonly Field[],
  listed: readonly Field[] = [],
): Promise<DrawnFields> {
  const { values } = filled.draft;
  const boxes = new Set(shown);
  const fields = [...boxes, ...listed.filter((field) => !boxes.has(field))].filter(
    ({ id }) => (values[id] ?? '') !== '',
  );
  const drawings = await drawFields(
    fields.map((field) => {
      const adopted = isSignatureField(field) ? filled.draft[field.type] : undefined;
      const face = adopted?.kind === 'typed' ? adopted.face : undefined;
      return {
        field: stampedField(field, values[field.id] ?? '', face),
        inkAddress: overlayAddress(guest, field),
        isShown: boxes.has(field),
      };
    }),
  );
  return { ...filled, drawings: new Map(fields.map(({ id }, index) => [id, drawings[index]!])) };
}

export type DrawnValue = OthersValue & { picture: Html };

/** @param isShown whether the page shows the box of a field */
export async function drawOthersValues(
  guest: Guest,
  isShown: (field: Field) => boolean,
): Promise<DrawnValue[]> {
  const values = valuesOfOthers(guest.visit).filter(({ field }) => isShown(field));
  const drawings = await drawFields(
    values.map(({ field, value }) => {
      const { adoption } = field;
      const face = adoption?.kind === 'typed' ? adoption.face : undefined;
      return {
        field: stampedField(field, value, face),
        inkAddress: guest.at(`marks/${field.id}.png`),
        isShown: true,
      };
    }),
  );
  return values.map((value, index) => ({ ...value, picture: drawings[index]!.picture }));
}

/**
 * Returns an address that changes with the picture: a browser shows the one it has as long as the address is the same.
 */
export const overlayAddress = (guest: Guest, field: Pick<Field, 'id'>): string =>
  guest.at(`marks/${field.id}.png?at=${guest.visit.signing.updated_at}`);

/** Returns the verb for such a field, whatever the sender calls it. */
export const callToSign = ({ words }: Guest, { type }: Pick<Field, 'type'>): string =>
  type === 'initials' ? words.initialsHere : words.signHere;

export const controlId = ({ id }: Pick<Field, 'id'>): string => `field-${id}`;

/** Returns the face in which a typed signature is shown. */
export function faceOfSignature({ visit }: Guest, { type }: Pick<Field, 'type'>): SignatureFace {
  const adopted = type === 'signature' || type === 'initials' ? visit.signing.draft[type] : undefined;
  return adopted?.kind === 'typed' ? adopted.face : SIGNATURE_FACES[0];
}

/** A field is called what the sender calls it; one without a label has that of its type (assumed: A20), which is translated. */
export function labelOf({ words }: Guest, { label, type }: Pick<Field, 'label' | 'type'>): string {
  if (label !== type && label !== '') return label;
  const names: Record<Field['type'], string> = {
    text: words.typeText,
    signature: words.typeSignature,
    initials: words.typeInitials,
    person_name: words.typePersonName,
    email: words.typeEmail,
    date: words.typeDate,
    number: words.typeNumber,
    checkbox: words.typeCheckbox,
    select: words.typeSelect,
    radio: words.typeRadio,
  };
  return names[type];
}

/** Says beside a date that it is the day of signing, and where. */
export const filledAtSigning = ({ words, visit }: Guest): string =>
  words.filledAtSigning({ zone: isolateDirection(zoneOfSigning(visit.signing.time_zone)) });

/** Writes a value as the document has it, and a check mark in words. */
export function valueInWords({ words }: Guest, field: Field, value: string): string {
  if (field.type === 'checkbox') return value === 'true' ? words.checked : words.notChecked;
  return writtenValue(field, value);
}

/** Returns the number of a page, counted from 1 through all documents. */
export function pageNumber({ visit }: Guest, documentId: string, index: number): number {
  const { documents } = visit.transaction.content;
  const before = documents.slice(
    0,
    documents.findIndex(({ id }) => id === documentId),
  );
  return before.reduce((sum, { pages }) => sum + pages.length, index + 1);
}
