// Shows the templates of the company: the list with a search by name, and one of them with its documents, recipients and
// fields.

import { remarkOf } from '../../../api/contract/documents.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Reply } from '../../../api/transport.ts';
import type { Content, Document, Field, Recipient } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { findFile } from '../../store/documents/files.ts';
import { listTemplates } from '../../store/transactions/overviews.ts';
import { loadTemplate } from '../../store/transactions/transactions.ts';
import type { Found } from './forms.ts';
import { done, errorPage, show } from './layout.ts';
import { numberedPager, pageNumberOf, searchForm, searchText, utcTime } from './lists.ts';
import type { UserRequest } from './request.ts';
import { sendPdf } from './response.ts';

export async function showTemplates(request: UserRequest): Promise<Reply> {
  const { user, store } = request;
  const search = searchText(request);
  const query = { search, limit: LIMITS.templatesPerPage, page: pageNumberOf(request) };
  const { items, meta } = await store.database.read((db) => listTemplates(db, user.company_id, query));
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

type TemplateItem = Awaited<ReturnType<typeof listTemplates>>['items'][number];

const line = ({ id, name, description, created_at }: TemplateItem): Html =>
  html`<li><p class="head"><a href="/templates/${id}"><bdi>${name || 'Untitled'}</bdi></a> <span>${utcTime(created_at)}</span></p>
${description !== '' && html`<p class="quiet" dir="auto">${description}</p>`}</li>`;

export async function findOwnTemplate(request: UserRequest, id: string): Promise<Found<Content>> {
  const { user, store } = request;
  const template = await store.database.read((db) =>
    loadTemplate(db, store.keys, { id, company_id: user.company_id }),
  );
  return template ? { ok: true, output: template } : { ok: false, reply: unknownTemplate(request) };
}

const unknownTemplate = (request: UserRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Template not found',
    text: 'Your company has no template with this ID.',
    link: html`<a href="/templates">View all templates</a>`,
  });

export async function showTemplate(request: UserRequest, id: string): Promise<Reply> {
  const loaded = await findOwnTemplate(request, id);
  if (!loaded.ok) return loaded.reply;
  const template = loaded.output;
  const name = template.name || 'Untitled';
  const recipients = template.recipients.toSorted((a, b) => a.index - b.index);
  const documents = template.documents.toSorted((a, b) => a.index - b.index);
  return show(request, {
    title: name,
    body: html`<h1><bdi>${name}</bdi></h1>
${template.description !== '' && html`<p class="lead lines" dir="auto">${template.description}</p>`}
${request.url.searchParams.has('saved') && done('The template was saved.')}
<section class="sheet"><h2>Documents</h2>
${documents.length === 0 ? html`<p class="quiet">None.</p>` : html`<ol class="rows">${documents.map((document) => documentLine(id, document))}</ol>`}
</section>
<section class="sheet"><h2>Recipients</h2>
${recipients.length === 0 ? html`<p class="quiet">None.</p>` : html`<ol class="rows">${recipients.map((recipient) => recipientLine(template, recipient))}</ol>`}
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

function recipientLine({ fields }: Content, { id, name, email, role }: Recipient): Html {
  const filledIn = fields.filter(({ recipient_id }) => recipient_id === id);
  return html`<li><p class="head"><strong><bdi>${name || 'No name'}</bdi></strong> <span><bdi>${email}</bdi> · ${role}</span></p>
<p class="quiet">${filledIn.length === 0 ? 'No fields' : filledIn.map((field, index) => html`${index > 0 && ', '}${fieldName(field)}`)}</p></li>`;
}

const fieldName = ({ label, type, is_required }: Field): Html =>
  html`<bdi>${label}</bdi> (${type.replace('_', ' ')}${!is_required && ', optional'})`;

export async function sendTemplateDocument(
  request: UserRequest,
  id: string,
  documentId: string,
): Promise<Reply> {
  const template = await findOwnTemplate(request, id);
  if (!template.ok) return template.reply;
  const document = template.output.documents.find((item) => item.id === documentId);
  const file = document && (await request.context.read((db) => findFile(db, document.file.id)));
  if (!document || !file) return unknownTemplate(request);
  const { original_name } = document.file;
  return sendPdf(await request.store.blobs.get(file.pdf_sha256, `"${original_name}"`), original_name);
}
