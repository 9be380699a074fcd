// Shows one webhook: what it receives, the results of the last deliveries, and its actions. The body of a receiver's answer is
// not shown, only its status and the reason: with a URL inside a network, the answer would be that network's.
import { LIMITS } from '../../../api/contract/limits.ts';
import { id as idText } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { reasonForOthers } from '../../domain/redirect-reason.ts';
import { replayCompanyEvents } from '../../operations/events.ts';
import {
  deleteWebhook,
  pingWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
} from '../../operations/webhooks.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import { countsOfEndpoint, lastDeliveriesTo } from '../../store/delivery/deliveries.ts';
import { findWebhook, shownWebhook, type Webhook } from '../../store/delivery/webhooks.ts';
import { readPageForm } from './forms.ts';
import { askToConfirm, errorPage, formTokenField, secretsOnce, show } from './layout.ts';
import { DELIVERY_STATE_NAMES, enabledBadge, utcTime } from './lists.ts';
import type { PageRequest } from './request.ts';
import { redirectToSignIn, sendTo } from './response.ts';

const findOwnWebhook = async ({ user, store }: PageRequest, id: string): Promise<Webhook | undefined> =>
  user && store.database.read((db) => findWebhook(db, user.company_id, id));

const unknown = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Webhook not found',
    text: 'Your company has no webhook with this ID.',
    link: html`<a href="/webhooks">View all webhooks</a>`,
  });

export async function showWebhook(request: PageRequest, id: string): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const webhook = await findOwnWebhook(request, id);
  return webhook ? webhookPage(request, webhook) : unknown(request);
}

async function webhookPage(request: PageRequest, webhook: Webhook, notice?: Html): Promise<Reply> {
  const { id, created_at, disabled_at, disabled_reason, rotated_at } = webhook;
  const { name, endpoint, events, enabled } = shownWebhook(webhook);
  const { counts, deliveries } = await request.store.database.read(async (db) => ({
    counts: await countsOfEndpoint(db, id),
    deliveries: await lastDeliveriesTo(db, id, LIMITS.deliveriesShown),
  }));
  const post = (action: string, label: string) =>
    html`<form method="post" action="/webhooks/${id}/${action}">${formTokenField(request)}<button class="plain">${label}</button></form>`;
  const again = ({ event_id, event_type, created }: DeliveryShown) =>
    sendAgainForm(request, { webhook_id: id, event_id, what: `${event_type}, ${created}` });
  const reasonFor = reasonViewOf(request);
  return show(request, {
    title: name,
    body: html`<h1><bdi>${name}</bdi></h1>
<p class="lead">${enabledBadge(enabled)} ${!enabled && html`${disabled_at && html`Since ${utcTime(disabled_at)}`}${disabled_reason && html`: ${disabled_reason}`}. Events are not sent.`}</p>
${notice ?? (request.url.searchParams.has('resent') && RESENT)}
<section class="sheet"><h2>Details</h2>
<dl><dt>URL</dt><dd><code>${endpoint}</code></dd>
<dt>Events</dt><dd>${events.map((type) => html`<code>${type}</code> `)}</dd>
<dt>ID</dt><dd><code>${id}</code></dd>
<dt>Created</dt><dd>${utcTime(created_at)}</dd>
${rotated_at && html`<dt>Secret replaced</dt><dd>${utcTime(rotated_at)}</dd>`}</dl>
</section>
<div class="actions before">${post('ping', 'Send a ping')} ${enabled ? post('disable', 'Disable') : post('enable', 'Enable')}
<a class="button plain" href="/webhooks/${id}/rotate">Replace the secret</a>
<a class="button danger" href="/webhooks/${id}/delete">Delete</a></div>
<section class="sheet"><h2>Recent deliveries</h2>
<p class="quiet">${String(counts.delivered)} delivered, ${String(counts.waiting)} waiting, ${String(counts.undelivered)} undelivered.</p>
${deliveries.length > 0 && html`<ol class="rows">${deliveries.map((one) => deliveryLine(one, enabled && isLastOfEvent(one, deliveries) && again(one), reasonFor))}</ol>`}
</section>`,
  });
}

type DeliveryShown = Awaited<ReturnType<typeof lastDeliveriesTo>>[number];

/** Finds the part of a reason that the reader may see: only the owner of the machine sees where a receiver redirects to. */
type ReasonView = (why: string) => string;

const reasonViewOf = ({ context }: PageRequest): ReasonView =>
  context.isFromOwner ? (why) => why : reasonForOthers;

const RESENT = html`<div class="done" role="status"><p>The event is being sent again.</p></div>`;

/** They are listed newest first: an event that was sent again has its earlier deliveries below. */
const isLastOfEvent = (one: DeliveryShown, deliveries: readonly DeliveryShown[]): boolean =>
  deliveries.find(({ event_id }) => event_id === one.event_id) === one;

/** @param again the button that sends the event again, for one that could not be delivered */
const deliveryLine = (
  { event_type, state, created, transaction_id, ...rest }: DeliveryShown,
  again: HtmlValue,
  reasonFor: ReasonView,
): Html =>
  html`<li><p class="head"><code>${event_type}</code> <span class="state ${state}">${DELIVERY_STATE_NAMES[state]}</span></p>
<p class="quiet">${utcTime(created)} · <a href="/transactions/${transaction_id}">View the transaction</a></p>
<p class="quiet">${outcome({ state, ...rest }, reasonFor)}</p>${state === 'undelivered' && again}</li>`;

/** `It responded with HTTP status 500 · 3 attempts, the last at … · next attempt at …` */
function outcome(
  {
    state,
    reason,
    attempts,
    due_at,
    last,
  }: Pick<DeliveryShown, 'state' | 'reason' | 'attempts' | 'due_at' | 'last'>,
  reasonFor: ReasonView,
): HtmlValue {
  const given = state === 'undelivered' ? (reason ?? last?.why) : last?.why;
  const why = given && reasonFor(given);
  const code = last?.status ? `HTTP status ${last.status}` : undefined;
  const parts: HtmlValue[] = [];
  if (code !== undefined && !why?.includes(code)) parts.push(code);
  if (why) parts.push(capitalized(why));
  if (last)
    parts.push(
      html`${String(attempts)} attempt${attempts === 1 ? '' : 's'}, the last at ${utcTime(last.at)}`,
    );
  if (state === 'waiting') parts.push(html`${last ? 'next' : 'First'} attempt at ${utcTime(due_at)}`);
  return parts.map((part, index) => html`${index > 0 && ' · '}${part}`);
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

// ── what is done with it ────────────────────────────────────────────────────────────────────────────────────────────

export async function setEnabled(request: PageRequest, id: string, isEnabled: boolean): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const changed = await setWebhookEnabled(context, { id, company_id: user.company_id }, isEnabled);
  return changed.ok ? sendTo(`/webhooks/${id}`) : unknown(request);
}

export async function ping(request: PageRequest, id: string): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const pinged = await pingWebhook(context, { id, company_id: user.company_id });
  if (!pinged.ok) return unknown(request);
  const { webhook, attempt } = pinged.output;
  const { ok, status, why, durationMs } = attempt;
  const code = status === null ? '' : ` with HTTP status ${status}`;
  const notice = ok
    ? html`<div class="done" role="status"><p>The receiver answered${code} in ${String(Math.round(durationMs))} ms.</p></div>`
    : html`<div class="summary" role="alert"><h2>The ping was not delivered</h2><p>Reason: ${why && reasonViewOf(request)(why)}.</p></div>`;
  return webhookPage(request, webhook, notice);
}

export async function showSecretRotation(request: PageRequest, id: string): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const webhook = await findOwnWebhook(request, id);
  if (!webhook) return unknown(request);
  return askToConfirm(request, {
    title: `Replace the secret of ${webhook.name}`,
    question: html`Replace the secret of <bdi>${webhook.name}</bdi>?`,
    text: 'A new secret is created and shown once. For one day, events are signed with both secrets; after that, the current one no longer verifies them.',
    action: `/webhooks/${id}/rotate`,
    hidden: { rotated_at: webhook.rotated_at },
    button: 'Replace the secret',
    back: `/webhooks/${id}`,
  });
}

export async function rotateSecretOfWebhook(request: PageRequest, id: string): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const webhook = await findOwnWebhook(request, id);
  if (!webhook) return unknown(request);
  const which = { id, company_id: user.company_id, rotated_at: sent.form.get('rotated_at') || null };
  const rotated = await rotateWebhookSecret(context, which);
  if (!rotated.ok) return replacedMeanwhile(request, id);
  return show(request, {
    title: 'Secret replaced',
    isNarrow: true,
    body: html`<h1>Secret replaced</h1>
${secretsOnce({
  title: html`New secret of <bdi>${webhook.name}</bdi>`,
  text: html`Copy it now. It is not shown again. The previous secret signs as well until ${utcTime(rotated.output.previous_valid_until)}.`,
  entries: [{ id: 'webhook-secret', label: 'Secret', value: rotated.output.secret }],
})}
<p><a href="/webhooks/${id}">View the webhook</a></p>`,
  });
}

/** A page that is sent again, by reloading or by two clicks, must not end the day of the secret before. */
const replacedMeanwhile = (request: PageRequest, id: string): Reply =>
  errorPage(request, {
    status: 409,
    title: 'The secret was replaced already',
    text: 'It was replaced after this page was opened, and nothing was changed now. To create another one, start again from the page of the webhook.',
    link: html`<a href="/webhooks/${id}">View the webhook</a>`,
  });

export async function showWebhookDeletion(request: PageRequest, id: string): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const webhook = await findOwnWebhook(request, id);
  if (!webhook) return unknown(request);
  return askToConfirm(request, {
    title: `Delete ${webhook.name}`,
    question: html`Delete <bdi>${webhook.name}</bdi>?`,
    text: html`No further events are sent to <code>${webhook.endpoint}</code>. What is waiting is not delivered. You cannot undo this.`,
    action: `/webhooks/${id}/delete`,
    button: 'Delete the webhook',
    isDanger: true,
    back: `/webhooks/${id}`,
  });
}

export async function removeWebhook(request: PageRequest, id: string): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const removed = await deleteWebhook(context, { id, company_id: user.company_id });
  return removed.ok ? sendTo('/webhooks') : unknown(request);
}

/** @param what names the event for people who hear one button after the other */
const sendAgainForm = (
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
