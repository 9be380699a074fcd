// Suggests fields for a stored document, and finds words in it, for the editor of fields. Each request reads the document anew, in the engine
// and outside of any commit: what is found is an offer, which nothing has to remember.
import type { QueryResult } from '../../pdf/engine/engine.ts';
import type { Size } from '../../pdf/geometry.ts';
import type { Person } from '../../placement/suggestions/parties.ts';
import { type SuggestedFields, suggestFields } from '../../placement/suggestions/suggest-fields.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { StoredPage } from '../store/documents/files.ts';
import { loadSource } from '../store/documents/files.ts';
import { pageRefOf, refuseTooComplex } from './pages.ts';

/** @param page any of the document. @param pages all of them, in their order */
export async function loadSuggestions(
  context: RequestContext,
  page: StoredPage,
  pages: readonly Size[],
  people: readonly Person[],
): Promise<SuggestedFields> {
  const ref = pageRefOf(page);
  return suggestFields(context.documents, await loadSource(context, ref), pages, ref.owner, people);
}

/** @param page any of the document. @param pages how many it has */
export async function findWordsIn(
  context: RequestContext,
  page: StoredPage,
  pages: number,
  text: string,
): Promise<Result<QueryResult>> {
  const ref = pageRefOf(page);
  const source = await loadSource(context, ref);
  const result = await context.documents.findWords(source, pages, [{ text }], ref.owner);
  if (result.ok) return ok(result.results[0] ?? { matches: [], isCut: false });
  if (result.reason === 'busy') return refuse('documents_busy');
  // The words of a person are no expression, so that there is none to be refused.
  return refuseTooComplex(ref, result.reason === 'too_complex' ? result.limit : 'time');
}
