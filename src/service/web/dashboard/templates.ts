// Shows the templates of the company: the list with a search by name, and one of them with its documents, recipients and
// fields.
import { LIMITS } from '../../../api/contract/limits.ts';
import { remarkOf } from '../../../api/contract/remarks.ts';
import type { Reply } from '../../../api/transport.ts';
import type { Content, Document, Field, Recipient } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { findFile } from '../../store/documents/files.ts';
import { listTemplates } from '../../store/transactions/overviews.ts';
import { loadTemplate } from '../../store/transactions/transactions.ts';
import { errorPage, show } from './layout.ts';
import { numberedPager, pageNumberOf, searchForm, searchText, utcTime } from './lists.ts';
import type { PageRequest } from './request.ts';
import { redirectToSignIn, sendPdf } from './response.ts';

export async function showTemplates(request: PageRequest): Promise<Reply> {
  const { user, store } = request;
  if (!user) return redirectToSignIn(request);
  const search = searchText(request);
  const asked = { search, limit: LIMITS.templatesPerPage, page: pageNumberOf(request) };
  const { items, meta } = await store.database.read((db) => listTemplates(db, user.company_id, asked));
  return show(request, {
    title: 'Templates',
    body: html`<h1>Templates</h1>
<p class="lead">Documents, recipients and fields that <bdi>${user.company}</bdi> sends again and again. A transaction is saved as a template on its page.</p>
${searchForm({ action: '/templates', label: 'Search by name', text: search })}
${items.length > 0 && html`<ul class="rows">${items.map(line)}</ul>`}
${items.length === 0 && html`<p class="sheet quiet">${search === '' ? 'There are no templates yet.' : html`No template’s name contains “<bdi>${search}</bdi>”.`}</p>`}
${numberedPager('/templates', meta, { q: search })}`,
  });
}

type Listed = Awaited<ReturnType<typeof listTemplates>>['items'][number];

const line = ({ id, name, description, created_at }: Listed): Html =>
  html`<li><p class="head"><a href="/templates/${id}"><bdi>${name || 'Untitled'}</bdi></a> <span>${utcTime(created_at)}</span></p>
${description !== '' && html`<p class="quiet" dir="auto">${description}</p>`}</li>`;

export const unknownTemplate = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Template not found',
    text: 'Your company has no template with this ID.',
    link: html`<a href="/templates">View all templates</a>`,
  });

export async function findOwnTemplate(
  { user, store }: PageRequest,
  id: string,
): Promise<Content | undefined> {
  if (!user) return undefined;
  return store.database.read((db) => loadTemplate(db, store.keys, { id, company_id: user.company_id }));
}

export async function showTemplate(request: PageRequest, id: string): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const template = await findOwnTemplate(request, id);
  if (!template) return unknownTemplate(request);
  const name = template.name || 'Untitled';
  const recipients = template.recipients.toSorted((a, b) => a.index - b.index);
  const documents = template.documents.toSorted((a, b) => a.index - b.index);
  return show(request, {
    title: name,
    body: html`<h1><bdi>${name}</bdi></h1>
${template.description !== '' && html`<p class="lead lines" dir="auto">${template.description}</p>`}
${request.url.searchParams.has('saved') && html`<div class="done" role="status"><p>The template was saved.</p></div>`}
<section class="sheet"><h2>Documents</h2>
${documents.length === 0 ? html`<p class="quiet">None.</p>` : html`<ol class="rows">${documents.map((one) => documentLine(id, one))}</ol>`}
</section>
<section class="sheet"><h2>Recipients</h2>
${recipients.length === 0 ? html`<p class="quiet">None.</p>` : html`<ol class="rows">${recipients.map((one) => recipientLine(template, one))}</ol>`}
</section>
<p class="actions before"><a class="button plain" href="/templates/${id}/edit">Edit fields</a></p>
<section class="sheet"><h2>Details</h2>
<dl><dt>ID</dt><dd><code>${id}</code></dd>
<dt>Saved</dt><dd>${utcTime(template.created_at)}</dd>
<dt>Use it</dt><dd><code>esign tx send --template ${id}</code></dd></dl>
</section>`,
  });
}

const documentLine = (id: string, { id: documentId, file, pages, remarks }: Document): Html =>
  html`<li><p class="head"><a href="/templates/${id}/documents/${documentId}.pdf"><bdi>${file.original_name}</bdi></a> <span>${String(pages.length)} page${pages.length === 1 ? '' : 's'}, as PDF</span></p>
${remarks.map((remark) => html`<p class="remark">${remarkOf(remark).message}</p>`)}</li>`;

/** A recipient with the fields they fill in. */
function recipientLine({ fields }: Content, { id, name, email, role }: Recipient): Html {
  const own = fields.filter(({ recipient_id }) => recipient_id === id);
  return html`<li><p class="head"><strong><bdi>${name || 'No name'}</bdi></strong> <span><bdi>${email}</bdi> · ${role}</span></p>
<p class="quiet">${own.length === 0 ? 'No fields' : own.map((field, index) => html`${index > 0 && ', '}${fieldName(field)}`)}</p></li>`;
}

const fieldName = ({ label, type, is_required }: Field): Html =>
  html`<bdi>${label}</bdi> (${type.replace('_', ' ')}${!is_required && ', optional'})`;

/** A document of a template as PDF. */
export async function sendTemplateDocument(
  request: PageRequest,
  id: string,
  documentId: string,
): Promise<Reply> {
  if (!request.user) return redirectToSignIn(request);
  const template = await findOwnTemplate(request, id);
  const document = template?.documents.find((one) => one.id === documentId);
  const file = document && (await request.context.read((db) => findFile(db, document.file.id)));
  if (!document || !file) return unknownTemplate(request);
  const { original_name } = document.file;
  return sendPdf(await request.store.blobs.get(file.pdf_sha256, `"${original_name}"`), original_name);
}
