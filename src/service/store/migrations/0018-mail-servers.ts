// Which mail server an attempt was made at is kept with the attempt: the settings may name another one later.
import type { Kysely } from 'kysely';

export async function addMailServers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('attempt').addColumn('server', 'text').execute();
}
