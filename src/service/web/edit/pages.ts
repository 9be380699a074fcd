// Maps the paths below `/transactions/ID/edit` and `/templates/ID/edit` to pages and saves, and sends what the script of the
// editor asks for: pictures of pages, the lines of their text, fields that a document seems to ask for, and the places of words.
import type { Reply } from '../../../api/transport.ts';
import { loadPageText, loadPicture } from '../../documents/pages.ts';
import { findWordsIn, loadSuggestions } from '../../documents/suggestions.ts';
import type { Document } from '../../domain/transaction.ts';
import { findPage, type StoredPage } from '../../store/documents/files.ts';
import { errorPage } from '../dashboard/layout.ts';
import type { UserRequest } from '../dashboard/request.ts';
import { sendJson, sendPng } from '../dashboard/response.ts';
import { type Editable, findEditable } from './editable.ts';
import type { Edited } from './edited-fields.ts';
import { saveAllFields, showEditor } from './editor-page.ts';
import { removeField, saveField, showField } from './field-page.ts';

type EditHandler = (request: UserRequest, editable: Editable, id: string) => Promise<Reply> | Reply;
type EditMethods<Handler> = { GET?: Handler | undefined; POST?: Handler | undefined };

/** @param rest of the path, after `edit` */
export function editPage(
  edited: Edited,
  rest: string,
): EditMethods<(request: UserRequest) => Promise<Reply>> | undefined {
  const [isPage, kind = '', id = '', action = ''] =
    /^(?:\/(pages|lines|suggestions|words|fields)\/([\w-]+)(\/remove)?)?$/.exec(rest) ?? [];
  const methods = isPage === undefined ? undefined : editMethods()[kind + action];
  const handled = (handler: EditHandler | undefined) =>
    handler &&
    (async (request: UserRequest): Promise<Reply> => {
      const editable = await findEditable(request, edited);
      return editable.ok ? handler(request, editable.output, id) : editable.reply;
    });
  return methods && { GET: handled(methods.GET), POST: handled(methods.POST) };
}

const editMethods = (): Readonly<Record<string, EditMethods<EditHandler>>> => ({
  '': { GET: showEditor, POST: saveAllFields },
  fields: { GET: showField, POST: saveField },
  'fields/remove': { POST: removeField },
  pages: { GET: sendPagePicture },
  lines: { GET: sendLines },
  suggestions: { GET: sendSuggestions },
  words: { GET: sendFoundWords },
});

/** Finds a page of the documents that are edited, and of no others. */
async function findOwnPage(
  { context }: UserRequest,
  { content }: Editable,
  id: string,
): Promise<StoredPage | undefined> {
  const page = await context.read((db) => findPage(db, { id }));
  return page?.template_id === content.id ? page : undefined;
}

/** `pages/PAGE` */
const sendPagePicture: EditHandler = async (request, editable, id) => {
  const page = await findOwnPage(request, editable, id);
  if (!page) return unknownPage(request);
  const scale = request.url.searchParams.get('scale') === '2' ? 2 : 1;
  const picture = await loadPicture(request.context, page, scale);
  return picture.ok ? sendPng(picture.output.bytes) : busy(request);
};

/**
 * `lines/PAGE` sends the places of its text, for fields that are to stand on a line. A page without text that can be read
 * has none.
 */
const sendLines: EditHandler = async (request, editable, id) => {
  const page = await findOwnPage(request, editable, id);
  if (!page) return unknownPage(request);
  const text = await loadPageText(request.context, page);
  const runs = text.ok ? text.output.runs.filter(({ angle }) => !angle) : [];
  return sendJson({ lines: runs.map(({ x, y, width, height }) => ({ x, y, width, height })) });
};

const unknownPage = (request: UserRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Page not found',
    text: 'The documents have no such page.',
  });

const busy = (request: UserRequest): Reply =>
  errorPage(request, {
    status: 503,
    title: 'The page cannot be shown now',
    text: 'The service is busy, or the page takes too long to draw. Reload the page in a few seconds.',
  });

/** No longer text stands on one line or two, where words are searched. */
const LONGEST_WORDS = 200;

/** `suggestions/DOCUMENT` sends suggested fields. `signer` is the position of their person among those who sign. */
async function sendSuggestions(request: UserRequest, editable: Editable, id: string): Promise<Reply> {
  const stored = await findDocument(request, editable, id);
  if (!stored) return sendJson({ suggestions: [] });
  const { page, document } = stored;
  const signers = editable.content.recipients.filter(({ role }) => role === 'signer');
  const { suggestions } = await loadSuggestions(request.context, page, document.pages, signers);
  return sendJson({
    suggestions: suggestions.map(
      ({ from, type, page, box, properties, person = signers.length, isGuessed }) => ({
        ...{ from, type, page, ...box, properties, signer: person, is_guessed: isGuessed },
      }),
    ),
  });
}

/** `words/DOCUMENT?text=TEXT` sends the places of words, or none where the text cannot be read. */
async function sendFoundWords(request: UserRequest, editable: Editable, id: string): Promise<Reply> {
  const text = request.url.searchParams.get('text') ?? '';
  const stored = await findDocument(request, editable, id);
  if (!stored || text.trim() === '' || text.length > LONGEST_WORDS) return sendJson({ words: [] });
  const result = await findWordsIn(request.context, stored.page, stored.document.pages.length, text);
  const matches = result.ok ? result.output.matches : [];
  return sendJson({
    words: matches.flatMap(({ page, boxes: [box], excerpt }) => (box ? [{ page, ...box, excerpt }] : [])),
  });
}

/** Finds a document that is edited, with one of its pages as it is stored. */
async function findDocument(
  { context }: UserRequest,
  { content }: Editable,
  id: string,
): Promise<{ document: Document; page: StoredPage } | undefined> {
  const document = content.documents.find((item) => item.id === id);
  const first = document?.pages[0];
  const page = first && (await context.read((db) => findPage(db, { id: first.id })));
  return document && page ? { document, page } : undefined;
}
