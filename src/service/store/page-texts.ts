// The text of pages, keyed by the content of the document and the page: what was read, or why it could not be.
import type { Instant } from '../../common/instant.ts';
import type { PagePlace } from './pictures.ts';
import type { Db, Tables } from './schema.ts';

export type StoredText = Tables['page_text'];

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
