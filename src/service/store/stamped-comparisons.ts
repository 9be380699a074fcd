// Stores which documents show the same when they are stamped, keyed by their content and the places of their fields, and which could not
// be compared.
import type { Instant } from '../../common/instant.ts';
import { isRetryDue } from './pictures.ts';
import type { Db, Tables } from './schema.ts';

/** `places_sha256` is the hash of the places of the fields, in their order. */
export type StampedPlaces = Pick<Tables['stamped_comparison'], 'pdf_sha256' | 'places_sha256'>;

/** Tells whether a document needs no comparison now: it was compared, or the last attempt failed a short time ago. */
export async function isCompared(
  db: Db,
  { pdf_sha256, places_sha256 }: StampedPlaces,
  now: Instant,
): Promise<boolean> {
  const stored = await db
    .selectFrom('stamped_comparison')
    .select(['exceeded', 'tried_at'])
    .where('pdf_sha256', '=', pdf_sha256)
    .where('places_sha256', '=', places_sha256)
    .executeTakeFirst();
  return stored !== undefined && (stored.exceeded === null || !isRetryDue(stored, now));
}

/** @param exceeded the limit that stood against the comparison; null where the document shows the same */
export async function storeComparison(
  db: Db,
  { pdf_sha256, places_sha256 }: StampedPlaces,
  exceeded: string | null,
  now: Instant,
): Promise<void> {
  const result = { exceeded, tried_at: now };
  await db
    .insertInto('stamped_comparison')
    .values({ pdf_sha256, places_sha256, ...result })
    // What shows the same stays so, also if another start had no time for the comparison.
    .onConflict((conflict) =>
      conflict
        .columns(['pdf_sha256', 'places_sha256'])
        .doUpdateSet(result)
        .where('stamped_comparison.exceeded', 'is not', null),
    )
    .execute();
}
