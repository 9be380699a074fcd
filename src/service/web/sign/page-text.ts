// Shows the text of the documents. That of a page stands over its picture, where it can be selected and is read aloud, and on a
// page of its own for recipients who cannot see the picture or use a small screen. Text that no page shows, because no font had
// its letters, is on the page as text, which the browser draws with its own fonts; signing waits until the recipient has
// confirmed it. All of it is as hostile as the document.
import type { Reply } from '../../../api/transport.ts';
import type { PageText } from '../../../pdf/engine/engine.ts';
import { loadPageText as pageTextOf } from '../../documents/pages.ts';
import { isPictureValue } from '../../domain/adoption.ts';
import { isOfSender } from '../../domain/known-value.ts';
import type { Document } from '../../domain/transaction.ts';
import { type Html, html, markupText } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/language.ts';
import { valuesOfOthers } from '../../signing/fill.ts';
import { deliveryOf } from '../../signing/record.ts';
import type { StoredPage } from '../../store/documents/files.ts';
import { labelOf, valueInWords } from './fields.ts';
import { SAFE_HEADERS, renderSigningPage as shownPage, type WrongControl } from './layout.ts';
import type { Guest } from './request.ts';

/** `text/PAGE` sends a part of a drawing to a script, and a page to other clients. */
export async function showText(guest: Guest, page: StoredPage): Promise<Reply> {
  const read = await pageTextOf(guest.context, page);
  // A page without text that can be read is shown without.
  const text: PageText = read.ok ? read.output : { runs: [], isCut: false };
  if (/\bimage\/svg\+xml\b/.test(guest.call.headers.accept ?? '')) return overPicture(text);
  const { call, context, visit } = guest;
  if (visit.situation === 'awaiting_signature' && call.method === 'GET') {
    const delivery = deliveryOf(context, visit, page.id, 'text');
    if (delivery) await context.store.database.write(delivery, [], 'locked');
  }
  return asPage(guest, page, text);
}

type Run = PageText['runs'][number];

const overPicture = ({ runs }: PageText): Reply => ({
  status: 200,
  headers: { ...SAFE_HEADERS, 'content-type': 'image/svg+xml; charset=utf-8' },
  body: markupText(html`<svg xmlns="http://www.w3.org/2000/svg">${runs.map(run)}</svg>`),
});

/** Letters of a font hang a fifth of their height below the line they stand on. */
const BASELINE = 0.8;

const run = ({ text, x, y, width, height, angle }: Run): Html => {
  const turned = angle !== undefined && html` transform="rotate(${angle} ${x} ${y})"`;
  return html`<text x="${x}" y="${y + height * BASELINE}" font-size="${height}" textLength="${Math.max(width, 0.1)}" lengthAdjust="spacingAndGlyphs"${turned}>${text}</text>`;
};

function asPage(guest: Guest, page: StoredPage, { runs }: PageText): Reply {
  const { words, visit } = guest;
  const document = visit.transaction.content.documents.find(({ pages }) =>
    pages.some(({ id }) => id === page.id),
  );
  const title = words.onPage({
    page: page.index + 1,
    document: isolateDirection(document?.file.original_name ?? ''),
  });
  return shownPage(guest, {
    title,
    guest,
    step: 'fill',
    body: html`<h1>${title}</h1>
${runs.length === 0 ? html`<p>${words.noText}</p>` : html`<div class="sheet running" dir="auto">${linesOf(runs)}</div>`}
${document && othersValues(guest, document.id, page.index)}
<p class="actions">${beside(guest, document, page.index)}<a class="button plain" href="${guest.at('document')}">${words.back}</a></p>`,
  });
}

/** Lists what others have filled in on the page, which its text does not have. */
function othersValues(guest: Guest, documentId: string, index: number): Html | false {
  const here = valuesOfOthers(guest.visit).filter(
    ({ field }) => field.document_id === documentId && field.page === index,
  );
  if (here.length === 0) return false;
  return html`<section class="sheet"><h2>${guest.words.fieldsOfOthers}</h2>
<dl class="review">${here.map(
    ({ field, value, recipient }) =>
      html`<dt><bdi>${labelOf(guest, field)}</bdi> <span class="where"><bdi>${recipient.name}</bdi>${isOfSender(field, value) && html` · ${guest.words.filledBySender}`}</span></dt>
<dd><bdi>${isPictureValue(value) ? labelOf(guest, field) : valueInWords(guest, field, value)}</bdi></dd>`,
  )}</dl></section>`;
}

/** A run that ends with a space continues in the next. */
const linesOf = (runs: readonly Run[]): string =>
  runs.map(({ text }) => (text.endsWith(' ') ? text : `${text}\n`)).join('');

function beside(guest: Guest, document: Document | undefined, index: number): Html {
  const link = (at: number, label: string) => {
    const id = document?.pages[at]?.id;
    return id !== undefined && html`<a class="button plain" href="${guest.at(`text/${id}`)}">${label}</a> `;
  };
  return html`${link(index - 1, guest.words.pageBefore)}${link(index + 1, guest.words.pageAfter)}`;
}

type Unshown = { document: Document; index: number | undefined; text: string | undefined };

const unshownIn = (documents: readonly Document[]): Unshown[] =>
  documents.flatMap((document) =>
    document.remarks
      .filter(({ code }) => code === 'fonts_missing')
      .map(({ page, text }) => ({ document, index: page, text })),
  );

/** Tells whether the recipient has to confirm that they know of such text. */
export const hasUnshownText = ({ visit }: Guest): boolean =>
  unshownIn(visit.transaction.content.documents).length > 0;

/** Shows the text below the name of a document. It scrolls, so that the pages stay near. */
export function unshownTextOf(guest: Guest, document: Document): Html | false {
  const all = unshownIn([document]);
  const id = `unshown-${document.id}`;
  return (
    all.length > 0 &&
    html`<section class="unshown" aria-labelledby="${id}"><h3 id="${id}">${guest.words.unshownTitle}</h3>
<p>${guest.words.unshownLead}</p>
<div class="scrolled" role="group" tabindex="0" aria-labelledby="${id}">${all.map((part) => unshown(guest, part))}</div></section>`
  );
}

const CONFIRMATION = 'unshown';

/** Shows all of it again before the button that signs, with a box to tick. */
export function unshownTextToConfirm(guest: Guest, wrong: WrongControl | undefined): Html | false {
  const { words, visit } = guest;
  const all = unshownIn(visit.transaction.content.documents);
  return (
    all.length > 0 &&
    html`<section class="unshown" aria-labelledby="unshown-title"><h2 id="unshown-title">${words.unshownTitle}</h2>
<p>${words.unshownLead}</p>
${all.map((part) => unshown(guest, part))}
<div class="field">${wrong && html`<p class="wrong" id="${CONFIRMATION}-wrong">${wrong.message}</p>`}
<label class="check" for="${CONFIRMATION}"><input type="checkbox" id="${CONFIRMATION}" name="${CONFIRMATION}" value="yes" required${wrong && html` aria-invalid="true" aria-describedby="${CONFIRMATION}-wrong"`}><span>${words.unshownConfirm}</span></label></div></section>`
  );
}

/** Says what is wrong with the form that signs, where the box has to be ticked and is not. */
export const unconfirmed = (guest: Guest, sent: ReadonlyMap<string, string>): WrongControl | undefined =>
  hasUnshownText(guest) && sent.get(CONFIRMATION) !== 'yes'
    ? { id: CONFIRMATION, message: guest.words.unshownFirst }
    : undefined;

function unshown(guest: Guest, { document, index, text }: Unshown): Html {
  const { words } = guest;
  const name = isolateDirection(document.file.original_name);
  if (index === undefined) return html`<p>${words.unshownElsewhere({ document: name })}</p>`;
  const pageId = document.pages[index]?.id;
  return html`<p class="where">${words.onPage({ page: index + 1, document: name })}${pageId !== undefined && html` · <a href="${guest.at(`text/${pageId}`)}">${words.readAsText}</a>`}</p>
${text === undefined ? html`<p>${words.unshownUnreadable}</p>` : html`<blockquote dir="auto">${text}</blockquote>`}`;
}
