// Stores who can sign in at the dashboard and who is signed in: passwords as scrypt hashes, sessions as hashes of their cookie,
// and the attempts to sign in. It never receives a password or a cookie.

import { LIMITS } from '../../api/contract/limits.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import { emailKey, type User } from './accounts.ts';
import { hashSecret } from './keys.ts';
import type { Db, Tables } from './schema.ts';

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

export type SignInLink = Tables['sign_in_link'];

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

/** A new password ends every session that the old one began, and every link that was to begin one. */
export async function setPassword(db: Db, user_id: string, hash: string, now: Instant): Promise<void> {
  await db.deleteFrom('password').where('user_id', '=', user_id).execute();
  await db.deleteFrom('session').where('user_id', '=', user_id).execute();
  await db.deleteFrom('sign_in_link').where('user_id', '=', user_id).execute();
  await db.insertInto('password').values({ user_id, hash, changed_at: now }).execute();
}

// ── attempts ────────────────────────────────────────────────────────────────────────────────────────────────────

export type Subject = { hash: string; limit: number };

export type SignInAttempt = { subjects: Subject[]; newId: () => string };

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

/** What attempts on an account are counted by, whether there is one or not. */
export const accountSubject = (email: string): string => hashSecret(`account ${emailKey(email)}`);

/** What attempts of a browser are counted by that has signed in to the account before. */
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
