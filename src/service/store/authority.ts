// Certificates and private keys of the store's own authority, encrypted with the key of the store. Only service/sealing knows
// their meaning.
import type { Instant } from '../../common/instant.ts';
import type { Keys } from './keys.ts';
import type { Db } from './schema.ts';

/** `id` of the row of the authority itself. No company has such a one: ids of companies are UUIDs. */
export const AUTHORITY = 'authority';

/** `id` of the row of the authority for servers on this machine. */
export const LOOPBACK_AUTHORITY = 'loopback';

/** The key of the row of `meta` with the day on which the authority came from a file of another sandbox. */
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
 * @returns what is kept now
 */
export async function storeOnce(
  db: Db,
  keys: Keys,
  made: { id: string; content: string; created_at: Instant },
  replaced?: StoredAuthority,
): Promise<StoredAuthority> {
  const { id, content, created_at } = made;
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

/** The authorities stay, because users may have made programs trust their roots. */
export const forgetCompanies = (db: Db) =>
  db.deleteFrom('authority').where('id', 'not in', [AUTHORITY, LOOPBACK_AUTHORITY]).execute();
