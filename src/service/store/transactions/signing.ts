// Stores what recipients do on their signing pages: their links, what they have filled in so far, and the record of who did
// what. Permissions are decided elsewhere.
import { epochMsOf, type Instant } from '../../../common/instant.ts';
import { sha256Of } from '../../../common/sha256.ts';
import { type Draft, EMPTY_DRAFT } from '../../domain/draft.ts';
import { hashSecret, type Keys } from '../keys.ts';
import { insertRow, rowsWhere } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';

// ── links ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Stores a link. It stays known after it is no longer good for signing: it tells how things stand. */
export const insertLink = (db: Db, recipient_id: string, token: string, now: Instant): Promise<void> =>
  insertRow(db, 'signing_link', { token_hash: hashSecret(token), recipient_id, created_at: now });

/** Finds whose link this token is or was, and in which transaction. */
export const findLink = (
  db: Db,
  token: string,
): Promise<{ recipient_id: string; transaction_id: string } | undefined> =>
  db
    .selectFrom('signing_link')
    .innerJoin('recipient', 'recipient.id', 'signing_link.recipient_id')
    .innerJoin('transaction', 'transaction.template_id', 'recipient.template_id')
    .select(['recipient.id as recipient_id', 'transaction.id as transaction_id'])
    .where('signing_link.token_hash', '=', hashSecret(token))
    .executeTakeFirst();

/** @returns whether a recipient with this id, in a started transaction, has not been asked yet */
export async function isWaitingToBeAsked(db: Db, recipient_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('recipient')
    .innerJoin('transaction', 'transaction.template_id', 'recipient.template_id')
    .select('recipient.id')
    .where('recipient.id', '=', recipient_id)
    .where('transaction.status', '=', 'started')
    .where('recipient.is_current', '=', 0)
    .where('recipient.submitted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markOpened(db: Db, recipient_id: string, now: Instant): Promise<void> {
  await db
    .updateTable('recipient')
    .set({ opened_at: now })
    .where('id', '=', recipient_id)
    .where('opened_at', 'is', null)
    .execute();
}

// ── what was filled in so far ───────────────────────────────────────────────────────────────────────────────────────

export type Signing = Omit<Tables['signing'], 'values_sealed'> & { draft: Draft };

export async function findSigning(db: Db, keys: Keys, recipient_id: string, now: Instant): Promise<Signing> {
  const [row] = await rowsWhere(db, 'signing', 'recipient_id', recipient_id, 'recipient_id');
  if (!row)
    return {
      recipient_id,
      consented_at: null,
      consent_hash: null,
      consent_version: null,
      language: null,
      time_zone: null,
      updated_at: now,
      draft: EMPTY_DRAFT,
    };
  const { values_sealed, ...rest } = row;
  const draft = values_sealed === null ? EMPTY_DRAFT : (JSON.parse(keys.decrypt(values_sealed)) as Draft);
  return { ...rest, draft };
}

export async function saveSigning(
  db: Db,
  keys: Keys,
  { draft, ...rest }: Signing,
  now: Instant,
): Promise<void> {
  const isEmpty = Object.keys(draft.values).length === 0 && !draft.signature && !draft.initials;
  const values_sealed = isEmpty ? null : keys.encrypt(JSON.stringify(draft));
  const row = { ...rest, values_sealed, updated_at: now };
  const { recipient_id: _, ...changed } = row;
  await db
    .insertInto('signing')
    .values(row)
    .onConflict((conflict) => conflict.column('recipient_id').doUpdateSet(changed))
    .execute();
}

// ── who did what ────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * `page_delivered` means that its picture was sent to a browser, and `page_in_view` that the script of the pages reported
 * it on the screen.
 */
export type AuditType =
  | 'opened'
  | 'consented'
  | 'page_delivered'
  | 'page_in_view'
  | 'filled'
  | 'signed'
  | 'rejected';

/** An entry "signed" has this detail when the recipient confirmed that the pages do not show all text. */
export const UNSHOWN_TEXT = 'unshown_text';

export type AuditEntry = {
  id: string;
  company_id: string;
  transaction_id: string;
  recipient_id: string;
  type: AuditType;
  subject: string;
  created: Instant;
  /** They say from where it was done, and what belongs to it. */
  details: Record<string, string | null>;
};

/** Writes entries. The same thing is written once for each recipient; an entry that is there already stays. */
export async function insertAudit(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  for (const { details, ...entry } of entries)
    await db
      .insertInto('audit')
      .values({ ...entry, details: JSON.stringify(details) })
      .onConflict((conflict) => conflict.columns(['recipient_id', 'type', 'subject']).doNothing())
      .execute();
}

/** Entries about pages say in this detail when it happened last; `created` says when it happened first. */
export const LAST_AT = 'last_at';

/** A page that is loaded again within so many milliseconds is not recorded again. */
const RELOAD_MS = 60_000;

/** Writes entries of things that may happen again: the first time is written once, the last time only moves forward. */
export async function insertRepeatable(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  for (const entry of entries) {
    const { recipient_id, type, subject, created } = entry;
    const stored = await db
      .selectFrom('audit')
      .select(['id', 'details'])
      .where('recipient_id', '=', recipient_id)
      .where('type', '=', type)
      .where('subject', '=', subject)
      .executeTakeFirst();
    if (!stored) {
      await insertAudit(db, [{ ...entry, details: { ...entry.details, [LAST_AT]: created } }]);
      continue;
    }
    const details = JSON.parse(stored.details) as AuditEntry['details'];
    const sinceMs = epochMsOf(created) - epochMsOf((details[LAST_AT] ?? created) as Instant);
    if (sinceMs <= (type === 'page_delivered' ? RELOAD_MS : 0)) continue;
    await db
      .updateTable('audit')
      .set({ details: JSON.stringify({ ...details, [LAST_AT]: created }) })
      .where('id', '=', stored.id)
      .execute();
  }
}

/** Lists the ids of pages whose pictures were sent to a recipient. */
export async function readDeliveredPages(db: Db, recipient_id: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('audit')
    .select('subject')
    .where('recipient_id', '=', recipient_id)
    .where('type', '=', 'page_delivered')
    .execute();
  return new Set(
    rows.flatMap(({ subject }) => {
      const [page = '', form] = subject.split(' ');
      return form === 'text' ? [] : [page];
    }),
  );
}

export async function isAudited(
  db: Db,
  { recipient_id, type, subject }: Pick<AuditEntry, 'recipient_id' | 'type' | 'subject'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .where('recipient_id', '=', recipient_id)
    .where('type', '=', type)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes a text that changes when an entry of the transaction is written. The last time of a page that is looked at again is
 * no reason to seal anew.
 */
export async function auditFingerprint(db: Db, transaction_id: string): Promise<string> {
  const rows = await db
    .selectFrom('audit')
    .select('id')
    .where('transaction_id', '=', transaction_id)
    .orderBy('seq')
    .execute();
  return sha256Of(JSON.stringify(rows.map(({ id }) => id)));
}

/** Lists everything that was done on the signing pages of a transaction, in order. */
export async function listAudit(db: Db, transaction_id: string): Promise<AuditEntry[]> {
  const rows = await rowsWhere(db, 'audit', 'transaction_id', transaction_id, 'seq');
  return rows.map(({ seq, type, details, ...row }) => ({
    ...row,
    type: type as AuditType,
    details: JSON.parse(details) as AuditEntry['details'],
  }));
}
