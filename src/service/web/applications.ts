// OAuth applications of one's own company (spec §5): a form with a Callback URL gives a client id and a client secret.
import { LIMITS } from '../../api/contract/limits.ts';
import { callbackUrl } from '../../api/contract/oauth.ts';
import { line } from '../../api/contract/values.ts';
import type { Reply } from '../../api/transport.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import {
  type ClientApplication,
  deleteClient,
  findClient,
  insertClient,
  listClientsOf,
} from '../store/accounts.ts';
import { OWN_CLIENT } from '../store/store.ts';
import { readPageForm } from './forms.ts';
import { errorPage, field, show, tokenField, type WrongField } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { signInFirst } from './return-to.ts';

type Entry = { name: string; callback_url: string };

const NOTHING: Entry = { name: '', callback_url: '' };

export const showApplications = async (request: PageRequest): Promise<Reply> =>
  request.user ? applicationsPage(request, request.user.company_id, NOTHING, []) : signInFirst(request);

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
${tokenField(request)}
${field({ name: 'name', label: 'Name', hint: 'Users see this name when they are asked for consent.', value: entry.name, wrong })}
${field({ name: 'callback_url', label: 'Callback URL', type: 'url', hint: 'The only URL that users are sent to after they answer, for example https://orders.example.com/callback.', value: entry.callback_url, wrong })}
<button>Create</button>
</form>`,
  };
  return show(request, parts, { status: wrong.length > 0 ? 422 : 200 });
}

const facts = ({ id, callback_url }: ClientApplication): Html => html`<dl>
<dt>Client ID</dt><dd><code>${id}</code></dd>
<dt>Callback URL</dt><dd><code>${callback_url}</code></dd>
</dl>`;

const application = (client: ClientApplication): Html => html`<section class="sheet">
<h2><bdi>${client.name}</bdi></h2>
${facts(client)}
${
  client.id === OWN_CLIENT.id
    ? html`<p class="quiet">This application is built into the sandbox and cannot be deleted.</p>`
    : html`<p><a href="/applications/delete?${new URLSearchParams({ client_id: client.id }).toString()}">Delete <bdi>${client.name}</bdi></a></p>`
}
</section>`;

const applicationName = line(1, LIMITS.personNameLength);

export async function createApplication(request: PageRequest): Promise<Reply> {
  if (!request.user) return signInFirst(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const { company_id } = request.user;
  const entry = { name: sent.form.get('name').trim(), callback_url: sent.form.get('callback_url').trim() };
  const wrong = wrongIn(entry);
  if (wrong.length > 0) return applicationsPage(request, company_id, entry, wrong);
  const client = { ...entry, id: request.newId(), company_id, created_at: request.now };
  const secret = request.newSecret();
  await request.store.database.write((db) => insertClient(db, client, secret));
  const made = html`<section class="done" aria-labelledby="made">
<h2 id="made"><bdi>${client.name}</bdi> was created</h2>
<p>Copy the client secret now. It is not shown again.</p>
<dl><dt>Client ID</dt><dd><code id="client-id">${client.id}</code></dd>
<dt>Client secret</dt><dd><code id="client-secret">${secret}</code></dd></dl>
</section>`;
  return applicationsPage(request, company_id, NOTHING, [], made);
}

function wrongIn({ name, callback_url }: Entry): WrongField[] {
  const wrong: WrongField[] = [];
  if (!applicationName.safeParse(name).success)
    wrong.push({ field: 'name', message: 'Enter a name for the application' });
  const callback = callbackUrl.safeParse(callback_url);
  if (!callback.success)
    wrong.push({ field: 'callback_url', message: `The Callback URL ${callback.error.issues[0]?.message}` });
  return wrong;
}

// ── deleting ────────────────────────────────────────────────────────────────────────────────────────────────────

export async function showDeletion(request: PageRequest): Promise<Reply> {
  if (!request.user) return signInFirst(request);
  const client = await ours(
    request,
    request.user.company_id,
    request.url.searchParams.get('client_id') ?? '',
  );
  if (!client) return unknown(request);
  return show(request, {
    title: `Delete ${client.name}`,
    isNarrow: true,
    body: html`<h1>Delete <bdi>${client.name}</bdi>?</h1>
<p class="lead">All codes and tokens issued to it stop working immediately, for every user who gave consent.</p>
${facts(client)}
<form method="post" action="/applications/delete">
${tokenField(request)}<input type="hidden" name="client_id" value="${client.id}">
<p class="actions"><button class="danger">Delete the application</button> <a class="button plain" href="/applications">Keep it</a></p>
</form>`,
  });
}

export async function deleteApplication(request: PageRequest): Promise<Reply> {
  if (!request.user) return signInFirst(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const client = await ours(request, request.user.company_id, sent.form.get('client_id'));
  if (!client) return unknown(request);
  await request.store.database.write((db) => deleteClient(db, client.id));
  return sendTo('/applications');
}

/** An application of another company is as unknown as one that does not exist. The built-in application cannot be deleted. */
async function ours(
  request: PageRequest,
  company_id: string,
  id: string,
): Promise<ClientApplication | undefined> {
  const client = await request.store.database.read((db) => findClient(db, id));
  return client?.company_id === company_id && client.id !== OWN_CLIENT.id ? client : undefined;
}

const unknown = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Application not found',
    text: 'Your company has no application with this ID that can be deleted.',
  });
