// Finds out before anybody signs whether a sealed document would show what its recipients see.
import type { Instant } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Document, Field, Transaction } from '../domain/transaction.ts';
import { stampedField } from '../rendering/stamped-field.ts';
import { type FileRow, filesWith } from '../store/files.ts';
import { loadSource } from '../store/pdf-source.ts';
import type { Db } from '../store/schema.ts';
import { isCompared, type StampedPlaces, storeComparison } from '../store/stamped-comparisons.ts';
import { notStamped } from './not-stamped.ts';

/** A document that may change when it is sealed, with the fields that it has now. */
export type DocumentToCompare = StampedPlaces & {
  document: Document;
  file: FileRow;
  fields: readonly Field[];
};

/** Finds the first document that is not plain and was not compared with its fields where they are now. */
export async function findDocumentToCompare(
  db: Db,
  { content }: Transaction,
  now: Instant,
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
    if (!(await isCompared(db, places, now))) return { ...places, document, file, fields };
  }
  return undefined;
}

const hashPlaces = (fields: readonly Field[]): string => {
  const places = fields.map(({ page, positionX, positionY, width, height }) => [
    page,
    positionX,
    positionY,
    width,
    height,
  ]);
  return sha256Of(JSON.stringify(places));
};

/**
 * Stamps a document with empty values and compares its pages. The result is stored if they show the same, and for some minutes if a limit stood
 * against it: such a document is compared when it is sealed. A difference is not stored, because a later version may stamp the document correctly.
 */
export async function compareBeforeStart(
  context: RequestContext,
  { document, file, fields, ...places }: DocumentToCompare,
  owner: string,
): Promise<Result<undefined>> {
  const { original_name: name } = document.file;
  const { database } = context.store;
  const source = await loadSource(context, { pdf_sha256: file.pdf_sha256, name });
  const plan = { fields: fields.map((field) => ({ ...stampedField(field, '', undefined), value: '' })) };
  const compared = await context.documents.compareStamped(source, plan, owner);
  if (compared.ok) {
    const { differingPage: page } = compared;
    if (page !== undefined) return refuse('document_not_as_shown', { name, page: page + 1 });
  } else if (compared.reason !== 'too_complex') return notStamped(compared, name);
  const exceeded = compared.ok ? null : compared.limit;
  await database.write((db) => storeComparison(db, places, exceeded, context.now), undefined, 'locked');
  return ok(undefined);
}
