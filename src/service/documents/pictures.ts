// Pictures of pages: drawn when they are first needed, by the engine and outside of any commit, and kept by the content of
// the document. That a page cannot be drawn is kept as well.
import { LIMITS } from '../../api/contract/limits.ts';
import type { Source } from '../../pdf/engine/engine.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { StoredPage } from '../store/files.ts';
import { findPicture, isTriedLongAgo, keepPicture, type PagePlace, type Untried } from '../store/pictures.ts';

export type Content = { bytes: Uint8Array; mediaType: string };

/** `owner` is whose work it is: a company. */
type Asked = PagePlace & { name: string; owner: string };

/** The PNG of a page. */
export async function pictureOf(context: RequestContext, page: StoredPage): Promise<Result<Content>> {
  const { pdf_sha256, company_id, original_name } = page;
  const asked = { pdf_sha256, page: page.index, name: original_name, owner: company_id };
  const known = await context.read((db) => findPicture(db, asked));
  if (known?.sha256)
    return ok(png(await context.store.blobs.get(known.sha256, `a page of "${original_name}"`)));
  if (known && !isTriedLongAgo(known, context.now)) return tooComplex(asked, known.exceeded ?? 'time');
  return draw(context, asked);
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
    const drawn = await draw(context, { ...page, owner });
    if (!drawn.ok && drawn.refusal.code === 'documents_busy') return drawn;
  }
  return ok([]);
}

const png = (bytes: Uint8Array): Content => ({ bytes, mediaType: 'image/png' });

const tooComplex = ({ name, page }: Asked, limit: string) =>
  refuse('document_too_complex', { name, page: page + 1, limit });

async function draw(context: RequestContext, asked: Asked): Promise<Result<Content>> {
  const { blobs, database } = context.store;
  const scale = { dpi: LIMITS.pagePngDpi, maxPixels: LIMITS.pagePngPixels };
  const source = await storedSource(context, asked);
  const drawn = await context.documents.drawPage(source, asked.page, scale, asked.owner);
  if (!drawn.ok && drawn.reason === 'busy') return refuse('documents_busy');
  const outcome = drawn.ok
    ? { sha256: await blobs.put(drawn.png), exceeded: null }
    : { sha256: null, exceeded: drawn.limit };
  await database.write((db) => keepPicture(db, asked, outcome, context.now));
  return drawn.ok ? ok(png(drawn.png)) : tooComplex(asked, drawn.limit);
}

async function storedSource({ store }: RequestContext, { pdf_sha256, name }: Asked): Promise<Source> {
  const path = await store.blobs.locate(pdf_sha256, `"${name}"`);
  return { sha256: pdf_sha256, path, bytes: () => store.blobs.get(pdf_sha256, `"${name}"`) };
}
