// Renders a page of a document: the picture, over it the text that can be selected and read aloud, and the fields at their
// place. The drawing over the picture counts in points of the page, as fields do (assumed: A18), so that it fits at any size,
// and it gives the page its height before the picture is there.

import { LIMITS } from '../../../api/contract/limits.ts';
import { SIGNATURE_FACES, type SignatureFace } from '../../domain/adoption.ts';
import { isSignatureField } from '../../domain/draft.ts';
import { writtenValue } from '../../domain/known-value.ts';
import type { DocumentPage, Field } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/localized.ts';
import type { FilledFields } from '../../signing/fill.ts';
import type { Guest } from './sign-request.ts';

export type Paper = {
  page: DocumentPage;
  /** From 1. */
  number: number;
  count: number;
  documentId: string;
};

export function paper(guest: Guest, { page, number, count, documentId }: Paper, filled: FilledFields): Html {
  const { words } = guest;
  const marks = filled.fields.filter(
    (field) => field.document_id === documentId && field.page === number - 1,
  );
  const picture = (scale: 1 | 2) => guest.at(`pages/${page.id}.png?scale=${scale}`);
  const width = Math.round(page.width);
  const pixels = (dpi: number) => Math.round((page.width * dpi) / POINTS_PER_INCH);
  return html`<figure class="sheet-of-document" id="page-${page.id}" data-page="${pageNumber(guest, documentId, number - 1)}">
<div class="paper">
<img src="${picture(1)}" srcset="${picture(1)} ${pixels(LIMITS.pagePngDpi)}w, ${picture(2)} ${pixels(LIMITS.sharpPngDpi)}w" sizes="${SIZES}" width="${width}" height="${Math.round(page.height)}" alt="" loading="lazy" decoding="async">
<svg class="over" viewBox="0 0 ${page.width} ${page.height}">
<g class="words"></g>
<g aria-hidden="true">${marks.map((field) => fieldOverlay(guest, field, filled))}</g>
</svg>
</div>
<figcaption>${words.pageOf(number, count)} · <a href="${guest.at(`text/${page.id}`)}" data-text>${words.readAsText}</a></figcaption>
</figure>`;
}

const POINTS_PER_INCH = 72;

/** How wide a page is shown (style.ts); the script corrects it when the recipient zooms. */
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

/** Contains the views with a value and without one: the script switches between them while the recipient types. */
export function fieldOverlay(
  guest: Guest,
  field: Field,
  { draft, valueErrors: complaints }: FilledFields,
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
<svg x="${x}" y="${y}" width="${width}" height="${height}"><g class="blank">${label(guest, field)}</g><g class="value">${written(guest, field, value)}</g></svg>
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

/** From one line to the next, in sizes of the text. */
export const LINE_HEIGHT = 1.2;

const FAMILIES: Record<string, string> = {
  times: 'serif',
  courier: 'monospace',
};

/** Renders a value as it is going to look, as far as a browser can tell. */
function written(guest: Guest, field: Field, value: string): Html {
  const { width, height } = field;
  if (field.type === 'checkbox')
    return html`<path d="M${width * 0.2} ${height * 0.55} L${width * 0.42} ${height * 0.78} L${width * 0.8} ${height * 0.22}" fill="none" stroke="#111" stroke-width="${Math.max(1, Math.min(width, height) * 0.1)}"/>`;
  if (isSignatureField(field) && value === '') return html``;
  if (isSignatureField(field) && value.startsWith('data:'))
    return html`<image href="${overlayAddress(guest, field)}" x="2" y="2" width="${Math.max(1, width - 4)}" height="${Math.max(1, height - 4)}" preserveAspectRatio="xMinYMid meet"/>`;
  if (isSignatureField(field)) {
    const size = Math.max(6, Math.min(height * 0.7, (width - 6) / Math.max(1, value.length * 0.5)));
    return html`<text class="${faceOfSignature(guest, field)}" x="3" y="${height / 2}" dominant-baseline="central" font-size="${size}">${value}</text>`;
  }
  const family = Object.entries(FAMILIES).find(([name]) =>
    field.font_family.toLowerCase().startsWith(name),
  )?.[1];
  const lines = writtenValue(field, value).split('\n');
  const ring = field.type === 'radio' ? Math.min(field.font_size * 0.8, height * 0.8, width * 0.3) : 0;
  const step = field.font_size * LINE_HEIGHT;
  const first = lines.length === 1 ? height / 2 : step / 2;
  return html`${ring > 0 && chosen(field, ring)}${lines.map(
    (line, index) =>
      html`<text x="${ring > 0 ? ring + 6 : 3}" y="${first + index * step}" dominant-baseline="central" font-size="${field.font_size}" font-family="${family ?? 'sans-serif'}" fill="${field.font_color}"${field.bold && html` font-weight="700"`}${field.italic && html` font-style="italic"`}${field.underline && html` text-decoration="underline"`}>${line}</text>`,
  )}`;
}

/** A choice is a filled ring before its name. */
const chosen = ({ height, font_color }: Field, diameter: number): Html =>
  html`<g fill="${font_color}"><circle cx="${3 + diameter / 2}" cy="${height / 2}" r="${diameter * 0.45}" fill="none" stroke="${font_color}" stroke-width="${diameter * 0.1}"/><circle cx="${3 + diameter / 2}" cy="${height / 2}" r="${diameter * 0.25}"/></g>`;

export const controlId = ({ id }: Pick<Field, 'id'>): string => `field-${id}`;

/** Changes with the picture: a browser shows the one it has as long as the address is the same. */
export const overlayAddress = (guest: Guest, field: Pick<Field, 'id'>): string =>
  guest.at(`marks/${field.id}.png?at=${guest.visit.signing.updated_at}`);

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

/** A value as the document has it; a check mark in words. */
export function valueInWords({ words }: Guest, field: Field, value: string): string {
  if (field.type === 'checkbox') return value === 'true' ? words.checked : words.notChecked;
  return writtenValue(field, value);
}
