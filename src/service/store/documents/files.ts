// Stores uploaded files and the pictures of pages as rows; their bytes are blobs.
import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs, type Instant } from '../../../common/instant.ts';
import type { Source } from '../../../pdf/engine/engine.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { hashSecret } from '../keys.ts';
import type { Db, Tables } from '../schema.ts';

export type FileRow = Omit<Tables['file'], 'token_hash'>;

export async function insertFile(db: Db, file: FileRow, token: string): Promise<void> {
  await db
    .insertInto('file')
    .values({ ...file, token_hash: hashSecret(token) })
    .execute();
}

/**
 * Finds an upload by its token, which belongs to one company and lives 24 h while the file is not linked (assumed: A29).
 */
export async function findUploaded(
  db: Db,
  token: string,
  company_id: string,
  now: Instant,
): Promise<FileRow | undefined> {
  const file = await db
    .selectFrom('file')
    .selectAll()
    .where('token_hash', '=', hashSecret(token))
    .where('company_id', '=', company_id)
    .executeTakeFirst();
  if (!file) return undefined;
  const isStale = file.linked_at === null && addMs(file.created_at, LIMITS.fileTokenLifetimeMs) <= now;
  return isStale ? undefined : file;
}

/** @returns false where the file is gone: it was swept in this moment */
export async function markLinked(db: Db, id: string, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('file')
    .set(({ fn, ref, val }) => ({ linked_at: fn.coalesce(ref('linked_at'), val(now)) }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const findFile = (db: Db, id: string): Promise<FileRow | undefined> =>
  db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst();

/** Reads these files, of which there is one at least; a file that several documents have comes once. */
export const filesWith = (db: Db, ids: readonly string[]): Promise<FileRow[]> =>
  db
    .selectFrom('file')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute();

export type StoredPage = {
  id: string;
  index: number;
  template_id: string;
  company_id: string;
  pdf_sha256: string;
  original_name: string;
};

/** Finds a page by its own id or by that of its picture, with the document it belongs to. */
export const findPage = (db: Db, by: { id: string } | { file_id: string }): Promise<StoredPage | undefined> =>
  db
    .selectFrom('page')
    .innerJoin('document', 'document.id', 'page.document_id')
    .innerJoin('file', 'file.id', 'document.file_id')
    .select(['page.id', 'page.index', 'page.template_id', 'document.original_name'])
    .select(['file.pdf_sha256', 'file.company_id'])
    .where('id' in by ? 'page.id' : 'page.file_id', '=', 'id' in by ? by.id : by.file_id)
    .executeTakeFirst();

export const findSealedDocument = (db: Db, id: string): Promise<Tables['sealed_document'] | undefined> =>
  db.selectFrom('sealed_document').selectAll().where('id', '=', id).executeTakeFirst();

/** @param name of the document, for messages */
export async function loadSource(
  { store: { blobs } }: { store: { blobs: Blobs } },
  { pdf_sha256, name }: { pdf_sha256: string; name: string },
): Promise<Source> {
  const named = `"${name}"`;
  return {
    sha256: pdf_sha256,
    path: await blobs.locate(pdf_sha256, named),
    bytes: () => blobs.get(pdf_sha256, named),
  };
}
