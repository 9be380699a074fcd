// Shows again what is about to be signed, and signs it. Only what was shown here is signed. While the documents are sealed, a
// page says so and reloads by itself, without a script.
import type { Reply } from '../../../api/transport.ts';
import { isSignatureField } from '../../domain/draft.ts';
import { dayOfSigning, isDateOfSigning, isOfSender } from '../../domain/known-value.ts';
import type { Field } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/language.ts';
import { type OthersValue, readFilledFields, valuesOfOthers } from '../../signing/fill.ts';
import { fingerprintOf, submitSignature } from '../../signing/sign.ts';
import { UNSHOWN_TEXT } from '../../store/transactions/signing.ts';
import {
  controlId,
  type DrawnFields,
  type DrawnValue,
  drawOthersValues,
  filledAtSigning,
  labelOf,
  pageNumber,
  valueInWords,
  withDrawings,
} from './fields.ts';
import { readSigningForm, refuseForm } from './forms.ts';
import {
  goTo,
  rejectLink,
  renderSigningPage,
  senderNameOf,
  tokenField,
  type WrongControl,
} from './layout.ts';
import { hasUnshownText, unconfirmed, unshownTextToConfirm } from './page-text.ts';
import type { Guest } from './request.ts';

export const showReview = (guest: Guest): Promise<Reply> => reviewPage(guest, undefined);

async function reviewPage(guest: Guest, wrong: WrongControl | undefined): Promise<Reply> {
  const { words, visit, url } = guest;
  const { draft } = visit.signing;
  const filled = await readFilledFields(visit, draft);
  if (filled.valueErrors.size > 0) return goTo(guest.at('document?check=1'));
  const drawn = await withDrawings(guest, filled, filled.fields.filter(isSignatureField));
  const others = await drawOthersValues(guest, isSignatureField);
  const isBySender = (field: Field) => field.is_readonly && !isDateOfSigning(field);
  const bySender = filled.fields.filter(isBySender);
  const byRecipient = filled.fields.filter((field) => !isBySender(field));
  const wordsFor = {
    changed: words.changedMeanwhile,
    [NEW_DAY]: words.dateChanged,
    interrupted: words.interrupted,
  };
  const notice = Object.entries(wordsFor).find(([name]) => url.searchParams.get(name) === '1')?.[1];
  return renderSigningPage(guest, {
    title: words.reviewTitle,
    guest,
    step: 'review',
    ...(wrong && { wrong: [wrong], status: 422 }),
    body: html`<h1>${words.reviewTitle}</h1>
${notice && html`<div class="summary" role="alert"><p>${notice}</p></div>`}
<p class="lead">${filled.fields.length === 0 ? words.reviewApprove : words.reviewLead}</p>
${request(guest)}
${entries(guest, words.filledBySender, bySender, drawn)}
${entries(guest, words.yourEntries, byRecipient, drawn)}
${othersEntries(guest, valuesOfOthers(visit), others)}
<form method="post" action="${guest.at('submit')}" novalidate>${tokenField(guest)}<input type="hidden" name="seen" value="${fingerprintOf(draft)}"><input type="hidden" name="day" value="${currentDay(guest)}">
${unshownTextToConfirm(guest, wrong)}
<p class="actions"><button data-once>${words.submit}</button> <a class="button plain" href="${guest.at('document')}">${words.back}</a> ${rejectLink(guest)}</p>
</form>`,
  });
}

/** Says in the address of the review that the day of signing is not the one that was shown before. */
const NEW_DAY = 'new_day';

const currentDay = ({ context, visit }: Guest): string => dayOfSigning(context.now, visit.signing.time_zone);

/** States what is signed, at whose request, and in whose name. */
function request(guest: Guest): Html {
  const { words, visit } = guest;
  const { content } = visit.transaction;
  const { name, email, role } = visit.recipient;
  const asks = role === 'proxy' ? words.asksYouProxy : words.asksYou;
  return html`<section class="sheet"><h2><bdi>${content.name}</bdi></h2>
<p>${asks({ sender: isolateDirection(senderNameOf(guest)) })}</p>
<dl>
<dt>${words.signingAs}</dt><dd><bdi>${name}</bdi>, <bdi>${email}</bdi></dd>
<dt>${words.documents}</dt><dd><ul class="files">${content.documents.map(
    (document) =>
      html`<li><a href="${pageLink(guest, document.id, 0)}#document-${document.id}"><bdi>${document.file.original_name}</bdi></a> <span class="quiet">${words.pageCount({ count: document.pages.length })}</span></li>`,
  )}</ul></dd>
</dl></section>`;
}

const entries = (guest: Guest, title: string, fields: readonly Field[], drawn: DrawnFields): Html | false =>
  fields.length > 0 &&
  html`<section class="sheet"><h2>${title}</h2>
<dl class="review">${fields.map((field) => row(guest, field, drawn))}</dl></section>`;

/** Shows a value. One that only the sender fills in has no link to change it. */
function row(guest: Guest, field: Field, drawn: DrawnFields): Html {
  const { words } = guest;
  const value = drawn.draft.values[field.id] ?? '';
  const label = isolateDirection(labelOf(guest, field));
  const link = `${pageLink(guest, field.document_id, field.page)}#${controlId(field)}`;
  const source = isDateOfSigning(field)
    ? html` · ${filledAtSigning(guest)}`
    : !field.is_readonly && isOfSender(field, value) && html` · ${words.filledBySender}`;
  return html`<dt><bdi>${labelOf(guest, field)}</bdi> <span class="where">${placeOf(guest, field)}${source}</span></dt>
<dd>${valueShown(guest, field, value, drawn)}${!field.is_readonly && html` <a href="${link}" aria-label="${words.changeField({ label })}">${words.change}</a>`}</dd>`;
}

/** The signature covers these values as well. */
const othersEntries = (
  guest: Guest,
  values: readonly OthersValue[],
  drawn: readonly DrawnValue[],
): Html | false =>
  values.length > 0 &&
  html`<section class="sheet"><h2>${guest.words.fieldsOfOthers}</h2>
<dl class="review">${values.map(({ field, value, recipient }) => {
    const picture = drawn.find((drawing) => drawing.field.id === field.id)?.picture;
    return html`<dt><bdi>${labelOf(guest, field)}</bdi> <span class="where">${placeOf(guest, field)} · <bdi>${recipient.name}</bdi>${isOfSender(field, value) && html` · ${guest.words.filledBySender}`}</span></dt>
<dd>${isSignatureField(field) ? signature(guest, field, value, picture) : html`<bdi>${valueInWords(guest, field, value)}</bdi>`}</dd>`;
  })}</dl></section>`;

function placeOf({ words, visit }: Guest, { document_id, page }: Field): string {
  const document = visit.transaction.content.documents.find(({ id }) => id === document_id);
  return words.onPage({ page: page + 1, document: isolateDirection(document?.file.original_name ?? '') });
}

/** Links to the documents from this page on, so that the page is there without a script as well. */
const pageLink = (guest: Guest, documentId: string, index: number): string =>
  guest.at(`document?page=${pageNumber(guest, documentId, index)}`);

function valueShown(guest: Guest, field: Field, value: string, { drawings }: DrawnFields): Html {
  if (value === '' && field.type !== 'checkbox') return html`<span class="quiet">${guest.words.empty}</span>`;
  if (isSignatureField(field)) return signature(guest, field, value, drawings.get(field.id)?.picture);
  return html`<bdi>${valueInWords(guest, field, value)}</bdi>`;
}

/** Shows the box of a signature with what is going to stand in it. */
function signature({ words }: Guest, field: Field, value: string, picture: Html | undefined): Html {
  const { positionX: x, positionY: y, width, height } = field;
  const drawn = field.type === 'initials' ? words.typeInitials : words.signaturePreview;
  return html`<span class="signature-shown"><svg role="img" aria-label="${value.startsWith('data:') ? drawn : isolateDirection(value)}" viewBox="${x} ${y} ${width} ${height}" width="${width * PIXELS_PER_POINT}" height="${height * PIXELS_PER_POINT}">${picture}</svg></span>`;
}

const PIXELS_PER_POINT = 4 / 3;

export async function submitReview(guest: Guest): Promise<Reply> {
  const sent = await readSigningForm(guest);
  if (!sent.ok) return sent.reply;
  const wrong = unconfirmed(guest, sent.values);
  if (wrong) return reviewPage(guest, wrong);
  const { context, token, visit, link } = guest;
  const details = { ...link, ...(hasUnshownText(guest) && { [UNSHOWN_TEXT]: 'confirmed' }) };
  const reviewed = sent.values.get('seen') ?? '';
  const submitted = await context.submissions.runBehindPage(visit.transaction.id, () =>
    submitSignature(context, { token, submitted: { reviewed }, details }),
  );
  if (submitted === 'under_way') return goToResult(guest);
  if (submitted.ok) return goTo(guest.at());
  // A second click waits for the result of the first one.
  if (submitted.refusal.code === 'submission_under_way') return goToResult(guest);
  const isNewDay =
    submitted.refusal.code === 'values_changed' && sent.values.get('day') !== currentDay(guest);
  return isNewDay ? goTo(guest.at(`review?${NEW_DAY}=1`)) : refuseForm(guest, submitted.refusal);
}

const AGAIN_AFTER_SECONDS = 2;

/** Marks a request for the result of a submission: a refusal is shown to those who wait for it, and to no later visit. */
const WAITED = 'waited';

const resultOf = (guest: Guest): string => `${guest.at()}?${WAITED}=1`;

/** Answers a submission that takes longer than a page. */
const goToResult = (guest: Guest): Reply => goTo(resultOf(guest));

export function showProgress(guest: Guest): Reply {
  const { words } = guest;
  const reply = renderSigningPage(guest, {
    title: words.sealingTitle,
    guest,
    body: html`<h1>${words.sealingTitle}</h1>
<p class="lead" role="status">${words.sealingLead}</p>
<p><a class="button plain" href="${resultOf(guest)}">${words.openAgain}</a></p>`,
  });
  reply.headers.refresh = `${AGAIN_AFTER_SECONDS}; url=${resultOf(guest)}`;
  return reply;
}

/** Says why the submission that this visit has waited for did not sign anything, and leads back. */
export function notSignedMeanwhile(guest: Guest): Reply | undefined {
  const { context, url, visit } = guest;
  if (!url.searchParams.has(WAITED)) return undefined;
  const refusal = context.submissions.refusalOf(visit.transaction.id);
  // A process that was killed has left no reason. The review leads on to whatever has to be done first.
  return refusal ? refuseForm(guest, refusal) : goTo(guest.at('review?interrupted=1'));
}
