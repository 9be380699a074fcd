// Sends the script of the editor what it can offer: fields that a document seems to ask for, and the places of words.
import type { Reply } from '../../../api/transport.ts';
import { findWordsIn, loadSuggestions } from '../../documents/suggestions.ts';
import type { Document } from '../../domain/transaction.ts';
import { findPage, type StoredPage } from '../../store/files.ts';
import type { PageRequest } from '../page-request.ts';
import { sendJson } from '../page-response.ts';
import type { Editable } from './editable.ts';

/** A longer text is not found on one line, or on two. */
const LONGEST_WORDS = 200;

/** `suggestions/DOCUMENT`. `signer`: the position of the person it is for among those who sign. */
export async function sendSuggestions(request: PageRequest, editable: Editable, id: string): Promise<Reply> {
  const found = await findDocument(request, editable, id);
  if (!found) return sendJson({ suggestions: [] });
  const { page, document } = found;
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

/** `words/DOCUMENT?text=TEXT`: where words are. Nothing where that cannot be told. */
export async function sendFoundWords(request: PageRequest, editable: Editable, id: string): Promise<Reply> {
  const text = request.url.searchParams.get('text') ?? '';
  const found = await findDocument(request, editable, id);
  if (!found || text.trim() === '' || text.length > LONGEST_WORDS) return sendJson({ words: [] });
  const result = await findWordsIn(request.context, found.page, found.document.pages.length, text);
  const matches = result.ok ? result.output.matches : [];
  return sendJson({
    words: matches.flatMap(({ page, boxes: [box], excerpt }) => (box ? [{ page, ...box, excerpt }] : [])),
  });
}

/** A document that is edited, with one of its pages as it is stored. */
async function findDocument(
  { context }: PageRequest,
  { content }: Editable,
  id: string,
): Promise<{ document: Document; page: StoredPage } | undefined> {
  const document = content.documents.find((one) => one.id === id);
  const first = document?.pages[0];
  const page = first && (await context.read((db) => findPage(db, { id: first.id })));
  return document && page ? { document, page } : undefined;
}
