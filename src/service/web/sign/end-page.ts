// Shows the state of a transaction to a recipient who is not asked any more: signed, complete, rejected, cancelled, expired.

import type { Reply } from '../../../api/transport.ts';
import type { Instant } from '../../../common/instant.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import { isolateDirection, timeIn } from '../../rendering/language.ts';
import { isReadable } from '../../signing/signing-session.ts';
import { renderSigningPage, senderNameOf } from './layout.ts';
import type { Guest } from './request.ts';

type End = { title: string; lead: string; more?: HtmlValue };

export function showEnd(guest: Guest, { status = 200 } = {}): Reply {
  const { title, lead, more } = endOf(guest);
  const { content } = guest.visit.transaction;
  return renderSigningPage(guest, {
    title,
    guest,
    status,
    body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<section class="sheet"><h2><bdi>${content.name}</bdi></h2>
<dl>${signedByYou(guest)}${more}</dl>
</section>
${guest.visit.situation === 'completed' && sealedDocuments(guest)}
${isReadable(guest.visit) && originals(guest)}`,
  });
}

function endOf(guest: Guest): End {
  const { words, visit } = guest;
  const { transaction } = visit;
  const sender = isolateDirection(senderNameOf(guest));
  switch (visit.situation) {
    case 'completed':
      return { title: words.completedTitle, lead: words.completedLead };
    case 'rejected':
      return {
        title: words.rejectedTitle,
        lead: rejecter(guest),
        more: reason(guest, transaction.rejected_reason),
      };
    case 'cancelled':
      return {
        title: words.cancelledTitle,
        lead: words.cancelledBy({ sender }),
        more: reason(guest, transaction.cancelled_reason),
      };
    case 'expired':
      return {
        title: words.expiredTitle,
        lead: words.expiredLead({ sender }),
        more: moment(guest, words.expiredAt, transaction.expired_at),
      };
    case 'signed':
    case 'awaiting_signature':
      return { title: words.signedTitle, lead: words.signedLead };
  }
}

function rejecter({ words, visit }: Guest): string {
  const { rejected_by_id, content } = visit.transaction;
  if (rejected_by_id === visit.recipient.id) return words.rejectedByYou;
  const name = content.recipients.find(({ id }) => id === rejected_by_id)?.name ?? '';
  return words.rejectedBy({ name: isolateDirection(name) });
}

const reason = ({ words }: Guest, text: string | null): Html | false =>
  text !== null && html`<dt>${words.given}</dt><dd dir="auto">${text}</dd>`;

const signedByYou = (guest: Guest): Html | false =>
  moment(guest, guest.words.signedAt, guest.visit.recipient.submitted_at);

const moment = ({ language, visit }: Guest, title: string, at: Instant | null): Html | false =>
  at !== null &&
  html`<dt>${title}</dt><dd><time datetime="${at}">${timeIn(language, at, visit.signing.time_zone)}</time></dd>`;

const sealedDocuments = (guest: Guest): Html | false => {
  const { sealed_documents: sealed } = guest.visit.transaction;
  return (
    sealed.length > 0 &&
    html`<section class="sheet"><h2>${guest.words.sealedDocuments}</h2>
<ul class="files">${sealed.map(({ id, name }) => fileLine(guest, name, `sealed/${id}.pdf`))}</ul></section>`
  );
};

const originals = (guest: Guest): Html => html`<section class="sheet"><h2>${guest.words.originals}</h2>
<ul class="files">${guest.visit.transaction.content.documents.map(({ id, file }) => fileLine(guest, file.original_name, `files/${id}.pdf`))}</ul></section>`;

const fileLine = (guest: Guest, name: string, path: string): Html =>
  html`<li><bdi>${name}</bdi> <a href="${guest.at(path)}" download>${guest.words.download}</a></li>`;
