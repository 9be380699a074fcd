// Draws the values of a recipient's fields as they are sealed, for the pages that show them.
import { isSignatureField } from '../../domain/draft.ts';
import type { Field } from '../../domain/transaction.ts';
import { drawFields, type FieldDrawing } from '../../rendering/field-drawing.ts';
import { stampedField } from '../../rendering/stamped-field.ts';
import type { FilledFields } from '../../signing/fill.ts';
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

/** Changes with the picture: a browser shows the one it has as long as the address is the same. */
export const overlayAddress = (guest: Guest, field: Pick<Field, 'id'>): string =>
  guest.at(`marks/${field.id}.png?at=${guest.visit.signing.updated_at}`);
