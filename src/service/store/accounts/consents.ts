// Stores what users have allowed client applications. Revoking a consent revokes everything that was issued under it.

import { ALL_SCOPES } from '../../../api/contract/operation.ts';
import type { Instant } from '../../../common/instant.ts';
import type { Db } from '../schema.ts';
import { type Grant, scopesOf } from './accounts.ts';

/** Stores a consent. A later one adds to what was allowed: tokens of the earlier one stay valid. */
export async function storeConsent(
  db: Db,
  { user_id, client_id, scopes }: Grant,
  now: Instant,
): Promise<void> {
  const stored = await db
    .selectFrom('consent')
    .select(['scopes', 'created_at'])
    .where('user_id', '=', user_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst();
  const granted = new Set([...scopesOf(stored?.scopes ?? ''), ...scopesOf(scopes)]);
  const all = ALL_SCOPES.filter((scope) => granted.has(scope)).join(' ');
  await removeConsent(db, user_id, client_id);
  await db
    .insertInto('consent')
    .values({ user_id, client_id, scopes: all, created_at: stored?.created_at ?? now, updated_at: now })
    .execute();
}

const removeConsent = (db: Db, user_id: string, client_id: string) =>
  db
    .deleteFrom('consent')
    .where('user_id', '=', user_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst();

export const listConsents = (db: Db, user_id: string) =>
  db
    .selectFrom('consent')
    .innerJoin('client', 'client.id', 'consent.client_id')
    .innerJoin('company', 'company.id', 'client.company_id')
    .select([
      'client.id as client_id',
      'client.name',
      'client.callback_url',
      'company.name as company',
      'consent.scopes',
      'consent.updated_at',
    ])
    .where('consent.user_id', '=', user_id)
    .orderBy('consent.created_at', 'desc')
    .orderBy('client.id')
    .execute();

/**
 * Revokes a consent: every token that came of a code, and every code that was not used yet, stops working. Tokens that were
 * issued without a code, such as that of the store's own user, stay.
 * @returns whether there was a consent
 */
export async function revokeConsent(
  db: Db,
  user_id: string,
  client_id: string,
  now: Instant,
): Promise<boolean> {
  const { numDeletedRows } = await removeConsent(db, user_id, client_id);
  if (Number(numDeletedRows) === 0) return false;
  await db
    .deleteFrom('authorization_code')
    .where('user_id', '=', user_id)
    .where('client_id', '=', client_id)
    .where('used_at', 'is', null)
    .execute();
  await db
    .updateTable('token')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('client_id', '=', client_id)
    .where('code_hash', 'is not', null)
    .where('revoked_at', 'is', null)
    .execute();
  return true;
}
