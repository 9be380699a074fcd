// Shows the first page: who asks, what for, until when; and the consent to sign electronically, without which no fields are
// shown.
import type { Reply } from '../../../api/transport.ts';
import { type Html, html } from '../../rendering/html.ts';
import { isolateDirection, timeIn } from '../../rendering/language.ts';
import { saveConsent } from '../../signing/fill.ts';
import { readSigningForm, refuseForm } from './forms.ts';
import {
  goTo,
  rejectLink,
  renderSigningPage,
  senderNameOf,
  tokenField,
  type WrongControl,
} from './layout.ts';
import type { Guest } from './request.ts';

/** It changes with the text of the consent, in whatever language. */
export const CONSENT_VERSION = '1';

export const showStart = (guest: Guest): Reply =>
  guest.visit.signing.consented_at === null ? startPage(guest, []) : goTo(guest.at('document'));

function startPage(guest: Guest, wrong: readonly WrongControl[]): Reply {
  const { words, visit } = guest;
  const { content } = visit.transaction;
  const asks = visit.recipient.role === 'proxy' ? words.asksYouProxy : words.asksYou;
  const [unticked] = wrong;
  return renderSigningPage(guest, {
    title: content.name,
    guest,
    step: 'start',
    wrong,
    status: wrong.length > 0 ? 422 : 200,
    body: html`<p class="lead">${asks({ sender: isolateDirection(senderNameOf(guest)) })}</p>
<h1><bdi>${content.name}</bdi></h1>
${quoted(words.message, content.email_body)}
${quoted(words.description, content.description)}
<section class="sheet"><dl>
<dt>${words.to}</dt><dd><bdi>${visit.recipient.name}</bdi>, <bdi>${visit.recipient.email}</bdi></dd>
<dt>${words.until}</dt><dd>${deadline(guest)}</dd>
<dt>${words.documents}</dt><dd><ul class="files">${content.documents.map(
      ({ file, pages }) =>
        html`<li><bdi>${file.original_name}</bdi> <span class="quiet">${words.pageCount({ count: pages.length })}</span></li>`,
    )}</ul></dd>
</dl></section>
<form class="sheet" method="post" action="${guest.at('consent')}" novalidate>
<h2>${words.consentTitle}</h2>
<p id="consent-text">${words.consent}</p>
${tokenField(guest)}<input type="hidden" name="time_zone" value="" data-time-zone>
<div class="field">${unticked && html`<p class="wrong" id="agree-wrong">${unticked.message}</p>`}
<label class="check" for="agree"><input type="checkbox" id="agree" name="agree" value="yes" required${unticked && html` aria-invalid="true" aria-describedby="agree-wrong"`}><span>${words.agree}</span></label></div>
<p class="actions"><button>${words.start}</button> ${rejectLink(guest)}</p>
</form>`,
  });
}

const quoted = (title: string, text: string): Html | false =>
  text.trim() !== '' && html`<section><h2>${title}</h2><blockquote dir="auto">${text}</blockquote></section>`;

function deadline({ words, language, visit }: Guest) {
  const { expires_at } = visit.transaction;
  if (expires_at === null) return words.noEnd;
  return html`<time datetime="${expires_at}">${timeIn(language, expires_at, visit.signing.time_zone)}</time>`;
}

export async function consent(guest: Guest): Promise<Reply> {
  const sent = await readSigningForm(guest);
  if (!sent.ok) return sent.reply;
  const { words, language } = guest;
  if (sent.values.get('agree') !== 'yes')
    return startPage(guest, [{ id: 'agree', message: words.agreeFirst }]);
  const { context, token, link } = guest;
  const time_zone = timeZoneOf(sent.values.get('time_zone'));
  const consented = { version: CONSENT_VERSION, text: words.consent, language, time_zone };
  const agreed = await saveConsent(context, token, consented, link);
  return agreed.ok ? goTo(guest.at('document')) : refuseForm(guest, agreed.refusal);
}

/** @returns a name of the IANA database, such as Europe/Berlin; null for anything else */
function timeZoneOf(name: string | undefined): string | null {
  if (name === undefined || !/^[A-Za-z0-9_+/-]{1,64}$/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
