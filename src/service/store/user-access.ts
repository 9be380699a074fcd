// Lists which users of a team server can sign in, and ends the access of one.
import type { Instant } from '../../common/instant.ts';
import { selectUsers } from './accounts.ts';
import type { Db } from './schema.ts';

/** Lists all users. One who has no password cannot sign in. */
export async function listWithAccess(db: Db) {
  const rows = await selectUsers(db)
    .leftJoin('password', 'password.user_id', 'user.id')
    .select('password.changed_at')
    .execute();
  return rows.map(({ changed_at, ...user }) => ({ ...user, can_sign_in: changed_at !== null }));
}

/**
 * Ends everything that gives a user access: the password, sessions, links that begin one, codes and tokens. It also removes the consents, so that
 * a page asks for them again later. What the user created stays.
 * @returns how many sessions and tokens ended
 */
export async function endAccess(
  db: Db,
  user_id: string,
  now: Instant,
): Promise<{ sessions: number; tokens: number }> {
  for (const table of ['password', 'sign_in_link', 'authorization_code', 'consent'] as const)
    await db.deleteFrom(table).where('user_id', '=', user_id).execute();
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  const { numUpdatedRows } = await db
    .updateTable('token')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  return { sessions: Number(numDeletedRows), tokens: Number(numUpdatedRows) };
}
