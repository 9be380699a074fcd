import {
  documentTypeOf,
  HEAD_BYTES,
  isArchive,
  mediaTypes,
  TELLING_ENTRIES,
} from '../../../api/contract/file-types.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { type RemarkFacts, remarkOf } from '../../../api/contract/remarks.ts';
import { readArchive } from '../../../files/archive.ts';
import { type Handler, ok, type Result, refuse, type UploadContext } from '../../context.ts';
import { type AcceptedDocument, acceptDocument } from '../../documents/intake.ts';
import { insertFile } from '../../store/files.ts';
import { undrawableOf } from '../../store/pictures.ts';
import type { Db } from '../../store/schema.ts';
import { presignedUrl } from './presigned.ts';

type Prepared = Pick<AcceptedDocument, 'pages' | 'pdf' | 'isPlain' | 'remarks'> & { media_type: string };

/** spec §4 Upload file. What waits for its turn waits on disk; the bytes are durable before the row that names them. */
export const uploadFile: Handler<'file.upload'> = async (context, { form }) => {
  const { upload, store, facts } = context;
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
        const token = facts.newToken();
        const id = facts.newId();
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
        const said = [...remarks, ...(await undrawableRemarks(db, pdf_sha256))].map(remarkOf);
        return ok({
          token,
          presigned_url: presignedUrl(context, id),
          ...(said.length > 0 && { remarks: said }),
        });
      },
      undefined,
      'locked',
    );
  } finally {
    await upload.spooled.discard();
  }
};

/** Recognises the file by its bytes alone (assumed: A27). */
async function prepare(context: UploadContext, name: string): Promise<Result<Prepared>> {
  const { spooled } = context.upload;
  if (spooled.sizeBytes === 0) return refuse('file_empty', { name });
  const head = await spooled.head(HEAD_BYTES);
  const archive = isArchive(head) ? await readArchive(spooled, TELLING_ENTRIES) : undefined;
  const told = documentTypeOf(head, archive);
  if (told.type === undefined) {
    const { refused } = told;
    return refuse('file_type_not_accepted', {
      name,
      ...(refused && { found: refused.name, hint: refused.hint }),
    });
  }
  const { type } = told;
  const taken = await acceptDocument(spooled, type, {
    engine: context.documents,
    limits: { maxPages: LIMITS.pagesPerDocument },
    owner: context.user.company_id,
  });
  if (taken.ok) return ok({ ...taken, media_type: mediaTypes[type] });
  return refuse(taken.code, { name, ...taken.detail });
}

/** Remarks of a file whose content was drawn before. */
async function undrawableRemarks(db: Db, pdf_sha256: string): Promise<RemarkFacts[]> {
  const pages = await undrawableOf(db, pdf_sha256);
  return pages.map(({ page, exceeded }) => ({
    code: 'page_not_drawable',
    page,
    what: exceeded ?? 'time',
  }));
}
