// Mails as rows: written in the commit of what they tell of, never changed. What stands in one is sealed, for it carries
// signing addresses. Attachments are named, never copied.
import type { Instant } from '../../api/contract/instant.ts';
import { isLanguage, type Language } from '../../api/contract/languages.ts';
import { MAIL_KINDS, type MailKind } from '../domain/notices.ts';
import type { Keys } from './keys.ts';
import type { EventOrigin } from './records.ts';
import { insertRow, rowsIn } from './rows.ts';
import type { Db, Tables } from './schema.ts';

export type MailPerson = { name: string; email: string };

/** @typeParam L what stands in it, which the store keeps as JSON */
export type NewMail<L> = {
  recipient_id: string;
  kind: MailKind;
  language: Language;
  from: MailPerson;
  /** Undefined where replies go to whom it comes from. */
  replyTo: MailPerson | undefined;
  to: MailPerson;
  subject: string;
  letter: L;
  /** Ids of sealed documents. */
  attachments: string[];
};

export type StoredMail<L> = Omit<NewMail<L>, 'letter'> & {
  id: string;
  company_id: string;
  transaction_id: string;
  created: Instant;
  /** Text where the mail was written before there were letters. */
  letter: L | string;
};

export async function insertMail<L extends object>(
  db: Db,
  keys: Keys,
  { from, replyTo, to, letter, attachments, ...mail }: NewMail<L>,
  { company_id, transaction_id, now, newId }: EventOrigin,
): Promise<string> {
  const id = newId();
  await insertRow(db, 'mail', {
    ...mail,
    id,
    company_id,
    transaction_id,
    created: now,
    from_name: from.name,
    from_email: from.email,
    reply_name: replyTo?.name ?? '',
    reply_email: replyTo?.email ?? '',
    to_name: to.name,
    to_email: to.email,
    letter_sealed: keys.seal(JSON.stringify(letter)),
    is_text: 0,
    attachments: JSON.stringify(attachments),
  });
  return id;
}

export type MailQuery = {
  company_id?: string | undefined;
  transaction_id?: string | undefined;
  /** An address, compared without regard to case. */
  to?: string | undefined;
  /** Id of a mail: those that were written before it. */
  before?: string | undefined;
  limit: number;
};

/** The newest first. */
export async function listMails<L>(
  db: Db,
  keys: Keys,
  { company_id, transaction_id, to, before, limit }: MailQuery,
): Promise<StoredMail<L>[]> {
  let rows = db.selectFrom('mail').selectAll().orderBy('seq', 'desc').limit(limit);
  if (company_id !== undefined) rows = rows.where('company_id', '=', company_id);
  if (transaction_id !== undefined) rows = rows.where('transaction_id', '=', transaction_id);
  if (to !== undefined) rows = rows.where((row) => row.fn('lower', ['to_email']), '=', to.toLowerCase());
  if (before !== undefined)
    rows = rows.where('seq', '<', (row) => row.selectFrom('mail').select('seq').where('id', '=', before));
  return (await rows.execute()).map((row) => storedMail<L>(row, keys));
}

/** @param company_id whose mail it has to be; left out, anybody's */
export async function findMail<L>(
  db: Db,
  keys: Keys,
  id: string,
  company_id?: string,
): Promise<StoredMail<L> | undefined> {
  const row = await db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirst();
  return row && (company_id === undefined || row.company_id === company_id)
    ? storedMail<L>(row, keys)
    : undefined;
}

/** When a recipient was last sent a mail of this kind. */
export async function lastMailed(
  db: Db,
  { transaction_id, recipient_id, kind }: Pick<Tables['mail'], 'transaction_id' | 'recipient_id' | 'kind'>,
): Promise<Instant | undefined> {
  const last = await db
    .selectFrom('mail')
    .select('created')
    .where('transaction_id', '=', transaction_id)
    .where('recipient_id', '=', recipient_id)
    .where('kind', '=', kind)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.created;
}

export type MailAttachment = { id: string; name: string; sha256: string; size_bytes: number };

/** What the mail names, as far as it is there. */
export async function attachmentsOf(db: Db, ids: readonly string[]): Promise<MailAttachment[]> {
  const rows = await rowsIn(db, 'sealed_document', 'id', ids, 'index');
  return rows.map(({ id, name, sha256, size_bytes }) => ({ id, name, sha256, size_bytes }));
}

type Row = Omit<Tables['mail'], 'seq'>;

function storedMail<L>(row: Row, keys: Keys): StoredMail<L> {
  const { id, company_id, transaction_id, recipient_id, created, subject } = row;
  const content = keys.unseal(row.letter_sealed);
  return {
    id,
    company_id,
    transaction_id,
    recipient_id,
    created,
    subject,
    kind: MAIL_KINDS.find((kind) => kind === row.kind) ?? 'invitation',
    language: isLanguage(row.language) ? row.language : 'en',
    from: { name: row.from_name, email: row.from_email },
    replyTo: row.reply_email === '' ? undefined : { name: row.reply_name, email: row.reply_email },
    to: { name: row.to_name, email: row.to_email },
    letter: row.is_text === 1 ? content : (JSON.parse(content) as L),
    attachments: JSON.parse(row.attachments) as string[],
  };
}
