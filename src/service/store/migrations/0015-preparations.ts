// What the sender's program did to a file before the upload is kept with the document.
import type { Kysely } from 'kysely';

export async function addPreparations(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('document').addColumn('preparation', 'text').execute();
}
