// Stores who can sign in at the dashboard and who is signed in: passwords as scrypt hashes, sessions as hashes of their cookie,
// and the attempts to sign in. It never receives a password or a cookie.
import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs, type Instant } from '../../../common/instant.ts';
import { hashSecret } from '../keys.ts';
import type { Db, Tables } from '../schema.ts';
import {
  emailKey,
  findOrCreateCompany,
  findUser,
  insertUser,
  selectUsers,
  type User,
  verifyUser,
} from './accounts.ts';

export type SignedIn = User & { company: string };

/** @returns the user of a session that is neither ended nor expired */
export const findSession = (db: Db, hash: string, now: Instant): Promise<SignedIn | undefined> =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .innerJoin('company', 'company.id', 'user.company_id')
    .select(['user.id', 'user.company_id', 'user.name', 'user.email', 'company.name as company'])
    .where('session.hash', '=', hash)
    .where('session.expires_at', '>', now)
    .executeTakeFirst();

/** Begins a session, and forgets those that have expired. */
export async function insertSession(db: Db, hash: string, user_id: string, now: Instant): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute();
  const expires_at = addMs(now, LIMITS.sessionLifetimeMs);
  await db.insertInto('session').values({ hash, user_id, created_at: now, expires_at }).execute();
}

export async function deleteSession(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('session').where('hash', '=', hash).execute();
}

// ── links that sign in once ──────────────────────────────────────────────────────────────────────────────────────────

type SignInLink = Tables['sign_in_link'];

/** Stores a link by the hash of its token, and forgets those that have expired. */
export async function insertSignInLink(db: Db, link: SignInLink, now: Instant): Promise<void> {
  await db.deleteFrom('sign_in_link').where('expires_at', '<=', now).execute();
  await db.insertInto('sign_in_link').values(link).execute();
}

/** Uses up a link. Of any number of visits at one moment exactly one gets it. */
export async function consumeSignInLink(
  db: Db,
  token: string,
  now: Instant,
): Promise<Pick<SignInLink, 'user_id' | 'path'> | undefined> {
  const rows = await db
    .deleteFrom('sign_in_link')
    .where('hash', '=', hashSecret(token))
    .where('expires_at', '>', now)
    .returning(['user_id', 'path'])
    .execute();
  return rows[0];
}

// ── passwords ───────────────────────────────────────────────────────────────────────────────────────────────────

export async function findPassword(db: Db, user_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('password')
    .select('hash')
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return row?.hash;
}

/** Sets a password. It ends every session that the old one began, and every link that was to begin one. */
export async function setPassword(db: Db, user_id: string, hash: string, now: Instant): Promise<void> {
  await db.deleteFrom('password').where('user_id', '=', user_id).execute();
  await db.deleteFrom('session').where('user_id', '=', user_id).execute();
  await db.deleteFrom('sign_in_link').where('user_id', '=', user_id).execute();
  await db.insertInto('password').values({ user_id, hash, changed_at: now }).execute();
}

// ── attempts ────────────────────────────────────────────────────────────────────────────────────────────────────

export type Subject = { hash: string; limit: number };

type SignInAttempt = { subjects: Subject[]; newId: () => string };

/**
 * Counts an attempt before it is made, so that of any number at one moment no more than the limit are. Attempts
 * that lie further in the future than the window is long are from before the clock was set back, and do not count; those that lie
 * a little in it were counted by another process a moment ago.
 * @returns its rows, or the moment from which the next one is taken
 */
export async function takeAttempt(
  db: Db,
  { subjects, newId }: SignInAttempt,
  now: Instant,
): Promise<{ ids: string[] } | { until: Instant }> {
  const since = addMs(now, -LIMITS.signInWindowMs);
  const furthest = addMs(now, LIMITS.signInWindowMs);
  // Those of all others are left to the sweep: a table that many clients have filled would be read for each attempt.
  const hashes = subjects.map(({ hash }) => hash);
  await db
    .deleteFrom('sign_in_attempt')
    .where('subject', 'in', hashes)
    .where('created_at', '<=', since)
    .execute();
  const waits: Instant[] = [];
  for (const { hash, limit } of subjects) {
    const rows = await db
      .selectFrom('sign_in_attempt')
      .select('created_at')
      .where('subject', '=', hash)
      .where('created_at', '<=', furthest)
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute();
    const oldest = rows[limit - 1];
    if (oldest) waits.push(addMs(oldest.created_at, LIMITS.signInWindowMs));
  }
  const until = waits.sort().at(-1);
  if (until !== undefined) return { until };
  const rows = subjects.map(({ hash }) => ({ id: newId(), subject: hash, created_at: now }));
  await db.insertInto('sign_in_attempt').values(rows).execute();
  return { ids: rows.map(({ id }) => id) };
}

/** Removes what no attempt is counted with any more. */
export async function forgetOldAttempts(db: Db, now: Instant): Promise<void> {
  const since = addMs(now, -LIMITS.signInWindowMs);
  await db.deleteFrom('sign_in_attempt').where('created_at', '<=', since).execute();
}

/** Attempts on an account are counted by this text, whether there is such an account or not. */
export const accountSubject = (email: string): string => hashSecret(`account ${emailKey(email)}`);

/** Attempts of a browser that has signed in to the account before are counted by this text. */
export const browserSubject = (nonce: string): string => hashSecret(`browser ${nonce}`);

export const addressSubject = (address: string): string => hashSecret(`address ${address}`);

/**
 * Forgets earlier attempts on an account, after a sign-in with the right password or with a new one.
 * @param ids of the attempt that succeeded, which does not count for its address either
 */
export async function forgetAttempts(db: Db, subject: string, ids: string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('sign_in_attempt').where('id', 'in', ids).execute();
  await db.deleteFrom('sign_in_attempt').where('subject', '=', subject).execute();
}

/** Forgets all attempts, for the owner of the service: every user may try again. */
export async function forgetAllAttempts(db: Db): Promise<void> {
  await db.deleteFrom('sign_in_attempt').execute();
}

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

export type NewUser = {
  name: string;
  email: string;
  /** The company exists already, or is made. */
  company: string;
  /** `Passwords` makes the hash. A user without one cannot sign in with a password. */
  passwordHash: string | undefined;
};

type AddedUser = { id: string; name: string; email: string; company: string; created_at: Instant };

/**
 * Adds a user whose email address the owner of the service vouches for.
 * @returns undefined where a user has this email address already
 */
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
