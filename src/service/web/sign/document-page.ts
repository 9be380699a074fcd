// Renders the documents with the recipient's fields, and the form that fills them in. The first pages come with it; the others
// are loaded as they are reached, so that a long document opens as fast as a short one.

import { isLanguage, type Language, readTypedDate } from '../../../api/contract/languages.ts';
import { withoutControls } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { drawAhead } from '../../documents/pages.ts';
import { isSignatureField } from '../../domain/draft.ts';
import type { Field } from '../../domain/transaction.ts';
import { type Html, html, markupText } from '../../rendering/html.ts';
import { type FilledFields, readFilledFields, saveValues } from '../../signing/fill.ts';
import { fieldsOfRecipient, findRecipientSession } from '../../signing/signing-session.ts';
import { controlName, errorText, renderControl, smallText } from './controls.ts';
import { controlId, type DrawnFields, withDrawings } from './fields.ts';
import { readSigningForm, refuseForm } from './forms.ts';
import { plainNumber } from './language.ts';
import {
  goTo,
  rejectLink,
  renderSigningPage,
  SAFE_HEADERS,
  tokenField,
  type WrongControl,
} from './layout.ts';
import type { Guest } from './request.ts';
import { documentColumn, drawSheets, fieldOverlay, firstPage, nextSheets } from './sheets.ts';
import type { Words } from './words.ts';

export async function showDocument(guest: Guest): Promise<Reply> {
  const { visit, url } = guest;
  const { content } = visit.transaction;
  const from = firstPage(url.searchParams.get('page'));
  // The picture is asked for as soon as the page is there.
  const first = content.documents.flatMap(({ pages }) => pages)[from];
  if (first && guest.call.method === 'GET') drawAhead(guest.context, first.id);
  const fields = await readFilledFields(visit, visit.signing.draft);
  const filled = await drawSheets(guest, fields, from, fields.fields);
  const showsAllErrors = url.searchParams.get('check') === '1';
  const wrong: WrongControl[] = showsAllErrors
    ? filled.fields.flatMap((field) => {
        const error = filled.valueErrors.get(field.id);
        return error ? [{ id: controlId(field), message: errorText(guest, field, error) }] : [];
      })
    : [];
  return renderSigningPage(guest, {
    title: content.name,
    guest,
    step: 'fill',
    isWide: true,
    wrong,
    tools: zoom(guest),
    body: html`<div class="title"><h1><bdi>${content.name}</bdi></h1>${rejectLink(guest)}</div>
<div class="work">
<div class="documents" data-sheets="${guest.at('sheets')}">${documentColumn(guest, filled, from)}</div>
${panel(guest, filled, showsAllErrors)}
</div>`,
  });
}

/** The script shows and runs it. */
const zoom = ({ words }: Guest): Html => html`<div class="zoom" data-zoom hidden>
<button type="button" class="plain small" data-zoom-out aria-label="${words.zoomOut}">−</button>
<button type="button" class="plain small" data-zoom-fit aria-label="${words.zoomFit}">100 %</button>
<button type="button" class="plain small" data-zoom-in aria-label="${words.zoomIn}">+</button>
</div>`;

function panel(guest: Guest, filled: DrawnFields, showsAllErrors: boolean): Html {
  const { words } = guest;
  const { fields } = filled;
  return html`<form class="panel sheet" id="fields" method="post" action="${guest.at(`values?in=${guest.language}`)}" novalidate aria-labelledby="fields-title" data-home="${guest.at()}" data-review="${guest.at('review')}" data-fields="${guest.at('fields')}" data-now="${guest.context.now}" data-in-view="${guest.at('in-view')}" data-not-reached="${words.notReached}">
<button class="unseen" name="go" value="document" tabindex="-1" aria-hidden="true">${words.save}</button>
<h2 id="fields-title">${words.yourFields} <span class="count" data-count>${openFieldsText(words, openFieldsOf(filled))}</span></h2>
${tokenField(guest)}<input type="hidden" name="whole" value="yes">
${fields.length === 0 && html`<p>${words.nothingToFill}</p>`}
<div id="controls">${fields.map((field) => renderControl(guest, field, filled, showsAllErrors))}</div>
<p class="actions"><button name="go" value="review">${words.toReview}</button> ${fields.length > 0 && html`<button class="plain" name="go" value="document" data-save>${words.save}</button>`}</p>
${fields.length > 0 && guide(guest, filled)}
</form>`;
}

/** Leads from field to field. The script shows and runs it. */
const guide = ({ words }: Guest, filled: FilledFields): Html => html`<div class="guide" data-guide hidden>
<progress data-progress max="1" value="0" aria-hidden="true"></progress>
<p class="standing"><span data-count role="status">${openFieldsText(words, openFieldsOf(filled))}</span> <span class="kept" data-kept data-saved="${words.saved}" data-saving="${words.saving}"></span><span class="unkept" data-unkept role="status" data-not-saved="${words.notSaved}"></span></p>
<p class="steering"><button type="button" class="plain all" data-all aria-expanded="false" aria-controls="controls">${words.yourFields}</button>
<button type="button" class="plain" data-previous aria-label="${words.previous}"><span aria-hidden="true">‹</span></button>
<button type="button" data-next data-to-next="${words.next}" data-to-review="${words.toReview}">${openFieldsOf(filled) > 0 ? words.next : words.toReview}</button></p>
</div>`;

/** @returns how many fields prevent submitting */
const openFieldsOf = ({ valueErrors }: FilledFields): number => valueErrors.size;

const openFieldsText = (words: Words, count: number): string =>
  count === 0 ? words.noFieldsLeft : words.fieldsLeft({ count });

/** Renders more pages, for a page that is open already: a part without a frame. */
export async function showMoreSheets(guest: Guest): Promise<Reply> {
  const { visit, url } = guest;
  const from = firstPage(url.searchParams.get('page'));
  const filled = await drawSheets(guest, await readFilledFields(visit, visit.signing.draft), from);
  return partOf(nextSheets(guest, filled, from));
}

/** Renders the controls again, for a page that is open already, and the boxes of signatures on the documents. */
export async function showFieldsAgain(guest: Guest): Promise<Reply> {
  const filled = await readFilledFields(guest.visit, guest.visit.signing.draft);
  const signatures = filled.fields.filter(isSignatureField);
  const drawn = await withDrawings(guest, filled, signatures, filled.fields);
  return partOf(html`${panel(guest, drawn, false)}${boxes(guest, drawn, signatures)}`);
}

const boxes = (guest: Guest, drawn: DrawnFields, fields: readonly Field[]): Html =>
  html`<svg>${fields.map((field) => fieldOverlay(guest, field, drawn))}</svg>`;

const partOf = (part: Html): Reply => ({
  status: 200,
  headers: { ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8' },
  body: markupText(part),
});

/** Stores values as they are typed, one or all. A script receives the errors as data; a browser without it gets the page. */
export async function saveFields(guest: Guest): Promise<Reply> {
  const sent = await readSigningForm(guest);
  if (!sent.ok) return sent.reply;
  const { visit, context, token } = guest;
  const values = valuesIn(guest, fieldsOfRecipient(visit), sent.values);
  const saved = await saveValues(context, token, values);
  if (!saved.ok) return refuseForm(guest, saved.refusal);
  if (isScript(guest)) return readSavedState(guest, Object.keys(values));
  return goTo(guest.at(sent.values.get('go') === 'review' ? 'review' : 'document'));
}

const isScript = ({ call }: Guest): boolean => /\bapplication\/json\b/.test(call.headers.accept ?? '');

/**
 * It is the state after a save: how many fields are left, what is wrong with those that were sent, which of them are very
 * small in the document, and their boxes.
 */
export type SavedState = {
  left: number;
  leftText: string;
  wrong: Record<string, string>;
  small: Record<string, string>;
  boxes: string;
};

async function readSavedState(guest: Guest, ids: readonly string[]): Promise<Reply> {
  const { context, token, words } = guest;
  const visit = await findRecipientSession(context, token);
  if (!visit) return goTo(guest.at());
  const filled = await readFilledFields(visit, visit.signing.draft);
  const { valueErrors, draft } = filled;
  const sent = filled.fields.filter(({ id }) => ids.includes(id));
  const drawn = await withDrawings(guest, filled, sent);
  const wrong: Record<string, string> = {};
  const small: Record<string, string> = {};
  for (const field of sent) {
    const error = valueErrors.get(field.id);
    // An empty field is not wrong yet: the way to the review tells of it.
    if (error && (draft.values[field.id] ?? '') !== '') wrong[field.id] = errorText(guest, field, error);
    if (drawn.drawings.get(field.id)?.isSmall) small[field.id] = smallText(guest, field);
  }
  const body: SavedState = {
    left: valueErrors.size,
    leftText: openFieldsText(words, valueErrors.size),
    wrong,
    small,
    boxes: markupText(boxes(guest, drawn, sent)),
  };
  return {
    status: 200,
    headers: { ...SAFE_HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** A box that is not ticked is missing in a whole form. */
function valuesIn(
  guest: Guest,
  fields: FilledFields['fields'],
  sent: ReadonlyMap<string, string>,
): Record<string, string> {
  const values: Record<string, string> = {};
  const isWhole = sent.get('whole') === 'yes';
  const language = writtenIn(guest);
  for (const field of fields) {
    const value = sent.get(controlName(field));
    if (value !== undefined) values[field.id] = plain(language, field, value);
    else if (isWhole && field.type === 'checkbox') values[field.id] = 'false';
  }
  const removed = sent.get('remove');
  if (removed !== undefined) values[removed] = '';
  return values;
}

/** A page that was open while the language was changed holds numbers in the one before. */
function writtenIn({ url, language }: Guest): Language {
  const named = url.searchParams.get('in');
  return isLanguage(named) ? named : language;
}

function plain(language: Language, { type, date_format }: Field, value: string): string {
  if (type === 'number') return plainNumber(language, withoutControls(value));
  // A browser without a control for dates sends what was typed.
  if (type === 'date') return readTypedDate(withoutControls(value), date_format);
  // A form sends line ends as the network does.
  return withoutControls(value.replaceAll('\r\n', '\n'));
}
