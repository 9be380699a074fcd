// Stores the results of drawing, reading and comparing pages, by the content of the document: the result, or why there is none.
import { LIMITS } from '../../../api/contract/limits.ts';
import { addMs, type Instant } from '../../../common/instant.ts';
import { rowsOf, rowsOfMany } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';

type StoredPicture = Tables['picture'];

/** The page belongs to a document, whatever transaction it is in. `page` counts from 0. */
export type PagePlace = { pdf_sha256: string; page: number };

/** @param dpi by default that of the first picture shown, which decides whether a page can be shown at all */
export const findPicture = (
  db: Db,
  { pdf_sha256, page }: PagePlace,
  dpi: number = LIMITS.pagePngDpi,
): Promise<StoredPicture | undefined> =>
  db
    .selectFrom('picture')
    .selectAll()
    .where('pdf_sha256', '=', pdf_sha256)
    .where('page', '=', page)
    .where('dpi', '=', dpi)
    .executeTakeFirst();

export async function storePicture(
  db: Db,
  { pdf_sha256, page, dpi }: PagePlace & { dpi: number },
  outcome: { sha256: string | null; exceeded: string | null },
  now: Instant,
): Promise<void> {
  const drawn = { ...outcome, tried_at: now };
  await db
    .insertInto('picture')
    .values({ pdf_sha256, page, dpi, ...drawn })
    .onConflict((conflict) => conflict.columns(['pdf_sha256', 'page', 'dpi']).doUpdateSet(drawn))
    .execute();
}

/** @returns whether drawing is worth another try: the machine may have been busy when it took too long */
export const isRetryDue = ({ tried_at }: Pick<StoredPicture, 'tried_at'>, now: Instant): boolean =>
  addMs(tried_at, LIMITS.drawAgainAfterMs) <= now || tried_at > now;

export type Undrawable = { document_id: string; page: number; exceeded: string };

/** Finds the pages that could not be drawn. @param contentId of a transaction or a template: both are rows of `template` */
export const undrawablePages = (db: Db, contentId: string): Promise<Undrawable[]> =>
  rowsOf(
    db,
    'undrawable pages',
    () => undrawable(db).where('document.template_id', '=', contentId),
    contentId,
  );

/** Finds the pages that could not be drawn of several contents. */
export const undrawablePagesOfMany = (db: Db, contentIds: readonly string[]): Promise<Undrawable[]> =>
  rowsOfMany(
    db,
    'undrawable pages',
    (ids) => undrawable(db).where('document.template_id', 'in', ids),
    contentIds,
  );

const undrawable = (db: Db) =>
  db
    .selectFrom('document')
    .innerJoin('file', 'file.id', 'document.file_id')
    .innerJoin('picture', 'picture.pdf_sha256', 'file.pdf_sha256')
    .select(['document.id as document_id', 'picture.page', 'picture.exceeded'])
    .where('picture.sha256', 'is', null)
    // The text is a literal, because the only parameters of these statements are the ids.
    .where((row) => row('picture.dpi', '=', row.lit(LIMITS.pagePngDpi)))
    .orderBy('picture.page');

/** Finds the pages that could not be drawn of a file that is in no document yet. */
export const undrawableOf = (
  db: Db,
  pdf_sha256: string,
): Promise<{ page: number; exceeded: string | null }[]> =>
  db
    .selectFrom('picture')
    .select(['page', 'exceeded'])
    .where('pdf_sha256', '=', pdf_sha256)
    .where('sha256', 'is', null)
    .where('dpi', '=', LIMITS.pagePngDpi)
    .orderBy('page')
    .execute();

export type PageToDraw = PagePlace & { name: string };

/**
 * Finds the pages that have to be drawn before a recipient can be asked to sign them: pages that were never drawn, of documents that may be
 * slow to draw, and pages whose last attempt failed long enough ago to try again.
 */
export async function findPagesToDraw(db: Db, contentId: string, now: Instant): Promise<PageToDraw[]> {
  const rows = await rowsOf<
    PageToDraw & Pick<StoredPicture, 'sha256' | 'exceeded'> & { tried_at: string | null }
  >(
    db,
    'untried pages',
    () =>
      db
        .selectFrom('document')
        .innerJoin('file', 'file.id', 'document.file_id')
        .innerJoin('page', 'page.document_id', 'document.id')
        .leftJoin('picture', (join) =>
          join
            .onRef('picture.pdf_sha256', '=', 'file.pdf_sha256')
            .onRef('picture.page', '=', 'page.index')
            .on((row) => row('picture.dpi', '=', row.lit(LIMITS.pagePngDpi))),
        )
        .select(['file.pdf_sha256', 'page.index as page', 'document.original_name as name'])
        .select(['picture.sha256', 'picture.exceeded', 'picture.tried_at'])
        .where('document.template_id', '=', contentId)
        .where((row) =>
          row.or([row('file.is_plain', '=', row.lit(0)), row('picture.exceeded', 'is not', null)]),
        )
        .where('picture.sha256', 'is', null)
        .orderBy('document.index')
        .orderBy('page.index'),
    contentId,
  );
  return rows
    .filter(({ tried_at }) => tried_at === null || isRetryDue({ tried_at }, now))
    .map(({ pdf_sha256, page, name }) => ({ pdf_sha256, page, name }));
}

type StoredText = Tables['page_text'];

export const findText = (db: Db, { pdf_sha256, page }: PagePlace): Promise<StoredText | undefined> =>
  db
    .selectFrom('page_text')
    .selectAll()
    .where('pdf_sha256', '=', pdf_sha256)
    .where('page', '=', page)
    .executeTakeFirst();

export async function storeText(
  db: Db,
  { pdf_sha256, page }: PagePlace,
  outcome: Pick<StoredText, 'runs' | 'is_cut' | 'exceeded'>,
  now: Instant,
): Promise<void> {
  const read = { ...outcome, tried_at: now };
  await db
    .insertInto('page_text')
    .values({ pdf_sha256, page, ...read })
    .onConflict((conflict) => conflict.columns(['pdf_sha256', 'page']).doUpdateSet(read))
    .execute();
}

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
    // A document that shows the same stays so, also if another start had no time for the comparison.
    .onConflict((conflict) =>
      conflict
        .columns(['pdf_sha256', 'places_sha256'])
        .doUpdateSet(result)
        .where('stamped_comparison.exceeded', 'is not', null),
    )
    .execute();
}
