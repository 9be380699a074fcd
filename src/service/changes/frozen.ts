// Makes sure that documents still have the bytes that the transaction was started with, before a signature or a completion.
// Files are read outside the commit, because that is slow, and the documents of a started transaction never change.
import type { RequestContext } from '../context.ts';
import type { Transaction } from '../domain/transaction.ts';
import { filesWith } from '../store/files.ts';
import type { Db } from '../store/schema.ts';

/**
 * Throws DamagedStoreError for the first document whose bytes are missing or others.
 * @param find the transaction that a recipient is about to sign
 * @returns the ids of the documents that were looked at
 */
export async function checkBytes(
  { read, store }: Pick<RequestContext, 'read' | 'store'>,
  find: (db: Db) => Promise<Transaction | undefined>,
): Promise<ReadonlySet<string>> {
  const looked = new Set<string>();
  const files = await read(async (db) => {
    const transaction = await find(db);
    const documents = transaction?.content.documents ?? [];
    for (const { id } of documents) looked.add(id);
    const ids = documents.map(({ file }) => file.id);
    return ids.length > 0 ? filesWith(db, ids) : [];
  });
  for (const { pdf_sha256, original_name } of files)
    await store.blobs.check(pdf_sha256, `"${original_name}"`);
  return looked;
}
