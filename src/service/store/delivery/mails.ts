// Stores mails as rows: written in the commit that causes them, never changed. The content is encrypted, because it contains
// signing addresses. Attachments are named, never copied.

import { MAIL_KINDS, type MailKind } from '../../../api/contract/events.ts';
import { isLanguage, type Language } from '../../../api/contract/languages.ts';
import type { Instant } from '../../../common/instant.ts';
import type { Keys } from '../keys.ts';
import { insertRow, rowsIn } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';
import type { EventOrigin } from './records.ts';

export type MailPerson = { name: string; email: string };

/** @typeParam L what stands in it, which the store keeps as JSON */
export type NewMail<L> = {
  recipient_id: string;
  kind: MailKind;
  language: Language;
  from: MailPerson;
  /** Without it, there is no Reply-To header, and replies go to the From address. */
  replyTo: MailPerson | undefined;
  to: MailPerson;
  subject: string;
  letter: L;
  /** Attachments are named by the ids of sealed documents. */
  attachments: string[];
};

export type StoredMail<L> = NewMail<L> & {
  id: string;
  company_id: string;
  transaction_id: string;
  created: Instant;
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
    letter_sealed: keys.encrypt(JSON.stringify(letter)),
    attachments: JSON.stringify(attachments),
  });
  return id;
}

export type MailQuery = {
  company_id?: string | undefined;
  transaction_id?: string | undefined;
  /** The address is compared without regard to case. */
  to?: string | undefined;
  /** Only mails that were written before the one with this id are listed. */
  before?: string | undefined;
  limit: number;
};

/** Lists mails, the newest first. */
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

/** @param company_id whose mail it has to be; without it, of any company */
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

/** @returns whether a company has written at least `most` mails between `since` and `furthest`; later ones are from before the clock was set back */
export async function hasReachedMailLimit(
  db: Db,
  {
    company_id,
    since,
    furthest,
    most,
  }: { company_id: string; since: Instant; furthest: Instant; most: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('mail')
    .select('created')
    .where('company_id', '=', company_id)
    .where('created', '<=', furthest)
    .orderBy('seq', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined && row.created > since;
}

/** The email did not arrive. The `reason` ends a sentence. */
export type UndeliveredMail = { kind: MailKind; reason: string; at: Instant };

/** Finds by recipient the last email, where that could not be delivered. */
export async function readUndeliveredMails(
  db: Db,
  transaction_id: string,
): Promise<ReadonlyMap<string, UndeliveredMail>> {
  const rows = await db
    .selectFrom('mail')
    .leftJoin('delivery', 'delivery.subject_id', 'mail.id')
    .select(['mail.recipient_id', 'mail.kind', 'mail.created'])
    .select(['delivery.state', 'delivery.reason', 'delivery.done_at'])
    .where('mail.transaction_id', '=', transaction_id)
    .orderBy('mail.seq')
    .execute();
  const last = new Map(rows.map((row) => [row.recipient_id, row]));
  return new Map(
    [...last]
      .filter(([, { state }]) => state === 'undelivered')
      .map(([id, { kind, reason, done_at, created }]) => [
        id,
        { kind: mailKindOf(kind), reason: reason ?? 'it failed', at: done_at ?? created },
      ]),
  );
}

const mailKindOf = (text: string): MailKind => MAIL_KINDS.find((kind) => kind === text) ?? 'invitation';

/** The mail asks a recipient to sign; the delivery says what became of it. */
export type AskingMail = {
  id: string;
  recipient_id: string;
  kind: MailKind;
  to: string;
  from: string;
  created: Instant;
  /** Without a mail server, the mail stays in the mailbox and has no delivery. */
  delivery:
    | {
        state: Tables['delivery']['state'];
        /** The reason why it was given up is the end of a sentence. */
        reason: string | null;
        done_at: Instant | null;
        /** Only the last attempt is shown. */
        attempt: Pick<Tables['attempt'], 'at' | 'status' | 'answer' | 'server'> | undefined;
      }
    | undefined;
};

/** Lists the invitations and reminders of a transaction, in the order in which they were written. */
export async function readAskingMails(db: Db, transaction_id: string): Promise<AskingMail[]> {
  const rows = await db
    .selectFrom('mail')
    .leftJoin('delivery', 'delivery.subject_id', 'mail.id')
    .select(['mail.id', 'mail.recipient_id', 'mail.kind', 'mail.to_email', 'mail.from_email', 'mail.created'])
    .select(['delivery.id as delivery_id', 'delivery.state', 'delivery.reason', 'delivery.done_at'])
    .where('mail.transaction_id', '=', transaction_id)
    .where('mail.kind', 'in', ['invitation', 'reminder'])
    .orderBy('mail.seq')
    .execute();
  const deliveries = rows.flatMap(({ delivery_id }) => delivery_id ?? []);
  const attempts = await rowsIn(db, 'attempt', 'delivery_id', deliveries, 'seq');
  const last = new Map(attempts.map((attempt) => [attempt.delivery_id, attempt]));
  return rows.map(({ id, recipient_id, kind, to_email, from_email, created, delivery_id, ...delivery }) => ({
    id,
    recipient_id,
    kind: mailKindOf(kind),
    to: to_email,
    from: from_email,
    created,
    delivery:
      delivery_id === null || delivery.state === null
        ? undefined
        : { ...delivery, state: delivery.state, attempt: last.get(delivery_id) },
  }));
}

export type MailDelivery = { state: Tables['delivery']['state']; reason: string | null };

/** Finds how mails stand with the mail server, by their ids. Mails that are never sent are missing. */
export async function deliveryStatesOf(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MailDelivery>> {
  const rows = await rowsIn(db, 'delivery', 'subject_id', ids, 'seq');
  return new Map(rows.map(({ subject_id, state, reason }) => [subject_id, { state, reason }]));
}

/** @returns when a recipient was last sent a mail of this kind; one that could not be delivered does not count */
export async function findLastMailed(
  db: Db,
  { transaction_id, recipient_id, kind }: Pick<Tables['mail'], 'transaction_id' | 'recipient_id' | 'kind'>,
): Promise<Instant | undefined> {
  const last = await db
    .selectFrom('mail')
    .leftJoin('delivery', 'delivery.subject_id', 'mail.id')
    .select('mail.created')
    .where('mail.transaction_id', '=', transaction_id)
    .where('mail.recipient_id', '=', recipient_id)
    .where('mail.kind', '=', kind)
    .where((eb) => eb.or([eb('delivery.state', 'is', null), eb('delivery.state', '!=', 'undelivered')]))
    .orderBy('mail.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.created;
}

export type MailAttachment = { id: string; name: string; sha256: string; size_bytes: number };

/** Finds the attached documents that still exist. */
export async function attachmentsOf(db: Db, ids: readonly string[]): Promise<MailAttachment[]> {
  const rows = await rowsIn(db, 'sealed_document', 'id', ids, 'index');
  return rows.map(({ id, name, sha256, size_bytes }) => ({ id, name, sha256, size_bytes }));
}

type Row = Omit<Tables['mail'], 'seq'>;

function storedMail<L>(row: Row, keys: Keys): StoredMail<L> {
  const { id, company_id, transaction_id, recipient_id, created, subject } = row;
  return {
    id,
    company_id,
    transaction_id,
    recipient_id,
    created,
    subject,
    kind: mailKindOf(row.kind),
    language: isLanguage(row.language) ? row.language : 'en',
    from: { name: row.from_name, email: row.from_email },
    replyTo: row.reply_email === '' ? undefined : { name: row.reply_name, email: row.reply_email },
    to: { name: row.to_name, email: row.to_email },
    letter: JSON.parse(keys.decrypt(row.letter_sealed)) as L,
    attachments: JSON.parse(row.attachments) as string[],
  };
}
