// Manages the OAuth applications of the user's company (spec §5): a form with a Callback URL gives a client ID and a client
// secret. The secret that signs notifications about an application's transactions can be replaced (assumed: A31).
import { LIMITS } from '../../../api/contract/limits.ts';
import { callbackUrl, isLoopbackCallback, PUBLIC_CALLBACK } from '../../../api/contract/oauth.ts';
import { line } from '../../../api/contract/values.ts';
import { registerApplication, rotateNotificationSecret } from '../../operations/oauth.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import {
  type ClientApplication,
  deleteClient,
  findClient,
  listClientsOf,
} from '../../store/accounts/accounts.ts';
import type { Tables } from '../../store/schema.ts';
import { OWN_CLIENT } from '../../store/store.ts';
import { checkedBy, type Found, formPage, required } from './forms.ts';
import { askToConfirm, errorPage, secretsOnce, sheetForm, show } from './layout.ts';
import { utcTime } from './lists.ts';
import type { UserRequest } from './request.ts';
import { sendTo } from './response.ts';

const checkCallbackUrl = checkedBy(callbackUrl, 'The Callback URL');

/** Lists the applications, above a form that creates one. */
export const applications = formPage({
  find: (): Found<HtmlValue> => ({ ok: true, output: undefined }),
  fields: {
    name: {
      label: 'Name',
      hint: 'Users see this name when they are asked for consent.',
      check: required('Enter a name for the application', line(1, LIMITS.personNameLength)),
    },
    callback_url: {
      label: 'Callback URL',
      type: 'url',
      hint: 'The only URL that users are sent to after they answer, for example https://orders.example.com/callback.',
      check: (url, entry) =>
        checkCallbackUrl(url) ??
        (entry.public === 'yes' && !isLoopbackCallback(url)
          ? `The Callback URL ${PUBLIC_CALLBACK}`
          : undefined),
    },
    public: {
      box: html`Public application, without a client secret: a program on the computers of its users, such as esign. Its callback URL begins with <code>http://127.0.0.1</code>.`,
    },
  },
  async page(request, created, fields, wrong) {
    const clients = await request.store.database.read((db) => listClientsOf(db, request.user.company_id));
    const body = html`<h1>Applications</h1>
<p class="lead">OAuth applications of your company. They ask users for consent, and then act on their behalf.</p>
${created}
${clients.map(applicationSection)}
${clients.length === 0 && html`<p class="sheet quiet">Your company has no applications yet.</p>`}
${sheetForm(request, {
  action: '/applications',
  title: 'Create an application',
  fields,
  buttons: html`<button>Create</button>`,
})}`;
    return show(request, { title: 'Applications', wrong, body });
  },
  async run(request, _, entry, showAgain) {
    const registered = await request.store.database.write((db) =>
      registerApplication(db, request.context, {
        company_id: request.user.company_id,
        name: entry.name,
        callback_url: entry.callback_url,
        is_public: entry.public === 'yes' ? 1 : 0,
      }),
    );
    return showAgain(createdApplication(registered));
  },
});

function createdApplication({
  client,
  client_secret,
  notification_secret,
}: Awaited<ReturnType<typeof registerApplication>>): Html {
  const isPublic = client_secret === undefined;
  return secretsOnce({
    title: html`<bdi>${client.name}</bdi> was created`,
    text: `${isPublic ? 'Copy the notification secret now. It is not shown again.' : 'Copy both secrets now. They are not shown again. The client secret exchanges codes for tokens.'} With the notification secret you verify the signature of notifications about transactions that this application creates.`,
    entries: [
      { id: 'client-id', label: 'Client ID', value: client.id },
      ...(isPublic ? [] : [{ id: 'client-secret', label: 'Client secret', value: client_secret }]),
      { id: 'notification-secret', label: 'Notification secret', value: notification_secret },
    ],
  });
}

const applicationSection = (client: ClientApplication): Html => html`<section class="sheet">
<h2><bdi>${client.name}</bdi></h2>
${applicationDetails(client)}
${client.id === OWN_CLIENT.id && html`<p class="quiet">This application is built into the sandbox and cannot be deleted.</p>`}
<p class="links">${linkTo('/applications/rotate', client, 'Replace the notification secret', 'of')}
${client.id !== OWN_CLIENT.id && linkTo('/applications/delete', client, 'Delete')}</p>
</section>`;

const applicationDetails = ({ id, callback_url, is_public }: ClientApplication): Html => html`<dl>
<dt>Client ID</dt><dd><code>${id}</code></dd>
<dt>Callback URL</dt><dd><code>${callback_url}</code></dd>
${is_public === 1 && html`<dt>Client secret</dt><dd>none (public application)</dd>`}
</dl>`;

/** Names the application for those who hear a link out of its context. */
const linkTo = (path: string, { id, name }: ClientApplication, label: string, of = ''): Html =>
  html`<a href="${path}?${new URLSearchParams({ client_id: id }).toString()}">${label} <span class="unseen">${of} <bdi>${name}</bdi></span></a>`;

/** An application of another company is as unknown as one that does not exist. */
async function findApplication(request: UserRequest, id: string): Promise<Found<Tables['client']>> {
  const client = await request.store.database.read((db) => findClient(db, id));
  if (client?.company_id === request.user.company_id) return { ok: true, output: client };
  const reply = errorPage(request, {
    status: 404,
    title: 'Application not found',
    text: 'Your company has no application with this ID that can be changed.',
    link: ALL_APPLICATIONS,
  });
  return { ok: false, reply };
}

const ALL_APPLICATIONS = html`<a href="/applications">View all applications</a>`;

export const applicationDeletion = formPage({
  find: (request, _, value) => {
    const id = value('client_id');
    return findApplication(request, id === OWN_CLIENT.id ? '' : id);
  },
  fields: {},
  page: (request, client) =>
    askToConfirm(request, {
      title: `Delete ${client.name}`,
      question: html`Delete <bdi>${client.name}</bdi>?`,
      text: 'All codes and tokens issued to it stop working immediately, for every user who gave consent.',
      details: applicationDetails(client),
      action: '/applications/delete',
      hidden: { client_id: client.id },
      button: 'Delete the application',
      isDanger: true,
      back: '/applications',
    }),
  async run(request, { id }) {
    await request.store.database.write((db) => deleteClient(db, id));
    return sendTo('/applications');
  },
});

/** Replaces the secret that signs notifications; the new one is shown once. */
export const notificationSecretRotation = formPage({
  async find(request, _, value) {
    const application = await findApplication(request, value('client_id'));
    // What the page has shown: a page that is sent again, by reloading or by two clicks, must not end the day of the secret before.
    const rotations = Number(value('rotations'));
    return application.ok ? { ok: true, output: { client: application.output, rotations } } : application;
  },
  fields: {},
  page: (request, { client }) =>
    askToConfirm(request, {
      title: `Replace the notification secret of ${client.name}`,
      question: html`Replace the notification secret of <bdi>${client.name}</bdi>?`,
      text: 'A new secret is created and shown once. For one day, notifications are signed with both secrets; after that, the current one no longer verifies them.',
      details: applicationDetails(client),
      action: '/applications/rotate',
      hidden: { client_id: client.id, rotations: String(client.notification_rotations) },
      button: 'Replace the secret',
      back: '/applications',
    }),
  async run(request, { client, rotations }) {
    const { id, company_id } = client;
    const rotated = await request.store.database.write((db) =>
      rotateNotificationSecret(db, request.context, { id, company_id, rotations }),
    );
    if (!rotated)
      return errorPage(request, {
        status: 409,
        title: 'The secret was replaced already',
        text: 'It was replaced after this page was opened, and nothing was changed now. To create another one, start again from the list of applications.',
        link: ALL_APPLICATIONS,
      });
    const { notification_secret, previous_valid_until } = rotated;
    return show(request, {
      title: 'Notification secret replaced',
      isNarrow: true,
      body: html`<h1>Notification secret replaced</h1>
${secretsOnce({
  title: html`New notification secret of <bdi>${client.name}</bdi>`,
  text: html`Copy it now. It is not shown again. The previous secret signs as well until ${utcTime(previous_valid_until)}.`,
  entries: [{ id: 'notification-secret', label: 'Notification secret', value: notification_secret }],
})}
<p>${ALL_APPLICATIONS}</p>`,
    });
  },
});
