// Creates the table of comparisons: a document that was compared with its stamped copy is not compared again for the next
// transaction with the same fields.
import type { Kysely } from 'kysely';
import { HASH, required, TIME } from './columns.ts';

export async function createStampedComparisons(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stamped_comparison')
    .addColumn('pdf_sha256', HASH, required)
    .addColumn('places_sha256', HASH, required)
    .addColumn('exceeded', 'varchar(40)')
    .addColumn('tried_at', TIME, required)
    .addPrimaryKeyConstraint('stamped_comparison_pk', ['pdf_sha256', 'places_sha256'])
    .execute();
}
