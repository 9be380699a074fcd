// Links that sign a user of the dashboard in once. Creating one needs the control secret.
import type { Kysely } from 'kysely';
import { HASH, ID, key, required, TIME } from './columns.ts';

export async function createSignInLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_link')
    .addColumn('hash', HASH, key)
    .addColumn('user_id', ID, required)
    .addColumn('path', 'text', required)
    .addColumn('expires_at', TIME, required)
    .execute();
}
