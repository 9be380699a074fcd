// Users whose address the owner of the machine vouches for: email in their name may leave the service. Users of the store's own company were
// added by the owner; those who registered made companies of their own.
import { type Kysely, sql } from 'kysely';
import { ID, key, required, TIME } from './columns.ts';

export async function createVerifiedUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('verified_user')
    .addColumn('user_id', ID, key)
    .addColumn('verified_at', TIME, required)
    .execute();
  await sql`insert into verified_user (user_id, verified_at)
    select id, created_at from "user" where company_id in (select id from company where name = 'Sandbox')`.execute(
    db,
  );
}
