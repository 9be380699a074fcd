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
import { type Found, formPage, receiveForm } from './forms.ts';
import { askToConfirm, buttonForm, done, errorPage, secretsOnce, show } from './layout.ts';
import { DELIVERY_STATE_NAMES, enabledBadge, utcTime } from './lists.ts';
import type { UserRequest } from './request.ts';
import { sendTo } from './response.ts';

export async function showWebhook(request: UserRequest, id: string): Promise<Reply> {
  const webhook = await findOwnWebhook(request, id);
  return webhook.ok ? webhookPage(request, webhook.output) : webhook.reply;
}

async function findOwnWebhook(request: UserRequest, id: string): Promise<Found<Webhook>> {
  const { user, store } = request;
  const webhook = await store.database.read((db) => findWebhook(db, user.company_id, id));
  return webhook ? { ok: true, output: webhook } : { ok: false, reply: unknownWebhook(request) };
}

const unknownWebhook = (request: UserRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Webhook not found',
    text: 'Your company has no webhook with this ID.',
    link: html`<a href="/webhooks">View all webhooks</a>`,
  });

async function webhookPage(request: UserRequest, webhook: Webhook, notice?: Html): Promise<Reply> {
  const { id, created_at, disabled_at, disabled_reason, rotated_at } = webhook;
  const { name, endpoint, events, enabled } = shownWebhook(webhook);
  const { counts, deliveries } = await request.store.database.read(async (db) => ({
    counts: await countsOfEndpoint(db, id),
    deliveries: await lastDeliveriesTo(db, id, LIMITS.deliveriesShown),
  }));
  const action = (path: string, label: string) =>
    buttonForm(request, `/webhooks/${id}/${path}`, html`<button class="plain">${label}</button>`);
  const resent = request.url.searchParams.has('resent') && done('The event is being sent again.');
  return show(request, {
    title: name,
    body: html`<h1><bdi>${name}</bdi></h1>
<p class="lead">${enabledBadge(enabled)} ${!enabled && html`${disabled_at && html`Since ${utcTime(disabled_at)}`}${disabled_reason && html`: ${disabled_reason}`}. Events are not sent.`}</p>
${notice ?? resent}
<section class="sheet"><h2>Details</h2>
<dl><dt>URL</dt><dd><code>${endpoint}</code></dd>
<dt>Events</dt><dd>${events.map((type) => html`<code>${type}</code> `)}</dd>
<dt>ID</dt><dd><code>${id}</code></dd>
<dt>Created</dt><dd>${utcTime(created_at)}</dd>
${rotated_at && html`<dt>Secret replaced</dt><dd>${utcTime(rotated_at)}</dd>`}</dl>
</section>
<div class="actions before">${action('ping', 'Send a ping')} ${enabled ? action('disable', 'Disable') : action('enable', 'Enable')}
<a class="button plain" href="/webhooks/${id}/rotate">Replace the secret</a>
<a class="button danger" href="/webhooks/${id}/delete">Delete</a></div>
<section class="sheet"><h2>Recent deliveries</h2>
<p class="quiet">${String(counts.delivered)} delivered, ${String(counts.waiting)} waiting, ${String(counts.undelivered)} undelivered.</p>
${
  deliveries.length > 0 &&
  html`<ol class="rows">${deliveries.map((delivery) => {
    // They are listed newest first: an event that was sent again has its earlier deliveries below.
    const isLast = deliveries.find(({ event_id }) => event_id === delivery.event_id) === delivery;
    return deliveryLine(request, delivery, enabled && isLast && sendAgainButton(request, id, delivery));
  })}</ol>`
}
</section>`,
  });
}

type Delivery = Awaited<ReturnType<typeof lastDeliveriesTo>>[number];

/** @param sendAgain the button for an event that could not be delivered */
const deliveryLine = (request: UserRequest, delivery: Delivery, sendAgain: HtmlValue): Html => {
  const { event_type, state, created, transaction_id } = delivery;
  return html`<li><p class="head"><code>${event_type}</code> <span class="state ${state}">${DELIVERY_STATE_NAMES[state]}</span></p>
<p class="quiet">${utcTime(created)} · <a href="/transactions/${transaction_id}">View the transaction</a></p>
<p class="quiet">${outcomeOf(request, delivery)}</p>${state === 'undelivered' && sendAgain}</li>`;
};

/** Writes a line such as `It responded with HTTP status 500 · 3 attempts, the last at … · next attempt at …` */
function outcomeOf(request: UserRequest, { state, reason, attempts, due_at, last }: Delivery): HtmlValue {
  const cause = state === 'undelivered' ? (reason ?? last?.why) : last?.why;
  const visible = cause && visibleReason(request, cause);
  const code = last?.status ? `HTTP status ${last.status}` : undefined;
  const phrases: HtmlValue[] = [];
  if (code !== undefined && !visible?.includes(code)) phrases.push(code);
  if (visible) phrases.push(visible.slice(0, 1).toUpperCase() + visible.slice(1));
  if (last)
    phrases.push(
      html`${String(attempts)} attempt${attempts === 1 ? '' : 's'}, the last at ${utcTime(last.at)}`,
    );
  if (state === 'waiting') phrases.push(html`${last ? 'next' : 'First'} attempt at ${utcTime(due_at)}`);
  return phrases.map((part, index) => html`${index > 0 && ' · '}${part}`);
}

/** Only the owner of the machine sees where a receiver redirects to. */
const visibleReason = ({ context }: UserRequest, reason: string): string =>
  context.isFromOwner ? reason : reasonForOthers(reason);

/** The label names the event for people who hear one button after the other. */
const sendAgainButton = (
  request: UserRequest,
  webhook_id: string,
  { event_id, event_type, created }: Delivery,
): Html =>
  buttonForm(
    request,
    `/webhooks/${webhook_id}/resend`,
    html`<input type="hidden" name="event_id" value="${event_id}"><button class="plain" aria-label="Send again: ${event_type}, ${created}">Send again</button>`,
  );

// ── actions ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const setEnabled = (isEnabled: boolean) =>
  receiveForm(async (request: UserRequest, _, id) => {
    const { context, user } = request;
    const changed = await setWebhookEnabled(context, { id, company_id: user.company_id }, isEnabled);
    return changed.ok ? sendTo(`/webhooks/${id}`) : unknownWebhook(request);
  });

export const enable = setEnabled(true);
export const disable = setEnabled(false);

export const ping = receiveForm(async (request: UserRequest, _, id) => {
  const pinged = await pingWebhook(request.context, { id, company_id: request.user.company_id });
  if (!pinged.ok) return unknownWebhook(request);
  const { webhook, attempt } = pinged.output;
  const { ok, status, why, durationMs } = attempt;
  const code = status === null ? '' : ` with HTTP status ${status}`;
  const notice = ok
    ? done(`The receiver answered${code} in ${String(Math.round(durationMs))} ms.`)
    : html`<div class="summary" role="alert"><h2>The ping was not delivered</h2><p>Reason: ${why && visibleReason(request, why)}.</p></div>`;
  return webhookPage(request, webhook, notice);
});

export const resend = receiveForm(async (request: UserRequest, sent, webhook_id) => {
  const link = html`<a href="/webhooks/${webhook_id}">View the webhook</a>`;
  const event = idText.safeParse(sent.get('event_id'));
  const { company_id } = request.user;
  // A page that was open for a while, or a second click, must not send what has arrived meanwhile.
  const replayed = event.success
    ? await replayCompanyEvents(request.context, {
        ...{ company_id, webhook_id, ids: [event.data] },
        undelivered: true,
      })
    : undefined;
  if (!replayed?.ok)
    return errorPage(request, {
      status: 404,
      title: 'Event not found',
      text: 'Your company has no event with this ID, or no webhook that it was sent to. Nothing was sent.',
      link,
    });
  if (replayed.output.deliveries > 0) return sendTo(`/webhooks/${webhook_id}?resent`);
  return errorPage(request, {
    status: 409,
    title: 'The event was not sent again',
    text: 'The webhook has received it meanwhile, or is disabled. Its page shows which.',
    link,
  });
});

export const secretRotation = formPage({
  async find(request, id, value) {
    const webhook = await findOwnWebhook(request, id);
    // What the page has shown: a page that is sent again, by reloading or by two clicks, must not end the day of the secret before.
    return webhook.ok
      ? { ok: true, output: { webhook: webhook.output, rotated_at: value('rotated_at') || null } }
      : webhook;
  },
  fields: {},
  page: (request, { webhook: { id, name, rotated_at } }) =>
    askToConfirm(request, {
      title: `Replace the secret of ${name}`,
      question: html`Replace the secret of <bdi>${name}</bdi>?`,
      text: 'A new secret is created and shown once. For one day, events are signed with both secrets; after that, the current one no longer verifies them.',
      action: `/webhooks/${id}/rotate`,
      hidden: { rotated_at },
      button: 'Replace the secret',
      back: `/webhooks/${id}`,
    }),
  async run(request, { webhook: { id, company_id, name }, rotated_at }) {
    const link = html`<a href="/webhooks/${id}">View the webhook</a>`;
    const rotated = await rotateWebhookSecret(request.context, { id, company_id, rotated_at });
    if (!rotated.ok)
      return errorPage(request, {
        status: 409,
        title: 'The secret was replaced already',
        text: 'It was replaced after this page was opened, and nothing was changed now. To create another one, start again from the page of the webhook.',
        link,
      });
    const { secret, previous_valid_until } = rotated.output;
    return show(request, {
      title: 'Secret replaced',
      isNarrow: true,
      body: html`<h1>Secret replaced</h1>
${secretsOnce({
  title: html`New secret of <bdi>${name}</bdi>`,
  text: html`Copy it now. It is not shown again. The previous secret signs as well until ${utcTime(previous_valid_until)}.`,
  entries: [{ id: 'webhook-secret', label: 'Secret', value: secret }],
})}
<p>${link}</p>`,
    });
  },
});

export const webhookDeletion = formPage({
  find: findOwnWebhook,
  fields: {},
  page: (request, { id, name, endpoint }) =>
    askToConfirm(request, {
      title: `Delete ${name}`,
      question: html`Delete <bdi>${name}</bdi>?`,
      text: html`No further events are sent to <code>${endpoint}</code>. What is waiting is not delivered. You cannot undo this.`,
      action: `/webhooks/${id}/delete`,
      button: 'Delete the webhook',
      isDanger: true,
      back: `/webhooks/${id}`,
    }),
  async run(request, { id, company_id }) {
    const removed = await deleteWebhook(request.context, { id, company_id });
    return removed.ok ? sendTo('/webhooks') : unknownWebhook(request);
  },
});
