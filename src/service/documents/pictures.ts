// Pictures of pages: drawn when they are first needed, by the engine and outside of any commit, and kept by the content of
// the document. That a page cannot be drawn is kept as well.
import { LIMITS } from '../../api/contract/limits.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { findPage, type StoredPage } from '../store/files.ts';
import { findPicture, isTriedLongAgo, keepPicture, type Untried } from '../store/pictures.ts';
import type { Db } from '../store/schema.ts';
import { type AskedPage, askedPage, storedSource, tooComplex } from './page-of-content.ts';

export type PictureContent = { bytes: Uint8Array; mediaType: string };

/** What is shown at first, and twice as sharp. Whether a page can be shown at all is told by the first. */
export type PictureScale = 1 | 2;

const RESOLUTIONS = {
  1: { dpi: LIMITS.pagePngDpi, maxPixels: LIMITS.pagePngPixels },
  2: { dpi: LIMITS.sharpPngDpi, maxPixels: LIMITS.sharpPngPixels },
} as const satisfies Record<PictureScale, { dpi: number; maxPixels: number }>;

/** What is written with it, in the same commit. */
export type Along = (db: Db) => Promise<void>;

/**
 * The PNG of a page. One that is too much for twice the resolution comes as it is shown at first.
 * @param along is written if there is a picture, and only then
 */
export async function pictureOf(
  context: RequestContext,
  page: StoredPage,
  scale: PictureScale = 1,
  along?: Along,
): Promise<Result<PictureContent>> {
  const picture = await keptOrDrawn(context, askedPage(page), scale, along);
  const isTooSharp = scale === 2 && !picture.ok && picture.refusal.code === 'document_too_complex';
  return isTooSharp ? pictureOf(context, page, 1, along) : picture;
}

async function keptOrDrawn(
  context: RequestContext,
  asked: AskedPage,
  scale: PictureScale,
  along?: Along,
): Promise<Result<PictureContent>> {
  const known = await context.read((db) => findPicture(db, asked, RESOLUTIONS[scale].dpi));
  if (known?.sha256) {
    const bytes = await context.store.blobs.get(known.sha256, `page ${asked.page + 1} of "${asked.name}"`);
    if (along) await context.store.database.write(along);
    return ok(png(bytes));
  }
  if (known && !isTriedLongAgo(known, context.now)) return tooComplex(asked, known.exceeded ?? 'time');
  return draw(context, asked, scale, along);
}

/**
 * Draws a page that the browser is about to request, in the background. A request that comes meanwhile gets the same picture, or the failure.
 * Each document page that is opened starts one drawing at most, so that others wait no longer than for a picture that is looked at.
 */
export function drawAhead(context: RequestContext, pageId: string): void {
  const begin = async () => {
    const page = await context.read((db) => findPage(db, { id: pageId }));
    const isKnown = page && (await context.read((db) => findPicture(db, askedPage(page))));
    if (page && !isKnown) await draw(context, askedPage(page), 1);
  };
  context.inBackground(begin());
}

/** Draws each of these pages once, for so long as a request may take. @returns what is left, or why it stopped */
export async function drawAll(
  context: RequestContext,
  pages: readonly Untried[],
  owner: string,
): Promise<Result<Untried[]>> {
  const endsAt = performance.now() + LIMITS.drawBeforeStartMs;
  for (const [position, page] of pages.entries()) {
    if (performance.now() > endsAt) return ok(pages.slice(position));
    const drawn = await draw(context, { ...page, owner }, 1);
    if (!drawn.ok && drawn.refusal.code === 'documents_busy') return drawn;
  }
  return ok([]);
}

const png = (bytes: Uint8Array): PictureContent => ({ bytes, mediaType: 'image/png' });

async function draw(
  context: RequestContext,
  asked: AskedPage,
  scale: PictureScale,
  along?: Along,
): Promise<Result<PictureContent>> {
  const { dpi } = RESOLUTIONS[scale];
  const drawings = drawingsOf(context.store);
  const key = `${asked.pdf_sha256} ${asked.page} ${dpi}`;
  const known = drawings.get(key);
  if (!known) {
    const drawing: Drawing = { outcome: undefined, along: along ? [along] : [] };
    drawings.set(key, drawing);
    drawing.outcome = drawAndKeep(context, asked, scale, drawing).finally(() => drawings.delete(key));
    return drawing.outcome;
  }
  if (along && known.along) known.along.push(along);
  const outcome = (await known.outcome) as Result<PictureContent>;
  if (along && !known.along && outcome.ok) await context.store.database.write(along);
  return outcome;
}

/** `along` takes what others want to write with the picture, until it is written. */
type Drawing = { outcome: Promise<Result<PictureContent>> | undefined; along: Along[] | undefined };

/** A picture that is asked for while it is drawn or written is not drawn twice. */
const UNDER_WAY = new WeakMap<RequestContext['store'], Map<string, Drawing>>();

function drawingsOf(store: RequestContext['store']): Map<string, Drawing> {
  const known = UNDER_WAY.get(store) ?? new Map<string, Drawing>();
  UNDER_WAY.set(store, known);
  return known;
}

async function drawAndKeep(
  context: RequestContext,
  asked: AskedPage,
  scale: PictureScale,
  drawing: Drawing,
): Promise<Result<PictureContent>> {
  const { blobs, database } = context.store;
  const how = RESOLUTIONS[scale];
  const source = await storedSource(context, asked);
  const drawn = await context.documents.drawPage(source, asked.page, how, asked.owner);
  if (!drawn.ok && drawn.reason === 'busy') return refuse('documents_busy');
  const outcome = drawn.ok
    ? { sha256: await blobs.put(drawn.png), exceeded: null }
    : { sha256: null, exceeded: drawn.limit };
  const { along = [] } = drawing;
  drawing.along = undefined;
  await database.write(async (db) => {
    await keepPicture(db, { ...asked, dpi: how.dpi }, outcome, context.now);
    if (drawn.ok) for (const write of along) await write(db);
  });
  return drawn.ok ? ok(png(drawn.png)) : tooComplex(asked, drawn.limit);
}
