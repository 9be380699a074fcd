// A company may name its imprint and its privacy notice, which its recipients are shown.
import type { Kysely } from 'kysely';

export async function addCompanyAddresses(db: Kysely<unknown>): Promise<void> {
  for (const name of ['imprint_url', 'privacy_url'])
    await db.schema.alterTable('company').addColumn(name, 'text').execute();
}
