// Saves transactions and templates into their rows, as far as they differ from what was loaded.
import type { Instant } from '../../../common/instant.ts';
import type { Content, Document, Field, Recipient, Transaction } from '../../domain/transaction.ts';
import { hashSecret, type Keys } from '../keys.ts';
import { chunks, insertRow, updateRow } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';
import { insertLink } from './signing.ts';
import type { FieldSettings } from './transactions.ts';

/** Writes what changed between `before` (as it was loaded; undefined for a new one) and `after`. */
export async function saveTransaction(
  db: Db,
  keys: Keys,
  before: Transaction | undefined,
  after: Transaction,
): Promise<void> {
  const { content, sealed_documents, ...rest } = after;
  const row: Tables['transaction'] = { ...rest, template_id: content.id };
  if (before) await updateRow(db, 'transaction', row);
  else await insertRow(db, 'transaction', row);
  const already = before?.sealed_documents.length ?? 0;
  for (const [index, sealed] of sealed_documents.entries())
    if (index >= already)
      await insertRow(db, 'sealed_document', {
        ...sealed,
        index,
        transaction_id: after.id,
        company_id: after.company_id,
      });
  await saveContent(db, keys, before?.content, content);
}

/** Records why sealing failed. It is shown to the sender while the transaction still waits for the last signature. */
export async function recordSealingFailure(db: Db, id: string, reason: string, now: Instant): Promise<void> {
  await db
    .updateTable('transaction')
    .set({ sealing_failed_at: now, sealing_failed_reason: reason })
    .where('id', '=', id)
    .where('status', '=', 'started')
    .execute();
}

export async function saveContent(
  db: Db,
  keys: Keys,
  before: Content | undefined,
  after: Content,
): Promise<void> {
  const row = templateRow(after);
  if (!before) await insertRow(db, 'template', row);
  else if (isChanged(templateRow(before), row)) await updateRow(db, 'template', row);
  const documentRows = (content: Content | undefined) =>
    content?.documents.map((document) => documentRow(document, after.id)) ?? [];
  const pagesOf = (content: Content | undefined) =>
    content?.documents.flatMap((document) => pageRows(document, after.id)) ?? [];
  const fieldRows = (content: Content | undefined) =>
    content?.fields.map((field, ordinal) => fieldRow(field, ordinal, after.id)) ?? [];
  // A list that no decision has touched is the same object as before.
  if (before?.documents !== after.documents) {
    await saveRows(db, 'document', documentRows(before), documentRows(after));
    await saveRows(db, 'page', pagesOf(before), pagesOf(after));
  }
  if (before?.fields !== after.fields) await saveRows(db, 'field', fieldRows(before), fieldRows(after));
  await saveRecipients(db, keys, before?.recipients ?? [], after.recipients, after.id);
}

type Kept = 'document' | 'page' | 'field';

async function saveRows<T extends Kept>(
  db: Db,
  table: T,
  before: Tables[T][],
  after: Tables[T][],
): Promise<void> {
  const old = new Map(before.map((row) => [row.id, row]));
  const fresh = after.filter((row) => !old.has(row.id));
  const ids = new Set(after.map((row) => row.id));
  const gone = before.filter((row) => !ids.has(row.id)).map((row) => row.id);
  if (gone.length > 0) await deleteRows(db, table, gone);
  for (const chunk of chunks(fresh))
    await db
      .insertInto(table)
      .values(chunk as never)
      .execute();
  for (const row of after) {
    const stored = old.get(row.id);
    if (stored && isChanged(stored, row)) await updateRow(db, table, row as never);
  }
}

const deleteRows = async (db: Db, table: Kept | 'recipient', ids: string[]) => {
  for (const chunk of chunks(ids)) await db.deleteFrom(table).where('id', 'in', chunk).execute();
};

/** Saves recipients. A token is encrypted anew each time it is written, so only changed recipients are. */
async function saveRecipients(
  db: Db,
  keys: Keys,
  before: Recipient[],
  after: Recipient[],
  templateId: string,
): Promise<void> {
  const old = new Map(before.map((recipient) => [recipient.id, recipient]));
  const gone = before.filter((recipient) => !after.some((item) => item.id === recipient.id));
  if (gone.length > 0)
    await deleteRows(
      db,
      'recipient',
      gone.map((recipient) => recipient.id),
    );
  const fresh = after.filter((recipient) => !old.has(recipient.id));
  for (const recipient of after)
    if (recipient.token !== null && old.get(recipient.id)?.token !== recipient.token)
      await insertLink(db, recipient.id, recipient.token, recipient.updated_at);
  for (const chunk of chunks(fresh))
    await db
      .insertInto('recipient')
      .values(chunk.map((recipient) => recipientRow(recipient, templateId, keys)))
      .execute();
  for (const recipient of after) {
    const stored = old.get(recipient.id);
    if (stored && isChanged(stored, recipient))
      await updateRow(db, 'recipient', recipientRow(recipient, templateId, keys));
  }
}

const isChanged = (a: object, b: object): boolean => JSON.stringify(a) !== JSON.stringify(b);

const bit = (value: boolean): number => (value ? 1 : 0);

/** Makes the text that a search by name compares (spec §4 List templates). */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

function templateRow(content: Content): Tables['template'] {
  const { documents, recipients, fields, reusable, edit_navigation, ...rest } = content;
  return {
    ...rest,
    name_key: nameKey(content.name),
    reusable: bit(reusable),
    edit_navigation: bit(edit_navigation),
  };
}

const documentRow = (
  { id, index, file, remarks, preparation }: Document,
  template_id: string,
): Tables['document'] => ({
  id,
  template_id,
  index,
  file_id: file.id,
  original_name: file.original_name,
  stored_name: file.stored_name,
  // The pictures of their content show which pages cannot be drawn.
  remarks: JSON.stringify(remarks.filter(({ code }) => code !== 'page_not_drawable')),
  preparation: preparation === null ? null : JSON.stringify(preparation),
});

const pageRows = (document: Document, template_id: string) =>
  document.pages.map(({ id, file_id, width, height }, index): Tables['page'] => ({
    id,
    document_id: document.id,
    template_id,
    index,
    file_id,
    width,
    height,
  }));

function fieldRow(field: Field, ordinal: number, template_id: string): Tables['field'] {
  const {
    id,
    document_id,
    recipient_id,
    page,
    width,
    height,
    positionX,
    positionY,
    type,
    label,
    is_required,
    value,
    ...settings
  } = field;
  return {
    id,
    template_id,
    document_id,
    recipient_id,
    ordinal,
    type,
    page,
    x: positionX,
    y: positionY,
    width,
    height,
    label,
    is_required: bit(is_required),
    settings: JSON.stringify(settings satisfies FieldSettings),
    value,
  };
}

function recipientRow(recipient: Recipient, template_id: string, keys: Keys): Tables['recipient'] {
  const { token, is_current, ...rest } = recipient;
  return {
    ...rest,
    template_id,
    is_current: bit(is_current),
    token_hash: token === null ? null : hashSecret(token),
    token_sealed: token === null ? null : keys.encrypt(token),
  };
}
