// Renders a page of a document: the picture, over it the text that can be selected and read aloud, and the fields at their
// place. The drawing over the picture counts in points of the page, as fields do (assumed: A18), so that it fits at any size,
// and it gives the page its height before the picture is there.

import { LIMITS } from '../../../api/contract/limits.ts';
import { SIGNATURE_FACES, type SignatureFace } from '../../domain/adoption.ts';
import { isSignatureField } from '../../domain/draft.ts';
import { writtenValue, zoneOfSigning } from '../../domain/known-value.ts';
import type { DocumentPage, Field } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/localized.ts';
import type { DrawnFields, DrawnValue } from './drawn-fields.ts';
import type { Guest } from './sign-request.ts';

export type Paper = {
  page: DocumentPage;
  /** From 1. */
  number: number;
  count: number;
  documentId: string;
};

export function paper(
  guest: Guest,
  { page, number, count, documentId }: Paper,
  filled: DrawnFields & { others: readonly DrawnValue[] },
): Html {
  const { words } = guest;
  const isHere = (field: Field) => field.document_id === documentId && field.page === number - 1;
  const marks = filled.fields.filter(isHere);
  const others = filled.others.filter(({ field }) => isHere(field));
  const picture = (scale: 1 | 2) => guest.at(`pages/${page.id}.png?scale=${scale}`);
  const width = Math.round(page.width);
  const pixels = (dpi: number) => Math.round((page.width * dpi) / POINTS_PER_INCH);
  return html`<figure class="sheet-of-document" id="page-${page.id}" data-page="${pageNumber(guest, documentId, number - 1)}">
<div class="paper">
<img src="${picture(1)}" srcset="${picture(1)} ${pixels(LIMITS.pagePngDpi)}w, ${picture(2)} ${pixels(LIMITS.sharpPngDpi)}w" sizes="${SIZES}" width="${width}" height="${Math.round(page.height)}" alt="" loading="lazy" decoding="async">
<svg class="over" viewBox="0 0 ${page.width} ${page.height}">
<g class="words"></g>
<g aria-hidden="true">${others.map(({ picture }) => picture)}</g>
<g aria-hidden="true">${marks.map((field) => fieldOverlay(guest, field, filled))}</g>
</svg>
</div>
<figcaption>${words.pageOf({ page: number, count })} · <a href="${guest.at(`text/${page.id}`)}" data-text>${words.readAsText}</a></figcaption>
</figure>`;
}

const POINTS_PER_INCH = 72;

/** How wide a page is shown (style.css); the script corrects it when the recipient zooms. */
const SIZES = '(min-width: 60rem) calc(min(100vw, 80rem) - 25.5rem), calc(100vw - 2rem)';

/** Counted from 1 through all documents. */
export function pageNumber({ visit }: Guest, documentId: string, index: number): number {
  const { documents } = visit.transaction.content;
  const before = documents.slice(
    0,
    documents.findIndex(({ id }) => id === documentId),
  );
  return before.reduce((sum, { pages }) => sum + pages.length, index + 1);
}

const LABEL_POINTS = 10;
const LABEL_FITS_POINTS = 30;
/** Of the height of letters, at most. */
const LETTER_WIDTH = 0.62;

/** Contains the label of an empty field and the value of a filled one, drawn as it is sealed. */
export function fieldOverlay(
  guest: Guest,
  field: Field,
  { draft, valueErrors: complaints, drawings }: DrawnFields,
): Html {
  const value = draft.values[field.id] ?? '';
  const isFilled = value !== '' && !(field.type === 'checkbox' && value !== 'true');
  const state = [
    'mark',
    isFilled ? 'filled' : 'empty',
    field.is_required ? 'required' : 'optional',
    isFilled && complaints.has(field.id) && 'wrong',
  ].filter(Boolean);
  const { positionX: x, positionY: y, width, height } = field;
  return html`<a class="${state.join(' ')}" href="#${controlId(field)}" tabindex="-1" data-field="${field.id}">
<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="2"/>
<svg x="${x}" y="${y}" width="${width}" height="${height}"><g class="blank">${label(guest, field)}</g></svg><g class="value">${drawings.get(field.id)?.picture}</g>
</a>`;
}

function label(guest: Guest, field: Field): Html {
  const { width, height } = field;
  if (width < LABEL_FITS_POINTS) return html``;
  const usual = Math.max(4, Math.min(LABEL_POINTS, height * 0.6));
  if (!isSignatureField(field))
    return html`<text class="label" x="3" y="${height / 2}" dominant-baseline="central" font-size="${usual}">${isolateDirection(labelOf(guest, field))}${field.is_required && ' *'}</text>`;
  const call = callToSign(guest, field);
  const size = Math.min(usual * 1.2, (width - 6) / (call.length * LETTER_WIDTH));
  return html`<text class="label call" x="${width / 2}" y="${height / 2}" dominant-baseline="central" text-anchor="middle" font-size="${size}">${call}</text>`;
}

/** The verb for such a field, whatever the sender calls it. */
export const callToSign = ({ words }: Guest, { type }: Pick<Field, 'type'>): string =>
  type === 'initials' ? words.initialsHere : words.signHere;

export const controlId = ({ id }: Pick<Field, 'id'>): string => `field-${id}`;

/** In which face a typed signature is shown. */
export function faceOfSignature({ visit }: Guest, { type }: Pick<Field, 'type'>): SignatureFace {
  const known = type === 'signature' || type === 'initials' ? visit.signing.draft[type] : undefined;
  return known?.kind === 'typed' ? known.face : SIGNATURE_FACES[0];
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

/** A value as the document has it; a check mark in words. */
export function valueInWords({ words }: Guest, field: Field, value: string): string {
  if (field.type === 'checkbox') return value === 'true' ? words.checked : words.notChecked;
  return writtenValue(field, value);
}
