// Renders the pages of the documents, one below the other: the picture of each, over it the text that can be selected and read
// aloud, and the fields at their place. A few come at once, the others as gaps that know how large their pages are: the script
// gives each page its room at once, so that nothing moves when pages arrive. Without it, a gap is a link.
import { LIMITS } from '../../../api/contract/limits.ts';
import { isSignatureField } from '../../domain/draft.ts';
import type { Document, DocumentPage, Field, Remark } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/language.ts';
import type { FilledFields } from '../../signing/fill.ts';
import {
  callToSign,
  controlId,
  type DrawnFields,
  type DrawnValue,
  drawOthersValues,
  labelOf,
  pageNumber,
  withDrawings,
} from './fields.ts';
import { unshownTextOf } from './page-text.ts';
import type { Guest } from './request.ts';

/** So many pages of all documents together come at once. */
const PAGES_AT_ONCE = 3;

/** `others` are the drawn values of other recipients. */
type DrawnSheets = DrawnFields & { others: readonly DrawnValue[] };

/**
 * Draws the values that stand on the pages from this one on, as many as come at once.
 * @param listed other fields, of which the page says whether they are very small
 */
export async function drawSheets(
  guest: Guest,
  filled: FilledFields,
  from: number,
  listed: FilledFields['fields'] = [],
): Promise<DrawnSheets> {
  const isShown = ({ document_id, page }: Field) => {
    const number = pageNumber(guest, document_id, page);
    return number > from && number <= from + PAGES_AT_ONCE;
  };
  const drawn = await withDrawings(guest, filled, filled.fields.filter(isShown), listed);
  return { ...drawn, others: await drawOthersValues(guest, isShown) };
}

/** Renders the documents with the pages from this one on, and gaps where the others belong. @param from counted through all documents */
export function documentColumn(guest: Guest, filled: DrawnSheets, from: number): Html {
  return html`${placedPages(guest).map(({ document, pages }) => {
    const isShown = ({ number }: PlacedPage) => number > from && number <= from + PAGES_AT_ONCE;
    const before = pages.filter(({ number }) => number <= from);
    const after = pages.filter(({ number }) => number > from + PAGES_AT_ONCE);
    return html`${heading(guest, document)}${gap(guest, before, -PAGES_AT_ONCE)}${pages
      .filter(isShown)
      .map((page) => sheet(guest, filled, page))}${gap(guest, after)}`;
  })}`;
}

/** Renders pages for a document page that is open already. */
export const nextSheets = (guest: Guest, filled: DrawnSheets, from: number): Html =>
  html`${placedPages(guest)
    .flatMap(({ pages }) => pages)
    .slice(from, from + PAGES_AT_ONCE)
    .map((page) => sheet(guest, filled, page))}`;

/** @returns the page, counted from 0; what is no number is the first page */
export const firstPage = (text: string | null): number => Math.max(0, Math.trunc(Number(text ?? 1)) - 1 || 0);

/** `number` counts from 1 through all documents. */
type PlacedPage = { document: Document; page: DocumentPage; index: number; number: number };

function placedPages({ visit }: Guest): { document: Document; pages: PlacedPage[] }[] {
  let number = 0;
  return visit.transaction.content.documents.map((document) => ({
    document,
    pages: document.pages.map((page, index) => {
      number += 1;
      return { document, page, index, number };
    }),
  }));
}

/** @param step leads without a script to the first of the pages, or to so many before the last */
function gap(guest: Guest, pages: readonly PlacedPage[], step = 0): Html | false {
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) return false;
  const leadsTo = step < 0 ? Math.max(first.number, last.number + step + 1) : first.number;
  const { words } = guest;
  // 0 stands for the number of the page: the script puts it in.
  const label = words.pageOf({ page: 0, count: first.document.pages.length });
  return html`<p class="more" data-gap="${first.number}" data-first="${first.index + 1}" data-sizes="${sizesOf(pages)}" data-label="${label}"><a class="button plain" href="${guest.at(`document?page=${leadsTo}`)}">${words.morePages}</a></p>`;
}

/** Lists the sizes of pages as in `595x842*37`, where pages of one size that follow each other are written once. */
function sizesOf(pages: readonly PlacedPage[]): string {
  const runs: { size: string; count: number }[] = [];
  for (const { page } of pages) {
    const size = `${page.width}x${page.height}`;
    const run = runs.at(-1);
    if (run?.size === size) run.count += 1;
    else runs.push({ size, count: 1 });
  }
  return runs.map(({ size, count }) => `${size}*${count}`).join(' ');
}

const sheet = (guest: Guest, filled: DrawnSheets, { document, page, index }: PlacedPage): Html =>
  paper(guest, { page, number: index + 1, count: document.pages.length, documentId: document.id }, filled);

function heading(guest: Guest, document: Document): Html {
  const { id, file, remarks } = document;
  const mentions = remarks.flatMap((remark) => remarkIn(guest, remark) ?? []);
  return html`<div class="document-heading" id="document-${id}">
<h2><bdi>${file.original_name}</bdi></h2>
${mentions.map((mention) => html`<p class="mention">${mention}</p>`)}
${unshownTextOf(guest, document)}
<p class="mention"><a href="${guest.at(`files/${id}.pdf`)}" download>${guest.words.download}</a></p>
</div>`;
}

/** Shows only remarks that change how the document is read; text that is not shown has a place of its own. */
function remarkIn({ words }: Guest, { code, page: index }: Remark): string | undefined {
  switch (code) {
    case 'approximate_layout':
      return words.remarkApproximateLayout;
    case 'content_not_shown':
      return index === undefined
        ? words.remarkContentMissingSomewhere
        : words.remarkContentMissing({ page: index + 1 });
    case 'tracked_changes':
      return words.remarkTrackedChanges;
    case 'dynamic_form':
      return words.remarkDynamicForm;
    case 'already_signed':
      return words.remarkAlreadySigned;
    case 'page_not_drawable':
      return index === undefined ? words.cannotShow : words.cannotShowPage({ page: index + 1 });
    case 'fonts_missing':
    case 'fonts_replaced':
    case 'fields_not_updated':
    case 'encrypted_permissions':
      return undefined;
  }
}

type Paper = {
  page: DocumentPage;
  /** Pages count from 1. */
  number: number;
  count: number;
  documentId: string;
};

function paper(
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

/** Pages are shown as wide as style.css says; the script corrects it when the recipient zooms. */
const SIZES = '(min-width: 60rem) calc(min(100vw, 80rem) - 25.5rem), calc(100vw - 2rem)';

const LABEL_POINTS = 10;
const LABEL_FITS_POINTS = 30;
/** A letter is at most so wide, as a part of its height. */
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
<svg x="${x}" y="${y}" width="${width}" height="${height}"><g class="blank">${drawLabel(guest, field)}</g></svg><g class="value">${drawings.get(field.id)?.picture}</g>
</a>`;
}

function drawLabel(guest: Guest, field: Field): Html {
  const { width, height } = field;
  if (width < LABEL_FITS_POINTS) return html``;
  const usual = Math.max(4, Math.min(LABEL_POINTS, height * 0.6));
  if (!isSignatureField(field))
    return html`<text class="label" x="3" y="${height / 2}" dominant-baseline="central" font-size="${usual}">${isolateDirection(labelOf(guest, field))}${field.is_required && ' *'}</text>`;
  const call = callToSign(guest, field);
  const size = Math.min(usual * 1.2, (width - 6) / (call.length * LETTER_WIDTH));
  return html`<text class="label call" x="${width / 2}" y="${height / 2}" dominant-baseline="central" text-anchor="middle" font-size="${size}">${call}</text>`;
}
