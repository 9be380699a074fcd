// Shows the text of the documents that their pages do not show, because no font had its letters when they were uploaded. It is
// on the page as text, which the browser draws with its own fonts, and signing waits until the recipient has confirmed it.
import type { Document } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/localized.ts';
import type { WrongControl } from './layout.ts';
import type { Guest } from './sign-request.ts';

type Unshown = { document: Document; index: number | undefined; text: string | undefined };

const unshownIn = (documents: readonly Document[]): Unshown[] =>
  documents.flatMap((document) =>
    document.remarks
      .filter(({ code }) => code === 'fonts_missing')
      .map(({ page, text }) => ({ document, index: page, text })),
  );

/** Whether the recipient has to confirm that they know of such text. */
export const hasUnshownText = ({ visit }: Guest): boolean =>
  unshownIn(visit.transaction.content.documents).length > 0;

/** Below the name of a document: it scrolls, so that the pages stay near. */
export function unshownTextOf(guest: Guest, document: Document): Html | false {
  const all = unshownIn([document]);
  const id = `unshown-${document.id}`;
  return (
    all.length > 0 &&
    html`<section class="unshown" aria-labelledby="${id}"><h3 id="${id}">${guest.words.unshownTitle}</h3>
<p>${guest.words.unshownLead}</p>
<div class="scrolled" role="group" tabindex="0" aria-labelledby="${id}">${all.map((one) => unshown(guest, one))}</div></section>`
  );
}

const CONFIRMATION = 'unshown';

/** Before the button that signs: all of it again, and a box to tick. */
export function unshownTextToConfirm(guest: Guest, wrong: WrongControl | undefined): Html | false {
  const { words, visit } = guest;
  const all = unshownIn(visit.transaction.content.documents);
  return (
    all.length > 0 &&
    html`<section class="unshown" aria-labelledby="unshown-title"><h2 id="unshown-title">${words.unshownTitle}</h2>
<p>${words.unshownLead}</p>
${all.map((one) => unshown(guest, one))}
<div class="field">${wrong && html`<p class="wrong" id="${CONFIRMATION}-wrong">${wrong.message}</p>`}
<label class="check" for="${CONFIRMATION}"><input type="checkbox" id="${CONFIRMATION}" name="${CONFIRMATION}" value="yes" required${wrong && html` aria-invalid="true" aria-describedby="${CONFIRMATION}-wrong"`}><span>${words.unshownConfirm}</span></label></div></section>`
  );
}

/** What is wrong with the form that signs, where the box has to be ticked and is not. */
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
