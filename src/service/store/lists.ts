// The lists of the API: templates and webhooks of a company, newest first, a page at a time (assumed: A33).

import { sql } from 'kysely';
import type { EventType } from '../../api/contract/events.ts';
import { type Pagination, paginate } from '../../api/contract/paging.ts';
import { nameKey } from './save-transaction.ts';
import type { Db, Tables } from './schema.ts';

type PageOf<T> = { items: T[]; meta: Pagination };
type Asked = { limit: number; page: number };

/** @param search part of a name, without regard to case */
export async function listTemplates(
  db: Db,
  company_id: string,
  { search, limit, page }: Asked & { search?: string | undefined },
): Promise<PageOf<{ id: string; name: string }>> {
  let matching = db.selectFrom('template').where('company_id', '=', company_id).where('reusable', '=', 1);
  if (search) {
    const pattern = `%${likeText(nameKey(search))}%`;
    matching = matching.where(sql<boolean>`name_key like ${pattern} escape '\\'`);
  }
  const { count } = await matching.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  const items = await matching
    .select(['id', 'name'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { items: items.map(({ id, name }) => ({ id, name })), meta: paginate(Number(count), limit, page) };
}

/** `%` and `_` of a search are themselves. */
const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

export async function listWebhooks(db: Db, company_id: string, { limit, page }: Asked) {
  const ours = db.selectFrom('webhook').where('company_id', '=', company_id);
  const { count } = await ours.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  const rows = await ours
    .select(['id', 'name', 'endpoint', 'events', 'enabled'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const items = rows.map(({ id, name, endpoint, events, enabled }) => ({
    id,
    name,
    endpoint,
    events: JSON.parse(events) as EventType[],
    enabled: enabled === 1,
  }));
  return { items, meta: paginate(Number(count), limit, page) };
}

export async function insertWebhook(db: Db, webhook: Tables['webhook']): Promise<void> {
  await db.insertInto('webhook').values(webhook).execute();
}

/** @returns whether the company had one with this id */
export async function deleteWebhook(db: Db, company_id: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook')
    .where('id', '=', id)
    .where('company_id', '=', company_id)
    .executeTakeFirst();
  return Number(numDeletedRows) > 0;
}
