// Takes uploads, and returns files: a document's PDF, or the picture of a page, which is drawn when it is first read.
import { type RemarkFacts, remarkOf } from '../../api/contract/documents.ts';
import {
  documentTypeOf,
  HEAD_BYTES,
  isArchive,
  mediaTypes,
  TELLING_ENTRIES,
} from '../../api/contract/file-types.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { BinaryOutput } from '../../api/contract/operation.ts';
import { epochMsOf } from '../../common/instant.ts';
import { readArchive } from '../../files/archive.ts';
import {
  type Handlers,
  ok,
  type RequestContext,
  type Result,
  refuse,
  type UploadContext,
} from '../context.ts';
import { type AcceptedDocument, acceptDocument } from '../documents/intake.ts';
import { loadPicture } from '../documents/pages.ts';
import {
  findFile,
  findPage,
  findSealedDocument,
  insertFile,
  type StoredPage,
} from '../store/documents/files.ts';
import { undrawableOf } from '../store/documents/pictures.ts';
import { isSameSecret } from '../store/keys.ts';
import type { Db } from '../store/schema.ts';

export const fileHandlers: Handlers<'file'> = {
  /** spec §4 Upload file. A file waits for its turn on disk; the bytes are durable before the row that names them. */
  'file.upload': async (context, { form }) => {
    const { upload, store, newId, newToken } = context;
    try {
      const name = form.name ?? upload.name;
      const prepared = await prepare(context, name);
      if (!prepared.ok) return prepared;
      await upload.spooled.storeBlob();
      const { pdf, media_type, pages, isPlain, remarks } = prepared.output;
      const original_sha256 = upload.spooled.sha256;
      const pdf_sha256 = pdf ? await store.blobs.put(pdf) : original_sha256;
      return await context.commit(
        async (db) => {
          const token = newToken();
          const id = newId();
          const file = {
            id,
            company_id: context.user.company_id,
            original_name: name,
            media_type,
            size_bytes: upload.spooled.sizeBytes,
            original_sha256,
            pdf_sha256,
            pages: JSON.stringify(pages),
            created_at: context.now,
            linked_at: null,
            is_plain: isPlain ? 1 : 0,
            remarks: JSON.stringify(remarks),
          };
          await insertFile(db, file, token);
          const allRemarks = [...remarks, ...(await undrawableRemarks(db, pdf_sha256))].map(remarkOf);
          return ok({
            token,
            presigned_url: presignedUrl(context, id),
            ...(allRemarks.length > 0 && { remarks: allRemarks }),
          });
        },
        undefined,
        'locked',
      );
    } finally {
      await upload.spooled.discard();
    }
  },

  'file.content': (context, { params }) => loadContent(context, params.fileId, context.user.company_id),

  'file.presigned': async (context, { params, query }) => {
    const isSigned = isSameSecret(query.signature, signatureOf(context, params.fileId, query.expires));
    if (!isSigned || query.expires < epochMsOf(context.now)) return refuse('link_invalid');
    return loadContent(context, params.fileId, undefined);
  },
};

type Prepared = Pick<AcceptedDocument, 'pages' | 'pdf' | 'isPlain' | 'remarks'> & { media_type: string };

/** Recognises the file by its bytes alone (assumed: A27). */
async function prepare(context: UploadContext, name: string): Promise<Result<Prepared>> {
  const { spooled } = context.upload;
  if (spooled.sizeBytes === 0) return refuse('file_empty', { name });
  const head = await spooled.head(HEAD_BYTES);
  const archive = isArchive(head) ? await readArchive(spooled, TELLING_ENTRIES) : undefined;
  const recognized = documentTypeOf(head, archive);
  if (recognized.type === undefined) {
    const { refused } = recognized;
    return refuse('file_type_not_accepted', {
      name,
      ...(refused && { found: refused.name, hint: refused.hint }),
    });
  }
  const { type } = recognized;
  const accepted = await acceptDocument(spooled, type, {
    engine: context.documents,
    limits: { maxPages: LIMITS.pagesPerDocument },
    owner: context.user.company_id,
  });
  if (accepted.ok) return ok({ ...accepted, media_type: mediaTypes[type] });
  return refuse(accepted.code, { name, ...accepted.detail });
}

/** Finds the pages that could not be drawn when the same content was uploaded before. */
async function undrawableRemarks(db: Db, pdf_sha256: string): Promise<RemarkFacts[]> {
  const pages = await undrawableOf(db, pdf_sha256);
  return pages.map(({ page, exceeded }) => ({
    code: 'page_not_drawable',
    page,
    what: exceeded ?? 'time',
  }));
}

/** @param company_id whose files may be read; undefined where the address itself is the permission */
async function loadContent(
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

/** Makes an address that needs no token: it is signed with the store's key, and valid for an hour (assumed: A28). */
export function presignedUrl(context: RequestContext, fileId: string): string {
  const expires = epochMsOf(context.now) + LIMITS.presignedUrlLifetimeMs;
  return `${context.origin}/files/${fileId}?expires=${expires}&signature=${signatureOf(context, fileId, expires)}`;
}

const signatureOf = ({ store }: RequestContext, fileId: string, expires: number): string =>
  store.keys.derive(`file ${fileId} until ${expires}`);
