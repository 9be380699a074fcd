// Lists the templates of a company, newest first, a page at a time (assumed: A33).

import { sql } from 'kysely';
import { type Pagination, paginate } from '../../api/contract/paging.ts';
import type { Instant } from '../../common/instant.ts';
import { nameKey } from './save-transaction.ts';
import type { Db } from './schema.ts';

type PageOf<T> = { items: T[]; meta: Pagination };
type TemplateRow = { id: string; name: string; description: string; created_at: Instant };
type TemplateQuery = { limit: number; page: number };

/** @param search part of a name, without regard to case */
export async function listTemplates(
  db: Db,
  company_id: string,
  { search, limit, page }: TemplateQuery & { search?: string | undefined },
): Promise<PageOf<TemplateRow>> {
  let matching = db.selectFrom('template').where('company_id', '=', company_id).where('reusable', '=', 1);
  if (search) {
    const pattern = `%${likeText(nameKey(search))}%`;
    matching = matching.where(sql<boolean>`name_key like ${pattern} escape '\\'`);
  }
  const { count } = await matching.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  const items = await matching
    .select(['id', 'name', 'description', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { items, meta: paginate(Number(count), limit, page) };
}

/** Escapes `%` and `_` of a search, so that they match themselves. */
const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
