// Finds out before anybody signs whether a sealed document would show what its recipients see.
import { createHash } from 'node:crypto';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Document, Field, Transaction } from '../domain/transaction.ts';
import { stampedField } from '../rendering/stamped-field.ts';
import { type FileRow, filesWith } from '../store/files.ts';
import type { Db } from '../store/schema.ts';
import { type ComparedPlaces, isCompared, storeCompared } from '../store/stamped-comparisons.ts';
import { notStamped } from './not-stamped.ts';

/** A document that may change when it is sealed, with the fields that it has now. */
export type DocumentToCompare = ComparedPlaces & {
  document: Document;
  file: FileRow;
  fields: readonly Field[];
};

/** Finds the first document that is not plain and was not compared with its fields where they are now. */
export async function findDocumentToCompare(
  db: Db,
  { content }: Transaction,
): Promise<DocumentToCompare | undefined> {
  if (content.documents.length === 0) return undefined;
  const files = await filesWith(
    db,
    content.documents.map(({ file }) => file.id),
  );
  for (const document of content.documents) {
    const file = files.find(({ id }) => id === document.file.id);
    if (!file || file.is_plain === 1) continue;
    const fields = content.fields.filter(({ document_id }) => document_id === document.id);
    const places = { pdf_sha256: file.pdf_sha256, places_sha256: hashPlaces(fields) };
    if (!(await isCompared(db, places))) return { ...places, document, file, fields };
  }
  return undefined;
}

const hashPlaces = (fields: readonly Field[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        fields.map(({ page, positionX, positionY, width, height }) => [
          ...[page, positionX, positionY, width, height],
        ]),
      ),
    )
    .digest('hex');

/**
 * Stamps a document with empty values and compares its pages. That they show the same is stored, and so is that this takes too long: such
 * a document is compared no sooner than it is sealed. A difference is not stored, because a later version may stamp the document correctly.
 */
export async function compareBeforeStart(
  context: RequestContext,
  { document, file, fields, ...places }: DocumentToCompare,
  owner: string,
): Promise<Result<undefined>> {
  const { original_name: name } = document.file;
  const { blobs, database } = context.store;
  const source = {
    sha256: file.pdf_sha256,
    path: await blobs.locate(file.pdf_sha256, `"${name}"`),
    bytes: () => blobs.get(file.pdf_sha256, `"${name}"`),
  };
  const plan = { fields: fields.map((field) => ({ ...stampedField(field, '', undefined), value: '' })) };
  const compared = await context.documents.compareStamped(source, plan, owner);
  if (compared.ok) {
    const { differingPage: page } = compared;
    if (page !== undefined) return refuse('document_not_as_shown', { name, page: page + 1 });
  } else if (compared.reason !== 'too_complex') return notStamped(compared, name);
  await database.write((db) => storeCompared(db, places, context.now), undefined, 'locked');
  return ok(undefined);
}
