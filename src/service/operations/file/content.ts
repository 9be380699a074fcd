// The bytes behind a file id: a document's PDF, or the picture of a page, drawn when it is first read.
import type { BinaryOutput } from '../../../api/contract/operation.ts';
import { type Handler, ok, type RequestContext, type Result, refuse } from '../../context.ts';
import { loadPicture } from '../../documents/pictures.ts';
import { findFile, findPage, findSealedDocument, type StoredPage } from '../../store/files.ts';

export const fileContent: Handler<'file.content'> = (context, { params }) =>
  loadContent(context, params.fileId, context.user.company_id);

/** @param company_id whose files may be read; undefined where the address itself is the permission */
export async function loadContent(
  context: RequestContext,
  id: string,
  company_id: string | undefined,
): Promise<Result<BinaryOutput>> {
  const { file, page, sealed } = await context.read(async (db) => ({
    file: await findFile(db, id),
    page: await findPage(db, { file_id: id }),
    sealed: await findSealedDocument(db, id),
  }));
  const owner = (file ?? page ?? sealed)?.company_id;
  if (owner === undefined || (company_id !== undefined && owner !== company_id))
    return refuse('file_not_found', { id });
  if (sealed)
    return ok({
      bytes: await context.store.blobs.get(sealed.sha256, `"${sealed.name}"`),
      mediaType: 'application/pdf',
      documentName: sealed.name,
    });
  if (file)
    return ok({
      bytes: await context.store.blobs.get(file.pdf_sha256, `"${file.original_name}"`),
      mediaType: 'application/pdf',
      documentName: file.original_name,
    });
  return loadPicture(context, page as StoredPage);
}
