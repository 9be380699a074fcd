import { fileTypeOf, HEAD_BYTES, mediaTypes } from '../../../api/contract/file-types.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { type Handler, ok, type Result, refuse, type Upload } from '../../context.ts';
import type { Taken } from '../../documents/intake.ts';
import { takeDocument } from '../../documents/intake.ts';
import { insertFile } from '../../store/files.ts';
import { presignedUrl } from './presigned.ts';

type Prepared = { media_type: string; pages: Taken['pages']; pdf: Uint8Array | undefined };

/** spec §4 Upload file. The bytes are read one file at a time, and durable before the row that names them. */
export const uploadFile: Handler<'file.upload'> = async (context, { form }) => {
  const { upload, store, facts } = context;
  try {
    const name = form.name ?? upload.name;
    const prepared = await oneAtATime(() => prepare(upload, name));
    if (!prepared.ok) return prepared;
    await upload.spooled.keep();
    const { pdf, media_type, pages } = prepared.output;
    const original_sha256 = upload.spooled.sha256;
    const pdf_sha256 = pdf ? await store.blobs.put(pdf) : original_sha256;
    return await context.commit(async (db) => {
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
      };
      await insertFile(db, file, token);
      return ok({ token, presigned_url: presignedUrl(context, id) });
    });
  } finally {
    await upload.spooled.discard();
  }
};

/** What the file is, told by its bytes alone (assumed: A27). */
async function prepare({ spooled }: Upload, name: string): Promise<Result<Prepared>> {
  if (spooled.sizeBytes === 0) return refuse('file_empty', { name });
  const bytes = await spooled.bytes();
  const type = fileTypeOf(bytes.subarray(0, HEAD_BYTES));
  if (!type) return refuse('file_type_not_accepted', { name });
  const taken = await takeDocument(bytes, type, { maxPages: LIMITS.pagesPerDocument });
  if (taken.ok)
    return ok({
      media_type: mediaTypes[type],
      pages: taken.pages,
      pdf: taken.pdf === bytes ? undefined : taken.pdf,
    });
  if (taken.code === 'file_type_not_supported_yet')
    return refuse('file_type_not_accepted', { name, found: `a ${type.toUpperCase()}` });
  return refuse(taken.code, { name, ...taken.detail });
}

let last: Promise<unknown> = Promise.resolve();

/** However many uploads run, one file is in memory at a time. */
function oneAtATime<T>(task: () => Promise<T>): Promise<T> {
  const mine = last.then(task, task);
  last = mine.catch(() => undefined);
  return mine;
}
