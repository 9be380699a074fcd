// Shows the documents with their fields, and the list of the fields beside them. With the script, fields are placed by mouse, touch
// and keyboard, and all of them are saved whenever one has changed; without it, each has a page with a form.

import { isLoopbackHost } from '../../../api/contract/egress.ts';
import { DATE_FORMATS, LANGUAGES, TODAY } from '../../../api/contract/languages.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { problemOf } from '../../../api/contract/problems.ts';
import { colorValueOf } from '../../../api/contract/recipients.ts';
import type { Reply } from '../../../api/transport.ts';
import { parseUrl } from '../../../common/parse-url.ts';
import { FIELD_SIZES } from '../../../placement/sizes.ts';
import { TYPE_NAMES } from '../../domain/known-value.ts';
import type { Content, Document, DocumentPage, Field, Recipient } from '../../domain/transaction.ts';
import { type Html, html } from '../../rendering/html.ts';
import { readPageForm } from '../dashboard/forms.ts';
import { show } from '../dashboard/layout.ts';
import type { PageRequest } from '../dashboard/request.ts';
import { FORM_TOKEN } from '../dashboard/request.ts';
import { sendJson } from '../dashboard/response.ts';
import DASHBOARD from '../dashboard/style.css';
import { EDITOR_SCRIPT_PATH } from '../sign/static-files.ts';
import { type Editable, fieldLine, fieldsInOrder, OFFERED_TYPES } from './editable.ts';
import { editableFields, partiesOf, revisionOf, saveEditedFields } from './edited-fields.ts';
import EDITOR from './style.css';

const STYLE = `${DASHBOARD}\n${EDITOR}`;

export function showEditor(request: PageRequest, editable: Editable): Reply {
  const { content, path } = editable;
  const name = content.name || 'Untitled';
  const fields = fieldsInOrder(content);
  const sends = request.url.searchParams.has('sends');
  const isReady = content.documents.length > 0 && content.recipients.length > 0;
  return show(request, {
    title: `Fields of ${name}`,
    scripted: { script: EDITOR_SCRIPT_PATH, style: STYLE },
    body: html`<div class="editor" data-editor="${JSON.stringify(forScript(request, editable))}">
<div class="title"><h1>Fields of <bdi>${name}</bdi></h1>
<div class="bar"><p class="tools" data-tools></p>
<p><a class="button" data-done href="${doneAddress(request, editable)}">${sends ? 'Done and send' : 'Done'}</a></p></div>
${sends && html`<p class="note">“Done and send” saves the fields, and the command in your terminal then sends the documents.</p>`}</div>
<div class="work">
<div class="pages" data-pages>${content.documents.map((document) => documentPages(editable, document, fields))}
${content.documents.length === 0 && html`<p class="sheet">There are no documents yet. Add one with <code>esign tx upload ${editable.edited.id} FILE</code>.</p>`}</div>
<div class="side" data-side>
<section class="sheet" data-list><h2>Fields</h2>
${content.recipients.length === 0 && html`<p>There are no recipients yet. Add one with <code>esign tx update ${editable.edited.id} --to "NAME &lt;EMAIL&gt;"</code>.</p>`}
${fields.length === 0 && html`<p class="quiet">There are no fields yet.</p>`}
<ol>${fields.map((field) => html`<li><a href="${path}/fields/${field.id}"><bdi>${fieldLine(content, field)}</bdi></a></li>`)}</ol>
${isReady && html`<p class="actions"><a class="button plain" href="${path}/fields/new">Add a field</a></p>`}
</section></div>
</div></div>`,
  });
}

/** A command that waits for the end of editing listens on this machine: no other address is followed. */
function doneAddress({ url }: PageRequest, { back }: Editable): string {
  const address = parseUrl(url.searchParams.get('return_to') ?? '');
  return address?.protocol === 'http:' && isLoopbackHost(address.hostname) ? address.href : back;
}

/**
 * Collects what the script needs, and nothing else. Recipients have a color and a shape, because not everyone sees colors.
 */
const forScript = (request: PageRequest, { content, path }: Editable) => ({
  path,
  token: { name: FORM_TOKEN, value: request.formToken() },
  ...savedStateOf(content),
  recipients: recipientsOf(content).map(({ id, name, email, role, color }) => ({
    id,
    name: name || email,
    role,
    color: colorValueOf(color),
  })),
  documents: documentsOf(content).map(({ id, file, pages }) => ({
    id,
    name: file.original_name,
    pages: pages.map(({ id: pageId, width, height }) => ({ id: pageId, width, height })),
  })),
  types: OFFERED_TYPES.map((type) => ({ type, name: TYPE_NAMES[type], ...FIELD_SIZES[type] })),
  dateFormats: DATE_FORMATS,
  dateLanguages: Object.entries(LANGUAGES),
  today: TODAY,
});

const recipientsOf = ({ recipients }: Content): Recipient[] =>
  recipients.toSorted((a, b) => a.index - b.index);

const documentsOf = ({ documents }: Content): Document[] => documents.toSorted((a, b) => a.index - b.index);

// ── pages ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const documentPages = (editable: Editable, document: Document, fields: readonly Field[]): Html =>
  html`<h2><bdi>${document.file.original_name}</bdi></h2>
${document.pages.map((page, index) => sheet(editable, document, page, index, fields))}`;

const POINTS_PER_INCH = 72;

/** Pages are shown as wide as style.css says. */
const SIZES = '(min-width: 60rem) min(100vw - 38rem, 62rem), calc(100vw - 2rem)';

function sheet(
  { path }: Editable,
  document: Document,
  page: DocumentPage,
  index: number,
  fields: readonly Field[],
): Html {
  const picture = (scale: 1 | 2) => `${path}/pages/${page.id}?scale=${scale}`;
  const pixels = (dpi: number) => Math.round((page.width * dpi) / POINTS_PER_INCH);
  const numbered = fields.map((field, position) => ({ field, number: position + 1 }));
  const onPage = numbered.filter(({ field }) => field.document_id === document.id && field.page === index);
  return html`<figure class="sheet-of-document" data-page="${page.id}">
<div class="paper">
<img src="${picture(1)}" srcset="${picture(1)} ${pixels(LIMITS.pagePngDpi)}w, ${picture(2)} ${pixels(LIMITS.sharpPngDpi)}w" sizes="${SIZES}" width="${Math.round(page.width)}" height="${Math.round(page.height)}" alt="" loading="lazy" decoding="async">
<svg class="over" viewBox="0 0 ${page.width} ${page.height}">${onPage.map(({ field, number }) => box(path, field, number))}</svg>
</div>
<figcaption>Page ${index + 1} of ${document.pages.length}</figcaption>
</figure>`;
}

/** Shows a field with its number in the list. */
const box = (path: string, { id, positionX, positionY, width, height }: Field, number: number): Html =>
  html`<a href="${path}/fields/${id}" aria-label="Field ${number}"><rect class="box" x="${positionX}" y="${positionY}" width="${width}" height="${height}" rx="2"/><text class="number" x="${positionX + 3}" y="${positionY + Math.min(11, height - 2)}" font-size="${Math.min(10, height)}">${number}</text></a>`;

/**
 * Answers with the fields as they are saved or, where someone else has changed them, as that person has saved them.
 * `refused` says what is wrong; then nothing is changed.
 */
export async function saveAllFields(request: PageRequest, { edited, user }: Editable): Promise<Reply> {
  const sent = await readPageForm(request, LIMITS.jsonBytes);
  if (!sent.ok) return sent.reply;
  const fields = parsedOrNothing(sent.output.get('fields'));
  const saved = await saveEditedFields(request.context, user, edited, sent.output.get('revision'), fields);
  if (!saved.ok) {
    const { detail, errors = [] } = problemOf(saved.refusal, '');
    return sendJson({ kind: 'refused', detail, errors });
  }
  const { kind, content } = saved.output;
  return sendJson({ kind, ...savedStateOf(content) });
}

const savedStateOf = (content: Content) => ({
  revision: revisionOf(content),
  parties: partiesOf(content),
  fields: editableFields(content),
});

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
