// Draws the values of fields as they are sealed, for the pages that show them: those of the recipient, and those of others.
import { isSignatureField } from '../../domain/draft.ts';
import type { Field } from '../../domain/transaction.ts';
import { drawFields, type FieldDrawing } from '../../rendering/field-drawing.ts';
import type { Html } from '../../rendering/html.ts';
import { stampedField } from '../../rendering/stamped-field.ts';
import type { FilledFields } from '../../signing/fill.ts';
import { type OthersValue, valuesOfOthers } from '../../signing/others-values.ts';
import type { Guest } from './sign-request.ts';

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

/** Changes with the picture: a browser shows the one it has as long as the address is the same. */
export const overlayAddress = (guest: Guest, field: Pick<Field, 'id'>): string =>
  guest.at(`marks/${field.id}.png?at=${guest.visit.signing.updated_at}`);
