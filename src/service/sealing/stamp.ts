// Writes the values of a transaction into its documents, with the engine, and refuses a document that would not show what its signers saw
// (decision 0056). Before anybody signs, a document that may change is stamped with empty values, to refuse it at the start already.
import type { Instant } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { CertifyAnswer, CompareStampedAnswer, StampAnswer } from '../../pdf/engine/engine.ts';
import type { NotSealable, StampPlan } from '../../pdf/write/plan.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Document, Field, Transaction } from '../domain/transaction.ts';
import { stampedField } from '../rendering/stamped-field.ts';
import { type FileRow, filesWith, loadSource } from '../store/documents/files.ts';
import { isCompared, type StampedPlaces, storeComparison } from '../store/documents/pictures.ts';
import type { Db } from '../store/schema.ts';

// --- At the last signature ---

type Stamped = Extract<StampAnswer, { ok: true }> & { isCompared: boolean };

export async function stampValues(
  context: RequestContext,
  { company_id: owner, content }: Transaction,
  document: Document,
  { pdf_sha256 }: FileRow,
): Promise<Result<Stamped>> {
  const name = document.file.original_name;
  const source = await loadSource(context, { pdf_sha256, name });
  const plan: StampPlan = {
    fields: fieldsOf(document, content.fields).flatMap(filledField),
    ...(document.remarks.some(({ code }) => code === 'already_signed') && { keepOriginal: { name } }),
  };
  const compared = await context.documents.stamp(source, { ...plan, isCompared: true }, owner);
  // A signature is not lost because pictures of it take too long: the certificate says that they were not compared.
  const isTooMuch = !compared.ok && compared.reason === 'too_complex';
  const stamped = isTooMuch ? await context.documents.stamp(source, plan, owner) : compared;
  if (!stamped.ok) return notStamped(stamped, name);
  if (stamped.differingPage !== undefined) return notAsShown(name, stamped.differingPage);
  return ok({ ...stamped, isCompared: !isTooMuch });
}

const fieldsOf = ({ id }: Document, fields: readonly Field[]): Field[] =>
  fields.filter(({ document_id }) => document_id === id);

function filledField(field: Field): StampPlan['fields'] {
  const { value, adoption } = field;
  if (value === null || value === '') return [];
  return [stampedField(field, value, adoption?.kind === 'typed' ? adoption.face : undefined)];
}

const notAsShown = (name: string, page: number) => refuse('document_not_as_shown', { name, page: page + 1 });

// --- Before the start ---

/** The document may change when it is sealed, and has these fields now. */
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
    const fields = fieldsOf(document, content.fields);
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
    if (compared.differingPage !== undefined) return notAsShown(name, compared.differingPage);
  } else if (compared.reason !== 'too_complex') return notStamped(compared, name);
  const exceeded = compared.ok ? null : compared.limit;
  await database.write((db) => storeComparison(db, places, exceeded, context.now), undefined, 'locked');
  return ok(undefined);
}

// --- Refusals ---

type NotStamped = Extract<StampAnswer | CompareStampedAnswer | CertifyAnswer, { ok: false }>;

export const notStamped = (answer: NotStamped, name: string) => {
  if (answer.reason === 'busy') return refuse('documents_busy');
  if (answer.reason === 'too_complex') return refuse('document_too_complex', { name, limit: answer.limit });
  return refuse('document_not_sealable', { name, why: WHY_NOT[answer.why](answer) });
};

const WHY_NOT: Record<NotSealable['why'], (answer: NotSealable) => string> = {
  characters: ({ label, characters }) =>
    `no available font contains the characters ${characters} of "${label}"`,
  picture: ({ label }) => `the image in "${label}" cannot be read`,
  page: ({ label }) => `the page of "${label}" is missing`,
  unreadable: () => 'it cannot be rewritten without losing content',
};
