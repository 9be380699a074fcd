// Shown while the submission of a recipient is processed and the documents are sealed. It reloads by itself, without a script.
import type { Reply } from '../../../api/transport.ts';
import { html } from '../../rendering/html.ts';
import { goTo, renderSigningPage } from './layout.ts';
import { refuseForm } from './refuse-form.ts';
import type { Guest } from './sign-request.ts';

const AGAIN_AFTER_SECONDS = 2;

/** Marks a request for the result of a submission: a refusal is shown to those who wait for it, and to no later visit. */
const WAITED = 'waited';

const resultOf = (guest: Guest): string => `${guest.at()}?${WAITED}=1`;

/** Answers a submission that takes longer than a page. */
export const goToResult = (guest: Guest): Reply => goTo(resultOf(guest));

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

/** What became of the submission that this visit has waited for, where nothing was signed: why, and the way back. */
export function notSignedMeanwhile(guest: Guest): Reply | undefined {
  const { context, url, visit } = guest;
  if (!url.searchParams.has(WAITED)) return undefined;
  const refusal = context.submissions.refusalOf(visit.transaction.id);
  // A process that was killed has left no reason. The review leads on to whatever has to be done first.
  return refusal ? refuseForm(guest, refusal) : goTo(guest.at('review?interrupted=1'));
}
