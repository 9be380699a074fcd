// Makes the boxes that a preview draws over the fields of a page: who fills each in, with what, and whether it is required.
import { colorValueOf } from '../../../../api/contract/recipients.ts';
import type { HowToDraw } from '../../../../pdf/engine/engine.ts';
import type { PreviewContent, PreviewedDocument, PreviewedField, PreviewedPerson } from './content.ts';

type FieldOverlay = NonNullable<HowToDraw['marks']>[number];

export const fieldsOnPage = (
  { fields }: PreviewContent,
  document: PreviewedDocument,
  page: number,
): PreviewedField[] => fields.filter((field) => field.document_id === document.id && field.page === page);

export const personOfField = (
  { people }: PreviewContent,
  field: PreviewedField,
): PreviewedPerson | undefined => people.find(({ id }) => id === field.recipient_id);

export function overlayOf(field: PreviewedField, person: PreviewedPerson | undefined): FieldOverlay {
  const { positionX: x, positionY: y, width, height } = field;
  const isRequired = field.is_required !== false;
  return {
    x,
    y,
    width,
    height,
    color: colorOf(person?.color),
    title: overlayTitle(person),
    subtitle: `${overlayLabel(field)} · ${isRequired ? 'required' : 'optional'}`,
    isRequired,
  };
}

function overlayTitle(person: PreviewedPerson | undefined): string {
  if (!person) return 'nobody';
  return person.email === undefined ? person.name : `${person.name} <${person.email}>`;
}

/** The label of a field, or its type where it has none. */
function overlayLabel({ type, label }: PreviewedField): string {
  const isOwn = typeof label === 'string' && label !== '' && label !== type;
  return isOwn ? `${label} (${type})` : type;
}

function colorOf(color: string | undefined): FieldOverlay['color'] {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(colorValueOf(color)) ?? [];
  return [Number(`0x${red}`), Number(`0x${green}`), Number(`0x${blue}`)];
}
