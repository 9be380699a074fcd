// An application can be public: it has no secret, its codes belong to a challenge, and its refresh tokens replace each other.
import type { Kysely } from 'kysely';
import { HASH, TIME } from './columns.ts';

export async function addPublicApplications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('client')
    .addColumn('is_public', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('authorization_code').addColumn('code_challenge', 'varchar(43)').execute();
  await db.schema.alterTable('token').addColumn('previous_hash', HASH).execute();
  await db.schema.alterTable('token').addColumn('replaced_at', TIME).execute();
}
