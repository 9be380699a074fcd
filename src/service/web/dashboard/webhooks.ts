// Shows the webhooks of the company: the list, and a form that creates one. Its secret is shown once.
import { EVENT_TYPES, type EventType } from '../../../api/contract/events.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { endpoint, line } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { createWebhook } from '../../operations/webhooks.ts';
import { type Html, html } from '../../rendering/html.ts';
import { listWebhooks, type shownWebhook } from '../../store/delivery/webhooks.ts';
import { checkedBy, formPage, withoutSubject } from './forms.ts';
import { secretsOnce, sheetForm, show } from './layout.ts';
import { enabledBadge, numberedPager, pageNumberOf } from './lists.ts';
import type { UserRequest } from './request.ts';

export async function showWebhooks(request: UserRequest): Promise<Reply> {
  const { user, store } = request;
  const query = { limit: LIMITS.webhooksPerPage, page: pageNumberOf(request) };
  const { items, meta } = await store.database.read((db) => listWebhooks(db, user.company_id, query));
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

/** The labels of checkboxes say what happened. */
const EVENT_LABELS: Readonly<Record<EventType, string>> = {
  transaction_completed: 'All recipients have signed',
  transaction_created: 'A draft was created',
  transaction_started: 'It was sent to the first recipient',
  transaction_expired: 'It was not signed in time',
  recipient_submitted: 'A recipient has signed',
  transaction_rejected: 'A recipient has rejected it',
  transaction_cancelled: 'Your company has cancelled it',
};

const isEventType = (text: string): text is EventType => (EVENT_TYPES as readonly string[]).includes(text);

export const webhookCreation = formPage({
  find: withoutSubject,
  fields: {
    name: {
      label: 'Name',
      check: checkedBy(line(1, LIMITS.webhookNameLength), 'The name', 'Enter a name for the webhook'),
    },
    endpoint: {
      label: 'URL',
      type: 'url',
      hint: 'Events are sent there by POST, for example https://hooks.example.com/esign.',
      check: checkedBy(
        endpoint('webhook', LIMITS.urlLength),
        'The URL',
        'Enter the URL that receives events',
      ),
    },
    events: {
      legend: 'Events',
      choices: EVENT_TYPES.map((type) => ({ value: type, label: EVENT_LABELS[type] })),
      check: (types: string[]) =>
        types.length > 0 && types.every(isEventType) ? undefined : 'Select at least one event',
    },
  },
  page: (request, _, fields, wrong) =>
    show(request, {
      title: 'Create a webhook',
      isNarrow: true,
      wrong,
      body: html`<h1>Create a webhook</h1>
${sheetForm(request, {
  action: '/webhooks/new',
  fields,
  buttons: html`<p class="actions"><button>Create the webhook</button> <a class="button plain" href="/webhooks">Cancel</a></p>`,
})}`,
    }),
  async run(request, _, entry) {
    const events = entry.events.filter(isEventType);
    const created = await createWebhook(request.context, request.user, { ...entry, events });
    if (!created.ok) {
      const [error] = created.refusal.errors ?? [];
      return [{ field: 'endpoint', message: `The URL ${error?.message ?? 'cannot be used'}` }];
    }
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
  },
});
