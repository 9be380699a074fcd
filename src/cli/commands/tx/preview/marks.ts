// The fields of a page as boxes to draw: who fills it in, what, and whether it is required.
import type { HowToDraw } from '../../../../pdf/engine/engine.ts';
import type { Previewed, PreviewedDocument, PreviewedField, PreviewedPerson } from './content.ts';

type Mark = NonNullable<HowToDraw['marks']>[number];

/** The names of colours that recipients have (assumed: A20), dark enough for white letters, at least 4.5 : 1. */
const COLORS: Record<string, Mark['color']> = {
  blue: [29, 78, 216],
  pink: [190, 24, 93],
  green: [21, 128, 61],
  orange: [194, 65, 12],
  purple: [109, 40, 217],
  cyan: [14, 116, 144],
  red: [185, 28, 28],
  olive: [101, 89, 0],
};
const OTHER: Mark['color'] = [71, 85, 105];

export const fieldsOnPage = (
  { fields }: Previewed,
  document: PreviewedDocument,
  page: number,
): PreviewedField[] => fields.filter((field) => field.document_id === document.id && field.page === page);

export const personOf = ({ people }: Previewed, field: PreviewedField): PreviewedPerson | undefined =>
  people.find(({ id }) => id === field.recipient_id);

export function markOf(field: PreviewedField, person: PreviewedPerson | undefined): Mark {
  const { positionX: x, positionY: y, width, height } = field;
  const isRequired = field.is_required !== false;
  return {
    x,
    y,
    width,
    height,
    color: colorOf(person?.color),
    title: person ? `${person.name} <${person.email}>` : 'nobody',
    subtitle: `${whatOf(field)} · ${isRequired ? 'required' : 'optional'}`,
    isRequired,
  };
}

/** The type says what it is; a label of its own says more. */
function whatOf({ type, label }: PreviewedField): string {
  const isOwn = typeof label === 'string' && label !== '' && label !== type;
  return isOwn ? `${label} (${type})` : type;
}

/** A service may have other names, or write `#1d4ed8`. */
function colorOf(color: string | undefined): Mark['color'] {
  const named = color !== undefined && Object.hasOwn(COLORS, color) ? COLORS[color] : undefined;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color ?? '');
  if (named || !hex) return named ?? OTHER;
  return [Number(`0x${hex[1]}`), Number(`0x${hex[2]}`), Number(`0x${hex[3]}`)];
}
