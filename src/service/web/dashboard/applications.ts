// Manages the OAuth applications of the user's company (spec §5): a form with a Callback URL gives a client ID and a client
// secret. The secret that signs notifications about an application's transactions can be replaced (assumed: A31).
import { LIMITS } from '../../../api/contract/limits.ts';
import { callbackUrl, isLoopbackCallback, PUBLIC_CALLBACK } from '../../../api/contract/oauth.ts';
import { line } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
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
import { readPageForm } from './forms.ts';
import {
  askToConfirm,
  errorPage,
  formTokenField,
  labelledInput,
  secretsOnce,
  show,
  type WrongField,
} from './layout.ts';
import { utcTime } from './lists.ts';
import type { PageRequest } from './request.ts';
import { redirectToSignIn, sendTo } from './response.ts';

type Entry = { name: string; callback_url: string; is_public: number };

const NOTHING: Entry = { name: '', callback_url: '', is_public: 0 };

export const showApplications = async (request: PageRequest): Promise<Reply> =>
  request.user ? applicationsPage(request, request.user.company_id, NOTHING, []) : redirectToSignIn(request);

async function applicationsPage(
  request: PageRequest,
  company_id: string,
  entry: Entry,
  wrong: WrongField[],
  made?: HtmlValue,
): Promise<Reply> {
  const applications = await request.store.database.read((db) => listClientsOf(db, company_id));
  const parts = {
    title: 'Applications',
    wrong,
    body: html`<h1>Applications</h1>
<p class="lead">OAuth applications of your company. They ask users for consent, and then act on their behalf.</p>
${made}
${applications.map(application)}
${applications.length === 0 && html`<p class="sheet quiet">Your company has no applications yet.</p>`}
<form class="sheet" method="post" action="/applications" novalidate>
<h2>Create an application</h2>
${formTokenField(request)}
${labelledInput({ name: 'name', label: 'Name', hint: 'Users see this name when they are asked for consent.', value: entry.name, wrong })}
${labelledInput({ name: 'callback_url', label: 'Callback URL', type: 'url', hint: 'The only URL that users are sent to after they answer, for example https://orders.example.com/callback.', value: entry.callback_url, wrong })}
<p class="check"><input type="checkbox" id="public" name="public" value="yes"${entry.is_public === 1 && html` checked`}>
<label for="public">Public application, without a client secret: a program on the computers of its users, such as esign. Its callback URL begins with <code>http://127.0.0.1</code>.</label></p>
<button>Create</button>
</form>`,
  };
  return show(request, parts, { status: wrong.length > 0 ? 422 : 200 });
}

const factsOfApplication = ({ id, callback_url, is_public }: ClientApplication): Html => html`<dl>
<dt>Client ID</dt><dd><code>${id}</code></dd>
<dt>Callback URL</dt><dd><code>${callback_url}</code></dd>
${is_public === 1 && html`<dt>Client secret</dt><dd>none (public application)</dd>`}
</dl>`;

const application = (client: ClientApplication): Html => html`<section class="sheet">
<h2><bdi>${client.name}</bdi></h2>
${factsOfApplication(client)}
${client.id === OWN_CLIENT.id && html`<p class="quiet">This application is built into the sandbox and cannot be deleted.</p>`}
<p class="links">${linkTo('/applications/rotate', client, 'Replace the notification secret', 'of')}
${client.id !== OWN_CLIENT.id && linkTo('/applications/delete', client, 'Delete')}</p>
</section>`;

/** Names the application for those who hear a link out of its context. */
const linkTo = (path: string, { id, name }: ClientApplication, label: string, of = ''): Html =>
  html`<a href="${path}?${new URLSearchParams({ client_id: id }).toString()}">${label} <span class="unseen">${of} <bdi>${name}</bdi></span></a>`;

const applicationName = line(1, LIMITS.personNameLength);

export async function createApplication(request: PageRequest): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const { company_id } = request.user;
  const entry = {
    name: sent.form.get('name').trim(),
    callback_url: sent.form.get('callback_url').trim(),
    is_public: sent.form.get('public') === 'yes' ? 1 : 0,
  };
  const wrong = wrongIn(entry);
  if (wrong.length > 0) return applicationsPage(request, company_id, entry, wrong);
  const { client, client_secret, notification_secret } = await request.store.database.write((db) =>
    registerApplication(db, request.context, { company_id, ...entry }),
  );
  const made = secretsOnce({
    title: html`<bdi>${client.name}</bdi> was created`,
    text: `${client_secret === undefined ? 'Copy the notification secret now. It is not shown again.' : 'Copy both secrets now. They are not shown again. The client secret exchanges codes for tokens.'} With the notification secret you verify the signature of notifications about transactions that this application creates.`,
    entries: [
      { id: 'client-id', label: 'Client ID', value: client.id },
      ...(client_secret === undefined
        ? []
        : [{ id: 'client-secret', label: 'Client secret', value: client_secret }]),
      { id: 'notification-secret', label: 'Notification secret', value: notification_secret },
    ],
  });
  return applicationsPage(request, company_id, NOTHING, [], made);
}

function wrongIn({ name, callback_url, is_public }: Entry): WrongField[] {
  const wrong: WrongField[] = [];
  if (!applicationName.safeParse(name).success)
    wrong.push({ field: 'name', message: 'Enter a name for the application' });
  const callback = callbackUrl.safeParse(callback_url);
  if (!callback.success)
    wrong.push({
      field: 'callback_url',
      message: `The Callback URL ${callback.error.issues[0]?.message}`,
    });
  else if (is_public === 1 && !isLoopbackCallback(callback_url))
    wrong.push({ field: 'callback_url', message: `The Callback URL ${PUBLIC_CALLBACK}` });
  return wrong;
}

// ── deleting ────────────────────────────────────────────────────────────────────────────────────────────────────

export async function showDeletion(request: PageRequest): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const client = await deletable(request, request.url.searchParams.get('client_id') ?? '');
  if (!client) return unknownApplication(request);
  return askToConfirm(request, {
    title: `Delete ${client.name}`,
    question: html`Delete <bdi>${client.name}</bdi>?`,
    text: 'All codes and tokens issued to it stop working immediately, for every user who gave consent.',
    facts: factsOfApplication(client),
    action: '/applications/delete',
    hidden: { client_id: client.id },
    button: 'Delete the application',
    isDanger: true,
    back: '/applications',
  });
}

export async function deleteApplication(request: PageRequest): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const client = await deletable(request, sent.form.get('client_id'));
  if (!client) return unknownApplication(request);
  await request.store.database.write((db) => deleteClient(db, client.id));
  return sendTo('/applications');
}

async function deletable(request: PageRequest, id: string): Promise<ClientApplication | undefined> {
  return id === OWN_CLIENT.id ? undefined : findOwnApplication(request, id);
}

/**
 * Finds an application of the company of the signed-in user. One of another company is as unknown as one that does not exist.
 */
async function findOwnApplication(
  { store, user }: PageRequest,
  id: string,
): Promise<Tables['client'] | undefined> {
  const client = await store.database.read((db) => findClient(db, id));
  return client && client.company_id === user?.company_id ? client : undefined;
}

const unknownApplication = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Application not found',
    text: 'Your company has no application with this ID that can be changed.',
    link: html`<a href="/applications">View all applications</a>`,
  });

export async function showRotation(request: PageRequest): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const client = await findOwnApplication(request, request.url.searchParams.get('client_id') ?? '');
  if (!client) return unknownApplication(request);
  return askToConfirm(request, {
    title: `Replace the notification secret of ${client.name}`,
    question: html`Replace the notification secret of <bdi>${client.name}</bdi>?`,
    text: 'A new secret is created and shown once. For one day, notifications are signed with both secrets; after that, the current one no longer verifies them.',
    facts: factsOfApplication(client),
    action: '/applications/rotate',
    hidden: { client_id: client.id, rotations: String(client.notification_rotations) },
    button: 'Replace the secret',
    back: '/applications',
  });
}

export async function rotateSecret(request: PageRequest): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const client = await findOwnApplication(request, sent.form.get('client_id'));
  if (!client) return unknownApplication(request);
  const { id } = client;
  const rotations = Number(sent.form.get('rotations'));
  const rotated = await request.store.database.write((db) =>
    rotateNotificationSecret(db, context, { id, company_id: user.company_id, rotations }),
  );
  if (!rotated) return replacedMeanwhile(request);
  return show(request, {
    title: 'Notification secret replaced',
    isNarrow: true,
    body: html`<h1>Notification secret replaced</h1>
${secretsOnce({
  title: html`New notification secret of <bdi>${client.name}</bdi>`,
  text: html`Copy it now. It is not shown again. The previous secret signs as well until ${utcTime(rotated.previous_valid_until)}.`,
  entries: [{ id: 'notification-secret', label: 'Notification secret', value: rotated.notification_secret }],
})}
<p><a href="/applications">View all applications</a></p>`,
  });
}

/** A page that is sent again, by reloading or by two clicks, must not end the day of the secret before. */
const replacedMeanwhile = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 409,
    title: 'The secret was replaced already',
    text: 'It was replaced after this page was opened, and nothing was changed now. To create another one, start again from the list of applications.',
    link: html`<a href="/applications">View all applications</a>`,
  });
