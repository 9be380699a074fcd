// Sends an event again that could not be delivered to a webhook, from the list of its deliveries.
import { id as idText } from '../../api/contract/values.ts';
import type { Reply } from '../../api/transport.ts';
import { type Html, html } from '../rendering/html.ts';
import { replayCompanyEvents } from '../sending/replay-events.ts';
import { readPageForm } from './forms.ts';
import { errorPage, formTokenField } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { redirectToSignIn } from './return-to.ts';

/** @param what names the event for people who hear one button after the other */
export const sendAgainForm = (
  request: PageRequest,
  { webhook_id, event_id, what }: { webhook_id: string; event_id: string; what: string },
): Html =>
  html`<form method="post" action="/webhooks/${webhook_id}/resend">${formTokenField(request)}<input type="hidden" name="event_id" value="${event_id}"><button class="plain" aria-label="Send again: ${what}">Send again</button></form>`;

export async function sendEventAgain(request: PageRequest, webhook_id: string): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const event = idText.safeParse(sent.form.get('event_id'));
  if (!event.success) return unknownEvent(request, webhook_id);
  const { company_id } = user;
  // A page that was open for a while, or a second click, must not send what has arrived meanwhile.
  const asked = { company_id, webhook_id, ids: [event.data], undelivered: true };
  const replayed = await replayCompanyEvents(context, asked);
  if (!replayed.ok) return unknownEvent(request, webhook_id);
  return replayed.output.deliveries > 0
    ? sendTo(`/webhooks/${webhook_id}?resent`)
    : notSent(request, webhook_id);
}

const unknownEvent = (request: PageRequest, webhook_id: string): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Event not found',
    text: 'Your company has no event with this ID, or no webhook that it was sent to. Nothing was sent.',
    link: html`<a href="/webhooks/${webhook_id}">View the webhook</a>`,
  });

const notSent = (request: PageRequest, webhook_id: string): Reply =>
  errorPage(request, {
    status: 409,
    title: 'The event was not sent again',
    text: 'The webhook has received it meanwhile, or is disabled. Its page shows which.',
    link: html`<a href="/webhooks/${webhook_id}">View the webhook</a>`,
  });
