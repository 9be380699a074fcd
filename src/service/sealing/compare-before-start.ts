// Finds out before anybody signs whether a sealed document would show what its recipients see.
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Document, Field, Transaction } from '../domain/transaction.ts';
import { stampedField } from '../rendering/stamped-field.ts';
import { type FileRow, filesWith } from '../store/files.ts';
import type { Db } from '../store/schema.ts';
import { notStamped } from './not-stamped.ts';

/** A document that may change when it is sealed, with the fields that it has now. */
export type DocumentToCompare = { key: string; document: Document; file: FileRow; fields: readonly Field[] };

/** Finds the documents that are not plain. `key` is another one for other fields. */
export async function documentsToCompare(db: Db, { content }: Transaction): Promise<DocumentToCompare[]> {
  if (content.documents.length === 0) return [];
  const files = await filesWith(
    db,
    content.documents.map(({ file }) => file.id),
  );
  return content.documents.flatMap((document) => {
    const file = files.find(({ id }) => id === document.file.id);
    if (!file || file.is_plain === 1) return [];
    const fields = content.fields.filter(({ document_id }) => document_id === document.id);
    const places = fields.map(({ page, positionX, positionY, width, height }) => [
      ...[page, positionX, positionY, width, height],
    ]);
    return [{ key: JSON.stringify([file.pdf_sha256, places]), document, file, fields }];
  });
}

/** Stamps a document with empty values and compares its pages. One that takes too long for that is compared no sooner than it is sealed. */
export async function compareBeforeStart(
  context: RequestContext,
  { document, file, fields }: DocumentToCompare,
  owner: string,
): Promise<Result<undefined>> {
  const { original_name: name } = document.file;
  const { blobs } = context.store;
  const source = {
    sha256: file.pdf_sha256,
    path: await blobs.locate(file.pdf_sha256, `"${name}"`),
    bytes: () => blobs.get(file.pdf_sha256, `"${name}"`),
  };
  const plan = { fields: fields.map((field) => ({ ...stampedField(field, '', undefined), value: '' })) };
  const compared = await context.documents.compareStamped(source, plan, owner);
  if (compared.ok) {
    const { differingPage: page } = compared;
    return page === undefined ? ok(undefined) : refuse('document_not_as_shown', { name, page: page + 1 });
  }
  return compared.reason === 'too_complex' ? ok(undefined) : notStamped(compared, name);
}
