// Shows the text of a page: over its picture, where it can be selected and is read aloud, and as a page of its own for
// recipients who cannot see the picture or use a small screen. It is as hostile as the document.
import type { Reply } from '../../../api/transport.ts';
import type { PageText } from '../../../pdf/engine/engine.ts';
import { loadPageText as pageTextOf } from '../../documents/page-text.ts';
import { isPictureValue } from '../../domain/adoption.ts';
import { isOfSender } from '../../domain/known-value.ts';
import type { Document } from '../../domain/transaction.ts';
import { type Html, html, markupText } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/localized.ts';
import { valuesOfOthers } from '../../signing/others-values.ts';
import { deliveryOf } from '../../signing/page-records.ts';
import type { StoredPage } from '../../store/files.ts';
import { SAFE_HEADERS, renderSigningPage as shownPage } from './layout.ts';
import { labelOf, valueInWords } from './paper.ts';
import type { Guest } from './sign-request.ts';

/** `text/PAGE`: a part of a drawing for a script, a page for other clients. */
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

/** What others have filled in on the page, which its text does not have. */
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
