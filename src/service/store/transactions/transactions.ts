// Loads whole transactions and templates from their rows. Company isolation is here: another company's id finds nothing
// (assumed: A25).
import type { FieldType } from '../../../api/contract/fields.ts';
import type { Role } from '../../../api/contract/recipients.ts';
import type { Instant } from '../../../common/instant.ts';
import type { Ids } from '../../domain/ids.ts';
import type {
  Content,
  Document,
  DocumentPage,
  DocumentPreparation,
  Field,
  Recipient,
  Remark,
  SealedDocument,
  Status,
  Transaction,
} from '../../domain/transaction.ts';
import { type Undrawable, undrawablePages, undrawablePagesOfMany } from '../documents/pictures.ts';
import { hashSecret, type Keys } from '../keys.ts';
import { chunks, rowsIn, rowsWhere, rowsWhereLater } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';

export async function loadTransaction(
  db: Db,
  keys: Keys,
  where: { id: string; company_id?: string },
): Promise<Transaction | undefined> {
  const [row] = await rowsWhere(db, 'transaction', 'id', where.id, 'id');
  if (!row || (where.company_id !== undefined && row.company_id !== where.company_id)) return undefined;
  const content = await loadContent(db, keys, row.template_id);
  if (!content) throw withoutContent(row.id);
  const sealed = row.status === 'completed' ? await readSealedDocuments(db, row.id) : [];
  return transactionOf(row, content, sealed);
}

/** Loads the transaction whose current recipient has this signing token. */
export async function loadByToken(
  db: Db,
  keys: Keys,
  token: string,
): Promise<{ transaction: Transaction; recipientId: string } | undefined> {
  const holder = await db
    .selectFrom('recipient')
    .innerJoin('transaction', 'transaction.template_id', 'recipient.template_id')
    .select(['recipient.id as recipient_id', 'transaction.id as id'])
    .where('recipient.token_hash', '=', hashSecret(token))
    .executeTakeFirst();
  if (!holder) return undefined;
  const transaction = await loadTransaction(db, keys, { id: holder.id });
  return transaction && { transaction, recipientId: holder.recipient_id };
}

export async function loadTemplate(
  db: Db,
  keys: Keys,
  where: { id: string; company_id: string },
): Promise<Content | undefined> {
  const row = await db
    .selectFrom('template')
    .select('id')
    .where('id', '=', where.id)
    .where('company_id', '=', where.company_id)
    .where('reusable', '=', 1)
    .executeTakeFirst();
  return row && loadContent(db, keys, row.id);
}

/** Loads those of the transactions that exist, in seven queries, for work on many at once. */
export async function loadTransactions(db: Db, keys: Keys, ids: readonly string[]): Promise<Transaction[]> {
  const rows = await rowsIn(db, 'transaction', 'id', ids, 'id');
  const templateIds = rows.map((row) => row.template_id);
  const templates = await rowsIn(db, 'template', 'id', templateIds, 'id');
  const completed = rows.filter(({ status }) => status === 'completed').map(({ id }) => id);
  const undrawable = await undrawablePagesOfMany(db, templateIds);
  const rowsByTemplate = {
    documents: groups(await rowsIn(db, 'document', 'template_id', templateIds, 'index'), 'template_id'),
    pages: groups(await rowsIn(db, 'page', 'template_id', templateIds, 'index'), 'template_id'),
    recipients: groups(await rowsIn(db, 'recipient', 'template_id', templateIds, 'index'), 'template_id'),
    fields: groups(await rowsIn(db, 'field', 'template_id', templateIds, 'ordinal'), 'template_id'),
    sealed: groups(
      await rowsIn(db, 'sealed_document', 'transaction_id', completed, 'index'),
      'transaction_id',
    ),
  };
  return rows.map((row) => {
    const template = templates.find(({ id }) => id === row.template_id);
    if (!template) throw withoutContent(row.id);
    const { id } = template;
    const content = contentOf(keys, {
      template,
      documents: rowsByTemplate.documents.get(id) ?? [],
      undrawable,
      pages: rowsByTemplate.pages.get(id) ?? [],
      recipients: rowsByTemplate.recipients.get(id) ?? [],
      fields: rowsByTemplate.fields.get(id) ?? [],
    });
    const sealed = rowsByTemplate.sealed.get(row.id) ?? [];
    return transactionOf(row, content, sealed.map(sealedOf));
  });
}

function groups<C extends string, R extends Record<C, string>>(rows: readonly R[], by: C): Map<string, R[]> {
  const byKey = new Map<string, R[]>();
  for (const row of rows) {
    const group = byKey.get(row[by]);
    if (group) group.push(row);
    else byKey.set(row[by], [row]);
  }
  return byKey;
}

export const readSealedDocuments = async (db: Db, transaction_id: string): Promise<SealedDocument[]> =>
  (await rowsWhere(db, 'sealed_document', 'transaction_id', transaction_id, 'index')).map(sealedOf);

const sealedOf = ({
  index,
  company_id,
  transaction_id,
  ...rest
}: Tables['sealed_document']): SealedDocument => rest;

const transactionOf = (
  { template_id, status, ...rest }: Tables['transaction'],
  content: Content,
  sealed_documents: SealedDocument[],
): Transaction => ({
  ...rest,
  status: status as Status,
  content,
  sealed_documents,
});

const withoutContent = (id: string): Error => new Error(`Transaction ${id} has no content.`);

async function loadContent(db: Db, keys: Keys, id: string): Promise<Content | undefined> {
  const ofTemplate = <T extends 'document' | 'page' | 'recipient' | 'field'>(
    table: T,
    order: keyof Tables[T] & string,
  ) => rowsWhereLater(db, table, 'template_id' as keyof Tables[T] & string, id, order);
  const templates = await rowsWhereLater(db, 'template', 'id', id, 'id');
  const documents = await ofTemplate('document', 'index');
  const pages = await ofTemplate('page', 'index');
  const recipients = await ofTemplate('recipient', 'index');
  const fields = await ofTemplate('field', 'ordinal');
  const [template] = await templates.rows;
  if (!template) return undefined;
  const hasDocuments = (await documents.rows).length > 0;
  return contentOf(keys, {
    template,
    documents: await documents.rows,
    undrawable: hasDocuments ? await undrawablePages(db, id) : [],
    pages: await pages.rows,
    recipients: await recipients.rows,
    fields: await fields.rows,
  });
}

type ContentRows = {
  template: Tables['template'];
  documents: Tables['document'][];
  undrawable: Undrawable[];
  pages: Tables['page'][];
  recipients: Tables['recipient'][];
  fields: Tables['field'][];
};

function contentOf(
  keys: Keys,
  { template, documents, undrawable, pages, recipients, fields }: ContentRows,
): Content {
  const { name_key, reusable, edit_navigation, ...rest } = template;
  return {
    ...rest,
    reusable: reusable === 1,
    edit_navigation: edit_navigation === 1,
    documents: documents.map((row) => documentOf(row, pages, undrawable)),
    recipients: recipients.map((row) => recipientOf(row, keys)),
    fields: fields.map(fieldOf),
  };
}

const documentOf = (
  row: Tables['document'],
  pages: Tables['page'][],
  undrawable: Undrawable[],
): Document => ({
  id: row.id,
  index: row.index,
  file: { id: row.file_id, original_name: row.original_name, stored_name: row.stored_name },
  pages: pages
    .filter((page) => page.document_id === row.id)
    .map(({ id, file_id, width, height }): DocumentPage => ({ id, file_id, width, height })),
  remarks: [
    ...(JSON.parse(row.remarks) as Remark[]),
    ...undrawable
      .filter(({ document_id }) => document_id === row.id)
      .map(({ page, exceeded }): Remark => ({ code: 'page_not_drawable', page, what: exceeded })),
  ],
  preparation: row.preparation === null ? null : (JSON.parse(row.preparation) as DocumentPreparation),
});

function recipientOf(row: Tables['recipient'], keys: Keys): Recipient {
  const { template_id, token_hash, token_sealed, role, is_current, ...rest } = row;
  return {
    ...rest,
    role: role as Role,
    is_current: is_current === 1,
    token: token_sealed === null ? null : keys.decrypt(token_sealed),
  };
}

/** These properties of a field are stored in one column, as JSON. */
export type FieldSettings = Pick<
  Field,
  | 'bold'
  | 'italic'
  | 'underline'
  | 'font_family'
  | 'font_size'
  | 'font_color'
  | 'helper_text'
  | 'max_length'
  | 'min_length'
  | 'max_value'
  | 'min_value'
  | 'regex'
  | 'options'
  | 'adoption'
  | 'known_value'
  | 'is_readonly'
  | 'date_format'
  | 'date_language'
>;

function fieldOf(row: Tables['field']): Field {
  const { template_id, ordinal, settings, type, is_required, x, y, ...rest } = row;
  return {
    ...rest,
    positionX: x,
    positionY: y,
    type: type as FieldType,
    is_required: is_required === 1,
    ...(JSON.parse(settings) as FieldSettings),
  };
}

/** @returns those of these ids that some transaction or template has, of whatever company: an id names one thing in a store */
export const findTakenIds = async (db: Db, { recipients, fields }: Ids): Promise<Ids> => ({
  recipients: await readTakenIds(db, 'recipient', recipients),
  fields: await readTakenIds(db, 'field', fields),
});

async function readTakenIds(db: Db, table: 'recipient' | 'field', ids: string[]): Promise<string[]> {
  const result: string[] = [];
  for (const chunk of chunks(ids)) {
    const rows = await db
      .selectFrom(table as 'field')
      .select('id')
      .where('id', 'in', chunk)
      .execute();
    result.push(...rows.map(({ id }) => id));
  }
  return result;
}

/**
 * Finds when the next transaction expires, after `now`.
 * @param isSentOnly only where an event about it would be sent
 */
export async function nextExpiry(
  db: Db,
  now: Instant,
  { isSentOnly }: { isSentOnly: boolean },
): Promise<Instant | undefined> {
  let due = db
    .selectFrom('transaction')
    .select((eb) => eb.fn.min('expires_at').as('at'))
    .where('status', '=', 'started')
    .where('expires_at', '>', now);
  if (isSentOnly)
    due = due.where((eb) =>
      eb.or([
        eb('notification_endpoint', 'is not', null),
        eb.exists(eb.selectFrom('webhook').select('id').where('enabled', '=', 1)),
      ]),
    );
  return (await due.executeTakeFirst())?.at ?? undefined;
}

export async function hasTransactions(db: Db): Promise<boolean> {
  return (await db.selectFrom('transaction').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function findDueTransactions(db: Db, now: Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('transaction')
    .select('id')
    .where('status', '=', 'started')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}
