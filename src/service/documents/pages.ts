// Draws pictures of pages when they are first needed, by the engine and outside of any commit, and stores them by the content
// of the document. That a page cannot be drawn is stored as well.
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

type PictureContent = { bytes: Uint8Array; mediaType: string };

/** What is shown at first, and twice as sharp. The first decides whether a page can be shown at all. */
type PictureScale = 1 | 2;

const RESOLUTIONS = {
  1: { dpi: LIMITS.pagePngDpi, maxPixels: LIMITS.pagePngPixels },
  2: { dpi: LIMITS.sharpPngDpi, maxPixels: LIMITS.sharpPngPixels },
} as const satisfies Record<PictureScale, { dpi: number; maxPixels: number }>;

/** Database rows to write before the picture is returned. */
type ExtraRows = (db: Db) => Promise<void>;

/**
 * The PNG of a page. One that is too much for twice the resolution comes as it is shown at first.
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
  asked: PageRef,
  scale: PictureScale,
  along?: ExtraRows,
): Promise<Result<PictureContent>> {
  const known = await context.read((db) => findPicture(db, asked, RESOLUTIONS[scale].dpi));
  if (known?.sha256) {
    const bytes = await context.store.blobs.get(known.sha256, `page ${asked.page + 1} of "${asked.name}"`);
    if (along) await context.store.database.write(along, [], 'locked');
    return ok(png(bytes));
  }
  if (known && !isRetryDue(known, context.now)) return refuseTooComplex(asked, known.exceeded ?? 'time');
  return along ? drawAndShow(context, asked, scale, along) : draw(context, asked, scale);
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
 * @returns what is left, or why it stopped
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
    const drawn = await startDrawing(context, { ...page, owner }, 1).kept;
    if (!drawn.ok && drawn.reason === 'busy') return refuse('documents_busy');
    usedMs += drawn.usedMs ?? 0;
  }
  return ok([]);
}

const png = (bytes: Uint8Array): PictureContent => ({ bytes, mediaType: 'image/png' });

/** Returns the drawing of a page that is under way, or starts it. */
function startDrawing(context: RequestContext, asked: PageRef, scale: PictureScale): Drawing {
  const { dpi } = RESOLUTIONS[scale];
  const drawings = underWay(context.store);
  const key = `${asked.pdf_sha256} ${asked.page} ${dpi}`;
  const known = drawings.get(key);
  if (known) return known;
  const drawn = drawPageOf(context, asked, scale);
  const kept = storeDrawn(context, asked, dpi, drawn).finally(() => drawings.delete(key));
  const drawing = { drawn, kept };
  drawings.set(key, drawing);
  return drawing;
}

/** Draws a page and stores its picture. */
async function draw(
  context: RequestContext,
  asked: PageRef,
  scale: PictureScale,
): Promise<Result<PictureContent>> {
  const drawn = await startDrawing(context, asked, scale).kept;
  return outcomeOf(asked, drawn);
}

/**
 * Draws a page for a recipient who waits for it: what the view writes is committed, and the picture is kept in the background. If it cannot be kept, it
 * is drawn again the next time.
 */
async function drawAndShow(
  context: RequestContext,
  asked: PageRef,
  scale: PictureScale,
  along: ExtraRows,
): Promise<Result<PictureContent>> {
  const { drawn, kept } = startDrawing(context, asked, scale);
  context.inBackground(kept);
  const page = await drawn;
  if (page.ok) await context.store.database.write(along, [], 'locked');
  // That a page cannot be drawn is a remark of its document, which has to be there when the response is.
  else await kept;
  return outcomeOf(asked, page);
}

const outcomeOf = (asked: PageRef, drawn: DrawAnswer): Result<PictureContent> => {
  if (drawn.ok) return ok(png(drawn.png));
  return drawn.reason === 'busy' ? refuse('documents_busy') : refuseTooComplex(asked, drawn.limit);
};

/** A page that is drawn for one request is not drawn again for another one that comes before its picture is kept. */
type Drawing = { drawn: Promise<DrawAnswer>; kept: Promise<DrawAnswer> };

const UNDER_WAY = new WeakMap<RequestContext['store'], Map<string, Drawing>>();

function underWay(store: RequestContext['store']): Map<string, Drawing> {
  const known = UNDER_WAY.get(store) ?? new Map<string, Drawing>();
  UNDER_WAY.set(store, known);
  return known;
}

async function drawPageOf(context: RequestContext, asked: PageRef, scale: PictureScale): Promise<DrawAnswer> {
  const source = await loadSource(context, asked);
  return context.documents.drawPage(source, asked.page, RESOLUTIONS[scale], asked.owner);
}

async function storeDrawn(
  { store: { blobs, database }, now }: RequestContext,
  asked: PageRef,
  dpi: number,
  drawing: Promise<DrawAnswer>,
): Promise<DrawAnswer> {
  const drawn = await drawing;
  if (!drawn.ok && drawn.reason === 'busy') return drawn;
  const outcome = drawn.ok
    ? { sha256: await blobs.put(drawn.png), exceeded: null }
    : { sha256: null, exceeded: drawn.limit };
  await database.write((db) => storePicture(db, { ...asked, dpi }, outcome, now), undefined, 'locked');
  return drawn;
}

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

/** `owner` is whose work it is: a company. */
type PageRef = PagePlace & { name: string; owner: string };

export const pageRefOf = ({ pdf_sha256, company_id, original_name, index }: StoredPage): PageRef => ({
  pdf_sha256,
  page: index,
  name: original_name,
  owner: company_id,
});

export const refuseTooComplex = ({ name, page }: PageRef, limit: string) =>
  refuse('document_too_complex', { name, page: page + 1, limit });
