// The text of pages, for selecting and reading aloud over their pictures: read when it is first needed, by the engine and
// outside of any commit, and kept by the content of the document. It is as hostile as the document.
import type { PageText } from '../../pdf/engine/engine.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { StoredPage } from '../store/files.ts';
import { findText, storeText } from '../store/page-texts.ts';
import { loadSource } from '../store/pdf-source.ts';
import { isRetryDue } from '../store/pictures.ts';
import { type PageRef, pageRefOf, refuseTooComplex } from './page-ref.ts';

/** A page that can be drawn may still have no text that can be read: show it without. */
export async function loadPageText(context: RequestContext, page: StoredPage): Promise<Result<PageText>> {
  const asked = pageRefOf(page);
  const known = await context.read((db) => findText(db, asked));
  if (known?.runs) return ok({ runs: JSON.parse(known.runs), isCut: known.is_cut === 1 });
  if (known && !isRetryDue(known, context.now)) return refuseTooComplex(asked, known.exceeded ?? 'time');
  return read(context, asked);
}

async function read(context: RequestContext, asked: PageRef): Promise<Result<PageText>> {
  const answer = await context.documents.readText(await loadSource(context, asked), asked.page, asked.owner);
  if (!answer.ok && answer.reason === 'busy') return refuse('documents_busy');
  const outcome = answer.ok
    ? { runs: JSON.stringify(answer.runs), is_cut: answer.isCut ? 1 : 0, exceeded: null }
    : { runs: null, is_cut: 0, exceeded: answer.limit };
  await context.store.database.write((db) => storeText(db, asked, outcome, context.now), [], 'locked');
  return answer.ok ? ok({ runs: answer.runs, isCut: answer.isCut }) : refuseTooComplex(asked, answer.limit);
}
