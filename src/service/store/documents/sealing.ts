// Stores what sealing needs: the certificates and private keys of the store's own authorities, encrypted with the key of the store, and which
// transactions could not be sealed. Only service/sealing knows their meaning.
import type { Instant } from '../../../common/instant.ts';
import type { Database } from '../../../database/database.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Keys } from '../keys.ts';
import type { Db, Tables } from '../schema.ts';

/** The row of the authority itself has this `id`. No company has it, because ids of companies are UUIDs. */
export const AUTHORITY = 'authority';

/** The row of the authority for servers on this machine has this `id`. */
export const LOOPBACK_AUTHORITY = 'loopback';

/** This row of `meta` has the day on which the authority came from a file of another sandbox. */
export const IMPORTED_AUTHORITY_KEY = 'authority_imported_at';

/** @returns a day, such as 2026-11-30; undefined for an authority that this store has made */
export const readImportedAt = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom('meta').select('value').where('key', '=', IMPORTED_AUTHORITY_KEY).executeTakeFirst())
    ?.value;

export type StoredAuthority = { content: string; created_at: Instant };

export async function findStoredAuthority(
  db: Db,
  keys: Keys,
  id: string,
): Promise<StoredAuthority | undefined> {
  const row = await db.selectFrom('authority').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { content: keys.decrypt(row.content_sealed), created_at: row.created_at };
}

/**
 * Stores a new value unless another process was first: of several processes that make one at the same moment, all get the same.
 * @param replaced what it is made in place of; anything newer stays
 * @returns what is stored now
 */
export async function storeOnce(
  db: Db,
  keys: Keys,
  authority: { id: string; content: string; created_at: Instant },
  replaced?: StoredAuthority,
): Promise<StoredAuthority> {
  const { id, content, created_at } = authority;
  const row = { content_sealed: keys.encrypt(content), created_at };
  await db
    .insertInto('authority')
    .values({ id, ...row })
    .onConflict((conflict) => {
      const same = conflict.column('id');
      if (!replaced) return same.doNothing();
      return same.doUpdateSet(row).where('authority.created_at', '=', replaced.created_at);
    })
    .execute();
  return (await findStoredAuthority(db, keys, id))!;
}

/**
 * Removes the certificates of companies. The authorities stay, because users may have made programs trust their roots.
 */
export const forgetCompanies = (db: Db) =>
  db.deleteFrom('authority').where('id', 'not in', [AUTHORITY, LOOPBACK_AUTHORITY]).execute();

/**
 * Removes sealed documents that their transaction was not completed with. Only another process that seals the same transaction can have
 * made the same bytes, and its rows are there by now, or it is refused for the same reason.
 */
export async function discardSealed(
  { database, blobs }: { database: Database<Tables>; blobs: Blobs },
  transactionId: string,
  sealed: readonly { sha256: string; evidence_sha256?: string }[],
): Promise<void> {
  const rows = await database.read((db) =>
    db
      .selectFrom('sealed_document')
      .select(['sha256', 'evidence_sha256'])
      .where('transaction_id', '=', transactionId)
      .execute(),
  );
  const used = new Set(rows.flatMap(({ sha256, evidence_sha256 }) => [sha256, evidence_sha256]));
  const unused = new Set(sealed.flatMap(({ sha256, evidence_sha256 }) => [sha256, evidence_sha256]));
  for (const name of unused) if (name !== undefined && !used.has(name)) await blobs.remove(name);
}

/** Their last signature was refused because their documents could not be sealed, and they wait for it still. */
type NotSealed = {
  count: number;
  latest: { id: string; at: string; reason: string } | undefined;
};

export async function findNotSealed(db: Db): Promise<NotSealed> {
  const waiting = db
    .selectFrom('transaction')
    .where('status', '=', 'started')
    .where('sealing_failed_reason', 'is not', null);
  const { count } = await waiting
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const row = await waiting
    .select(['id', 'sealing_failed_at', 'sealing_failed_reason'])
    .orderBy('sealing_failed_at', 'desc')
    .executeTakeFirst();
  if (!row) return { count: 0, latest: undefined };
  const { id, sealing_failed_at: at, sealing_failed_reason: reason } = row;
  return { count: Number(count), latest: { id, at: at ?? '', reason: reason ?? '' } };
}
