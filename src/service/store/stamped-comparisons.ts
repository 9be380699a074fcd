// Stores which documents show the same when they are stamped, keyed by their content and the places of their fields.
import type { Instant } from '../../common/instant.ts';
import type { Db, Tables } from './schema.ts';

/** `places_sha256`: of the places of the fields, in their order. */
export type ComparedPlaces = Pick<Tables['stamped_comparison'], 'pdf_sha256' | 'places_sha256'>;

export const isCompared = async (db: Db, { pdf_sha256, places_sha256 }: ComparedPlaces): Promise<boolean> =>
  (await db
    .selectFrom('stamped_comparison')
    .select('compared_at')
    .where('pdf_sha256', '=', pdf_sha256)
    .where('places_sha256', '=', places_sha256)
    .executeTakeFirst()) !== undefined;

export async function storeCompared(
  db: Db,
  { pdf_sha256, places_sha256 }: ComparedPlaces,
  now: Instant,
): Promise<void> {
  await db
    .insertInto('stamped_comparison')
    .values({ pdf_sha256, places_sha256, compared_at: now })
    .onConflict((conflict) => conflict.columns(['pdf_sha256', 'places_sha256']).doNothing())
    .execute();
}
