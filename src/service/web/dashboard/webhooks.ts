// Shows the webhooks of the company: the list, and a form that creates one. Its secret is shown once.
import { EVENT_TYPES, type EventType } from '../../../api/contract/events.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { endpoint, line } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { createWebhook } from '../../operations/webhooks.ts';
import { type Html, html } from '../../rendering/html.ts';
import { listWebhooks, type shownWebhook } from '../../store/delivery/webhooks.ts';
import { checkboxes, readPageForm } from './forms.ts';
import { formTokenField, labelledInput, secretsOnce, show, type WrongField } from './layout.ts';
import { enabledBadge, numberedPager, pageNumberOf } from './lists.ts';
import type { PageRequest } from './request.ts';
import { redirectToSignIn } from './response.ts';

/** What happened, as the label of a checkbox. */
const MEANINGS: Readonly<Record<EventType, string>> = {
  transaction_completed: 'All recipients have signed',
  transaction_created: 'A draft was created',
  transaction_started: 'It was sent to the first recipient',
  transaction_expired: 'It was not signed in time',
  recipient_submitted: 'A recipient has signed',
  transaction_rejected: 'A recipient has rejected it',
  transaction_cancelled: 'Your company has cancelled it',
};

export async function showWebhooks(request: PageRequest): Promise<Reply> {
  const { user, store } = request;
  if (!user) return redirectToSignIn(request);
  const asked = { limit: LIMITS.webhooksPerPage, page: pageNumberOf(request) };
  const { items, meta } = await store.database.read((db) => listWebhooks(db, user.company_id, asked));
  return show(request, {
    title: 'Webhooks',
    body: html`<h1>Webhooks</h1>
<p class="lead">URLs that receive the events of every transaction of <bdi>${user.company}</bdi>, signed with a secret.</p>
<p class="actions before"><a class="button" href="/webhooks/new">Create a webhook</a></p>
${items.length > 0 && html`<ul class="rows">${items.map(webhookLine)}</ul>`}
${items.length === 0 && html`<p class="sheet quiet">Your company has no webhooks yet.</p>`}
${numberedPager('/webhooks', meta)}`,
  });
}

const webhookLine = ({ id, name, endpoint: url, events, enabled }: ReturnType<typeof shownWebhook>): Html =>
  html`<li><p class="head"><a href="/webhooks/${id}"><bdi>${name}</bdi></a> ${enabledBadge(enabled)}</p>
<p class="quiet">${url}</p>
<p class="quiet">${events.length === EVENT_TYPES.length ? 'All events' : events.join(', ')}</p></li>`;

// ── creating ────────────────────────────────────────────────────────────────────────────────────────────────────

type Entry = { name: string; endpoint: string; events: string[] };

export const showNewWebhook = (request: PageRequest): Reply =>
  request.user ? formPage(request, { name: '', endpoint: '', events: [] }, []) : redirectToSignIn(request);

function formPage(request: PageRequest, entry: Entry, wrong: WrongField[]): Reply {
  const parts = {
    title: 'Create a webhook',
    isNarrow: true,
    wrong,
    body: html`<h1>Create a webhook</h1>
<form class="sheet" method="post" action="/webhooks/new" novalidate>
${formTokenField(request)}
${labelledInput({ name: 'name', label: 'Name', value: entry.name, wrong })}
${labelledInput({ name: 'endpoint', label: 'URL', type: 'url', hint: 'Events are sent there by POST, for example https://hooks.example.com/esign.', value: entry.endpoint, wrong })}
${checkboxes({
  name: 'events',
  legend: 'Events',
  choices: EVENT_TYPES.map((type) => ({ value: type, label: MEANINGS[type] })),
  checked: entry.events,
  wrong,
})}
<p class="actions"><button>Create the webhook</button> <a class="button plain" href="/webhooks">Cancel</a></p>
</form>`,
  };
  return show(request, parts, { status: wrong.length > 0 ? 422 : 200 });
}

export async function createNewWebhook(request: PageRequest): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const entry = {
    name: sent.form.get('name').trim(),
    endpoint: sent.form.get('endpoint').trim(),
    events: sent.form.getAll('events'),
  };
  const wrong = wrongIn(entry);
  if (wrong.length > 0) return formPage(request, entry, wrong);
  const events = entry.events.filter(isEventType);
  const created = await createWebhook(context, user, { ...entry, events });
  if (!created.ok)
    return formPage(request, entry, [{ field: 'endpoint', message: receiverRefused(created.refusal) }]);
  const { id, secret } = created.output;
  return show(request, {
    title: 'Webhook created',
    isNarrow: true,
    body: html`<h1>Webhook created</h1>
${secretsOnce({
  title: html`Secret of <bdi>${entry.name}</bdi>`,
  text: 'Copy it now. It is not shown again. With it your receiver verifies that an event comes from here.',
  entries: [{ id: 'webhook-secret', label: 'Secret', value: secret }],
})}
<p class="actions"><a class="button" href="/webhooks/${id}">View the webhook</a></p>`,
  });
}

type Refused = Extract<Awaited<ReturnType<typeof createWebhook>>, { ok: false }>['refusal'];

const receiverRefused = ({ errors }: Refused): string =>
  `The URL ${errors?.[0]?.message ?? 'cannot be used'}`;

const isEventType = (text: string): text is EventType => (EVENT_TYPES as readonly string[]).includes(text);

const webhookName = line(1, LIMITS.webhookNameLength);
const webhookEndpoint = endpoint('webhook', LIMITS.urlLength);

function wrongIn({ name, endpoint: url, events }: Entry): WrongField[] {
  const wrong: WrongField[] = [];
  const named = webhookName.safeParse(name);
  if (!named.success)
    wrong.push({
      field: 'name',
      message: name === '' ? 'Enter a name for the webhook' : `The name ${named.error.issues[0]?.message}`,
    });
  const reached = webhookEndpoint.safeParse(url);
  if (!reached.success)
    wrong.push({
      field: 'endpoint',
      message:
        url === '' ? 'Enter the URL that receives events' : `The URL ${reached.error.issues[0]?.message}`,
    });
  if (events.length === 0 || !events.every(isEventType))
    wrong.push({ field: 'events', message: 'Select at least one event' });
  return wrong;
}
