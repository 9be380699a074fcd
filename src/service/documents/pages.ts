// Draws pictures of pages and reads their text when they are first needed, by the engine and outside of any commit, and stores them by the
// content of the document, whatever transaction it is in. That a page cannot be drawn is stored as well. Its text is as hostile as the document.
import { LIMITS } from '../../api/contract/limits.ts';
import type { DrawAnswer, PageText } from '../../pdf/engine/engine.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { findPage, loadSource, type StoredPage } from '../store/documents/files.ts';
import {
  findPicture,
  findText,
  isRetryDue,
  type PagePlace,
  type PageToDraw,
  storePicture,
  storeText,
} from '../store/documents/pictures.ts';
import type { Db } from '../store/schema.ts';

/** Identifies a page by the content of its document. `owner` is the company whose work it is. */
type PageRef = PagePlace & { name: string; owner: string };

export const pageRefOf = ({ pdf_sha256, company_id, original_name, index }: StoredPage): PageRef => ({
  pdf_sha256,
  page: index,
  name: original_name,
  owner: company_id,
});

export const refuseTooComplex = ({ name, page }: PageRef, limit: string) =>
  refuse('document_too_complex', { name, page: page + 1, limit });

// --- Pictures ---

type PictureContent = { bytes: Uint8Array; mediaType: string };

/** A page is shown at 1 first, and then twice as sharp. The first decides whether it can be shown at all. */
type PictureScale = 1 | 2;

const RESOLUTIONS = {
  1: { dpi: LIMITS.pagePngDpi, maxPixels: LIMITS.pagePngPixels },
  2: { dpi: LIMITS.sharpPngDpi, maxPixels: LIMITS.sharpPngPixels },
} as const satisfies Record<PictureScale, { dpi: number; maxPixels: number }>;

/** Writes rows before the picture is returned. */
type ExtraRows = (db: Db) => Promise<void>;

/**
 * Loads the PNG of a page. One that is too much for twice the resolution comes as it is shown at first.
 * @param along is written if there is a picture, and only then
 */
export async function loadPicture(
  context: RequestContext,
  page: StoredPage,
  scale: PictureScale = 1,
  along?: ExtraRows,
): Promise<Result<PictureContent>> {
  const picture = await loadOrDraw(context, pageRefOf(page), scale, along);
  const isTooSharp = scale === 2 && !picture.ok && picture.refusal.code === 'document_too_complex';
  return isTooSharp ? loadPicture(context, page, 1, along) : picture;
}

async function loadOrDraw(
  context: RequestContext,
  ref: PageRef,
  scale: PictureScale,
  along?: ExtraRows,
): Promise<Result<PictureContent>> {
  const stored = await context.read((db) => findPicture(db, ref, RESOLUTIONS[scale].dpi));
  if (stored?.sha256) {
    const bytes = await context.store.blobs.get(stored.sha256, `page ${ref.page + 1} of "${ref.name}"`);
    if (along) await context.store.database.write(along, [], 'locked');
    return ok(png(bytes));
  }
  if (stored && !isRetryDue(stored, context.now)) return refuseTooComplex(ref, stored.exceeded ?? 'time');
  return along ? drawAndShow(context, ref, scale, along) : draw(context, ref, scale);
}

/**
 * Draws a page that the browser is about to request, in the background. A concurrent request gets the same picture, or the
 * failure. Each document page that is opened starts one drawing at most, so that others wait no longer than for a picture that
 * is looked at.
 */
export function drawAhead(context: RequestContext, pageId: string): void {
  const begin = async () => {
    const page = await context.read((db) => findPage(db, { id: pageId }));
    const isKnown = page && (await context.read((db) => findPicture(db, pageRefOf(page))));
    if (page && !isKnown) await draw(context, pageRefOf(page), 1);
  };
  context.inBackground(begin());
}

/**
 * Draws each of these pages once, for as much processor time as a request may take: a busy machine draws the same pages, only later.
 * @returns the remaining pages, or why it stopped
 */
export async function drawAll(
  context: RequestContext,
  pages: readonly PageToDraw[],
  owner: string,
): Promise<Result<PageToDraw[]>> {
  const endsAt = performance.now() + LIMITS.drawBeforeStartClockMs;
  let usedMs = 0;
  for (const [position, page] of pages.entries()) {
    if (usedMs >= LIMITS.drawBeforeStartMs || performance.now() > endsAt) return ok(pages.slice(position));
    const drawn = await startDrawing(context, { ...page, owner }, 1).stored;
    if (!drawn.ok && drawn.reason === 'busy') return refuse('documents_busy');
    usedMs += drawn.usedMs ?? 0;
  }
  return ok([]);
}

const png = (bytes: Uint8Array): PictureContent => ({ bytes, mediaType: 'image/png' });

/** Returns the drawing of a page that is under way, or starts it. */
function startDrawing(context: RequestContext, ref: PageRef, scale: PictureScale): Drawing {
  const { dpi } = RESOLUTIONS[scale];
  const drawings = underWay(context.store);
  const key = `${ref.pdf_sha256} ${ref.page} ${dpi}`;
  const current = drawings.get(key);
  if (current) return current;
  const drawn = drawPageOf(context, ref, scale);
  const stored = storeDrawn(context, ref, dpi, drawn).finally(() => drawings.delete(key));
  const drawing = { drawn, stored };
  drawings.set(key, drawing);
  return drawing;
}

/** Draws a page and stores its picture. */
async function draw(
  context: RequestContext,
  ref: PageRef,
  scale: PictureScale,
): Promise<Result<PictureContent>> {
  const drawn = await startDrawing(context, ref, scale).stored;
  return outcomeOf(ref, drawn);
}

/**
 * Draws a page for a recipient who waits for it: what the view writes is committed, and the picture is kept in the background. If it cannot be kept, it
 * is drawn again the next time.
 */
async function drawAndShow(
  context: RequestContext,
  ref: PageRef,
  scale: PictureScale,
  along: ExtraRows,
): Promise<Result<PictureContent>> {
  const { drawn, stored } = startDrawing(context, ref, scale);
  context.inBackground(stored);
  const page = await drawn;
  if (page.ok) await context.store.database.write(along, [], 'locked');
  // That a page cannot be drawn is a remark of its document, which has to be there when the response is.
  else await stored;
  return outcomeOf(ref, page);
}

const outcomeOf = (ref: PageRef, drawn: DrawAnswer): Result<PictureContent> => {
  if (drawn.ok) return ok(png(drawn.png));
  return drawn.reason === 'busy' ? refuse('documents_busy') : refuseTooComplex(ref, drawn.limit);
};

/** A page that is drawn for one request is not drawn again for another one that comes before its picture is kept. */
type Drawing = { drawn: Promise<DrawAnswer>; stored: Promise<DrawAnswer> };

const UNDER_WAY = new WeakMap<RequestContext['store'], Map<string, Drawing>>();

function underWay(store: RequestContext['store']): Map<string, Drawing> {
  const drawings = UNDER_WAY.get(store) ?? new Map<string, Drawing>();
  UNDER_WAY.set(store, drawings);
  return drawings;
}

async function drawPageOf(context: RequestContext, ref: PageRef, scale: PictureScale): Promise<DrawAnswer> {
  const source = await loadSource(context, ref);
  return context.documents.drawPage(source, ref.page, RESOLUTIONS[scale], ref.owner);
}

async function storeDrawn(
  { store: { blobs, database }, now }: RequestContext,
  ref: PageRef,
  dpi: number,
  drawing: Promise<DrawAnswer>,
): Promise<DrawAnswer> {
  const drawn = await drawing;
  if (!drawn.ok && drawn.reason === 'busy') return drawn;
  const outcome = drawn.ok
    ? { sha256: await blobs.put(drawn.png), exceeded: null }
    : { sha256: null, exceeded: drawn.limit };
  await database.write((db) => storePicture(db, { ...ref, dpi }, outcome, now), undefined, 'locked');
  return drawn;
}

// --- Text, for selecting and reading aloud over the picture ---

/** A page that can be drawn may still have no text that can be read: show it without. */
export async function loadPageText(context: RequestContext, page: StoredPage): Promise<Result<PageText>> {
  const ref = pageRefOf(page);
  const stored = await context.read((db) => findText(db, ref));
  if (stored?.runs) return ok({ runs: JSON.parse(stored.runs), isCut: stored.is_cut === 1 });
  if (stored && !isRetryDue(stored, context.now)) return refuseTooComplex(ref, stored.exceeded ?? 'time');
  return readText(context, ref);
}

async function readText(context: RequestContext, ref: PageRef): Promise<Result<PageText>> {
  const answer = await context.documents.readText(await loadSource(context, ref), ref.page, ref.owner);
  if (!answer.ok && answer.reason === 'busy') return refuse('documents_busy');
  const outcome = answer.ok
    ? { runs: JSON.stringify(answer.runs), is_cut: answer.isCut ? 1 : 0, exceeded: null }
    : { runs: null, is_cut: 0, exceeded: answer.limit };
  await context.store.database.write((db) => storeText(db, ref, outcome, context.now), [], 'locked');
  return answer.ok ? ok({ runs: answer.runs, isCut: answer.isCut }) : refuseTooComplex(ref, answer.limit);
}
