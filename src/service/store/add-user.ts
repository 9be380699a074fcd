// Adds a user whose email address the owner of the service vouches for.
import type { Instant } from '../../common/instant.ts';
import { findOrCreateCompany, findUser, insertUser, verifyUser } from './accounts.ts';
import type { Db } from './schema.ts';
import { setPassword } from './sessions.ts';

export type NewUser = {
  name: string;
  email: string;
  /** The name of an existing company, or of a new one. */
  company: string;
  /** As `Passwords` makes it; undefined for a user who cannot sign in with a password. */
  passwordHash: string | undefined;
};

export type AddedUser = { id: string; name: string; email: string; company: string; created_at: Instant };

/** @returns undefined where a user has this email address already */
export async function addVerifiedUser(
  db: Db,
  { name, email, company, passwordHash }: NewUser,
  { now, newId }: { now: Instant; newId: () => string },
): Promise<AddedUser | undefined> {
  if (await findUser(db, email)) return undefined;
  const company_id = await findOrCreateCompany(db, company, { newId, now });
  const id = newId();
  await insertUser(db, { id, company_id, name, email }, now);
  await verifyUser(db, id, now);
  if (passwordHash !== undefined) await setPassword(db, id, passwordHash, now);
  return { id, name, email, company, created_at: now };
}
