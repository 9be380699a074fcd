// Stores companies, users, client applications, authorization codes and tokens. Secrets are kept as hashes only; a code is
// consumed by one conditional update, so that of any number of exchanges at one moment exactly one succeeds.
import type { Scope } from '../../../api/contract/operation.ts';
import type { Instant } from '../../../common/instant.ts';
import { hashSecret } from '../keys.ts';
import { rowsWhere } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';

export type User = { id: string; company_id: string; name: string; email: string };

export type Bearer = {
  user: User;
  scopes: Scope[];
  client_id: string;
  expires_at: Instant | null;
  revoked_at: Instant | null;
};

/** Writes an email address so that addresses are compared without regard to case. */
export const emailKey = (email: string): string => email.toLowerCase();

/** Finds the user and the application of an access token, also of one that expired or was revoked, so that the caller can say why it refuses. */
export async function findBearer(db: Db, tokenHash: string): Promise<Bearer | undefined> {
  const [token] = await rowsWhere(db, 'token', 'hash', tokenHash, 'hash');
  if (token?.kind !== 'access') return undefined;
  const [user] = await rowsWhere(db, 'user', 'id', token.user_id, 'id');
  if (!user) return undefined;
  const { id, company_id, name, email } = user;
  const { scopes, client_id, expires_at, revoked_at } = token;
  return {
    user: { id, company_id, name, email },
    scopes: scopesOf(scopes),
    client_id,
    expires_at,
    revoked_at,
  };
}

export const scopesOf = (text: string): Scope[] => text.split(' ').filter(Boolean) as Scope[];

export async function findUser(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom('user')
    .select(['id', 'company_id', 'name', 'email'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
}

export const findUserById = (db: Db, id: string): Promise<User | undefined> =>
  db.selectFrom('user').select(['id', 'company_id', 'name', 'email']).where('id', '=', id).executeTakeFirst();

export const findCompany = (db: Db, name: string): Promise<{ id: string } | undefined> =>
  db.selectFrom('company').select('id').where('name', '=', name).executeTakeFirst();

/** `imprint_url` and `privacy_url` are HTTPS pages or `mailto:` addresses. */
export type Company = { name: string; imprint_url: string | null; privacy_url: string | null };

export const findCompanyById = (db: Db, id: string): Promise<Company | undefined> =>
  db
    .selectFrom('company')
    .select(['name', 'imprint_url', 'privacy_url'])
    .where('id', '=', id)
    .executeTakeFirst();

export async function saveCompanyAddresses(
  db: Db,
  id: string,
  addresses: Pick<Company, 'imprint_url' | 'privacy_url'>,
): Promise<void> {
  await db.updateTable('company').set(addresses).where('id', '=', id).execute();
}

/** Finds the company of that name, and makes it when there is none. */
export async function findOrCreateCompany(
  db: Db,
  name: string,
  deps: { newId: () => string; now: Instant },
): Promise<string> {
  const stored = await findCompany(db, name);
  if (stored) return stored.id;
  const id = deps.newId();
  await db.insertInto('company').values({ id, name, created_at: deps.now }).execute();
  return id;
}

export async function insertUser(db: Db, user: User, now: Instant): Promise<void> {
  await db
    .insertInto('user')
    .values({ ...user, email_key: emailKey(user.email), created_at: now })
    .execute();
}

/** Records that the owner of the machine vouches for this user. @returns since when */
export async function verifyUser(db: Db, user_id: string, now: Instant): Promise<Instant> {
  await db
    .insertInto('verified_user')
    .values({ user_id, verified_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  const row = await db
    .selectFrom('verified_user')
    .select('verified_at')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return row.verified_at;
}

export async function isVerified(db: Db, user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('verified_user')
    .select('user_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Selects all users, the oldest first. */
export const selectUsers = (db: Db) =>
  db
    .selectFrom('user')
    .innerJoin('company', 'company.id', 'user.company_id')
    .select(['user.id', 'user.name', 'user.email', 'company.name as company', 'user.created_at'])
    .orderBy('user.created_at')
    .orderBy('user.id');

export const listUsers = (db: Db) =>
  selectUsers(db)
    .leftJoin('verified_user', 'verified_user.user_id', 'user.id')
    .select('verified_user.verified_at')
    .execute();

// ── client applications ─────────────────────────────────────────────────────────────────────────────────────────

export type ClientApplication = Omit<
  Tables['client'],
  'secret_hash' | 'notification_rotations' | 'notification_rotated_at'
>;

/** @param secret undefined for a public application */
export async function insertClient(
  db: Db,
  client: ClientApplication,
  secret: string | undefined,
): Promise<void> {
  await db
    .insertInto('client')
    .values({
      ...client,
      // Nothing has this hash.
      secret_hash: secret === undefined ? '' : hashSecret(secret),
      notification_rotations: 0,
      notification_rotated_at: null,
    })
    .execute();
}

export async function setClientSecret(db: Db, id: string, secret: string): Promise<void> {
  await db
    .updateTable('client')
    .set({ secret_hash: hashSecret(secret) })
    .where('id', '=', id)
    .execute();
}

/** @param id from anywhere: PostgreSQL fails at a text with NUL instead of finding nothing */
export const findClient = async (db: Db, id: string): Promise<Tables['client'] | undefined> =>
  id.includes('\0') ? undefined : db.selectFrom('client').selectAll().where('id', '=', id).executeTakeFirst();

export const listClients = (db: Db): Promise<Tables['client'][]> =>
  db.selectFrom('client').selectAll().orderBy('created_at').orderBy('id').execute();

/** Records how often the notification secret of an application was replaced, and when last. */
export async function recordRotation(db: Db, id: string, rotations: number, now: Instant): Promise<void> {
  await db
    .updateTable('client')
    .set({ notification_rotations: rotations, notification_rotated_at: now })
    .where('id', '=', id)
    .execute();
}

/** Lists the applications of one company, newest first. */
export const listClientsOf = (db: Db, company_id: string): Promise<Tables['client'][]> =>
  db
    .selectFrom('client')
    .selectAll()
    .where('company_id', '=', company_id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** Deletes an application and everything that was issued to it. @returns whether there was one */
export async function deleteClient(db: Db, id: string): Promise<boolean> {
  await db.deleteFrom('authorization_code').where('client_id', '=', id).execute();
  await db.deleteFrom('token').where('client_id', '=', id).execute();
  await db.deleteFrom('consent').where('client_id', '=', id).execute();
  const { numDeletedRows } = await db.deleteFrom('client').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows) > 0;
}

// ── codes and tokens ────────────────────────────────────────────────────────────────────────────────────────────

export type Grant = { client_id: string; user_id: string; scopes: string };

export async function insertCode(
  db: Db,
  code: string,
  grant: Grant & Pick<Tables['authorization_code'], 'code_challenge'>,
  now: Instant,
  expires_at: Instant,
): Promise<void> {
  await db
    .insertInto('authorization_code')
    .values({ ...grant, hash: hashSecret(code), created_at: now, expires_at, used_at: null })
    .execute();
}

/** Uses up a code, which is valid once, for ten minutes (spec §5). @returns its row only to the call that used it */
export async function consumeCode(
  db: Db,
  code: string,
  client_id: string,
  now: Instant,
): Promise<Tables['authorization_code'] | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('authorization_code')
    .set({ used_at: now })
    .where('hash', '=', hashSecret(code))
    .where('client_id', '=', client_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (Number(numUpdatedRows) !== 1) return undefined;
  return findCode(db, code);
}

export const findCode = (db: Db, code: string): Promise<Tables['authorization_code'] | undefined> =>
  db.selectFrom('authorization_code').selectAll().where('hash', '=', hashSecret(code)).executeTakeFirst();

/** Revokes what was issued from a code that came twice (RFC 6749 §4.1.2). */
export async function revokeIssuedFrom(db: Db, code_hash: string, now: Instant): Promise<void> {
  await db
    .updateTable('token')
    .set({ revoked_at: now })
    .where('code_hash', '=', code_hash)
    .where('revoked_at', 'is', null)
    .execute();
}

type NewToken = Grant & {
  kind: 'access' | 'refresh';
  code_hash: string | null;
  expires_at: Instant | null;
  /** The refresh token replaces the one with this hash. */
  previous_hash?: string;
};

export async function insertToken(db: Db, token: string, row: NewToken, now: Instant): Promise<void> {
  await db
    .insertInto('token')
    .values({
      previous_hash: null,
      ...row,
      hash: hashSecret(token),
      created_at: now,
      revoked_at: null,
      replaced_at: null,
    })
    .execute();
}

export const findRefreshToken = (
  db: Db,
  token: string,
  client_id: string,
): Promise<Tables['token'] | undefined> =>
  db
    .selectFrom('token')
    .selectAll()
    .where('hash', '=', hashSecret(token))
    .where('kind', '=', 'refresh')
    .where('client_id', '=', client_id)
    .executeTakeFirst();

// ── refresh tokens that replace each other ──────────────────────────────────────────────────────────────────────

/** @returns true only to the first call */
export async function markReplaced(db: Db, hash: string, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('token')
    .set({ replaced_at: now })
    .where('hash', '=', hash)
    .where('replaced_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** Finds the refresh token that replaced another one of the same code, unless it was revoked. */
export const findSuccessor = (
  db: Db,
  { hash, code_hash }: Pick<Tables['token'], 'hash' | 'code_hash'>,
): Promise<{ hash: string } | undefined> =>
  db
    .selectFrom('token')
    .select('hash')
    .where('code_hash', '=', code_hash)
    .where('previous_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();

/** @returns whether it was still unused */
export async function revokeUnused(db: Db, hash: string, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('token')
    .set({ revoked_at: now })
    .where('hash', '=', hash)
    .where('replaced_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}
