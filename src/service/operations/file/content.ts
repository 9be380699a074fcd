// The bytes behind a file id: a document's PDF, or the picture of a page, drawn when it is first read.
import { LIMITS } from '../../../api/contract/limits.ts';
import { type Handler, ok, type RequestContext, type Result, refuse } from '../../context.ts';
import { findFile, findPage, type PicturedPage, setPicture } from '../../store/files.ts';

type Content = { bytes: Uint8Array; mediaType: string };

export const fileContent: Handler<'file.content'> = (context, { params }) =>
  contentOf(context, params.fileId, context.user.company_id);

/** @param company_id whose files may be read; undefined where the address itself is the permission */
export async function contentOf(
  context: RequestContext,
  id: string,
  company_id: string | undefined,
): Promise<Result<Content>> {
  const { file, page } = await context.read(async (db) => ({
    file: await findFile(db, id),
    page: await findPage(db, { file_id: id }),
  }));
  const owner = (file ?? page)?.company_id;
  if (owner === undefined || (company_id !== undefined && owner !== company_id))
    return refuse('file_not_found', { id });
  if (file)
    return ok({
      bytes: await context.store.blobs.get(file.pdf_sha256, `"${file.original_name}"`),
      mediaType: 'application/pdf',
    });
  return ok(await pictureOf(context, page as PicturedPage));
}

/** The PNG of a page. Two who ask at once may both draw it: the bytes are the same. */
export async function pictureOf(context: RequestContext, page: PicturedPage): Promise<Content> {
  const { blobs } = context.store;
  if (page.picture_sha256)
    return { bytes: await blobs.get(page.picture_sha256, 'the picture of a page'), mediaType: 'image/png' };
  const { renderPage } = await import('../../../pdf/render.ts');
  const bytes = await renderPage(await blobs.get(page.pdf_sha256, `"${page.original_name}"`), page.index, {
    dpi: LIMITS.pagePngDpi,
    maxPixels: LIMITS.pagePngPixels,
  });
  const sha256 = await blobs.put(bytes);
  await context.store.database.write((db) => setPicture(db, page.id, sha256));
  return { bytes, mediaType: 'image/png' };
}
