// Searches a company's transactions by their names, their recipients and their ids. Names are compared in this process, because
// no database folds the case of every script, and in slices, so that other requests are answered meanwhile.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LIMITS } from '../../api/contract/limits.ts';
import type { Database } from '../../database/database.ts';
import {
  type OverviewPage,
  type OverviewQuery,
  type OverviewRow,
  pageRows,
  withRecipients,
} from './overviews.ts';
import { nameKey } from './save-transaction.ts';
import type { Db, Tables } from './schema.ts';

/** Read at a time: some milliseconds. */
const SLICE = 250;

const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type FoundPage = OverviewPage & {
  /** Where the search stopped before it had looked at every transaction; the next search continues from here. */
  stoppedAt: string | undefined;
};

/**
 * @param text words, each of which stands in the name, in the id, or in the name or email of a recipient
 * @param atMost how many transactions are looked at before it stops and says where
 */
export async function searchOverviews(
  database: Pick<Database<Tables>, 'read'>,
  company_id: string,
  text: string,
  query: OverviewQuery,
  atMost: number = LIMITS.transactionsSearched,
): Promise<FoundPage> {
  const words = nameKey(text).split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const id = words.length === 1 && WHOLE_ID.test(first) ? first : undefined;
  const { limit, from } = query;
  const isBackwards = from?.direction === 'newer';
  const found: OverviewRow[] = [];
  let place = from;
  let stoppedAt: string | undefined;
  for (let read = 0; found.length <= limit; ) {
    const slice = await database.read((db) => readSlice(db, company_id, { ...query, id, from: place }));
    found.push(...slice.filter(({ haystack }) => words.every((word) => haystack.includes(word))).map(rowOf));
    read += slice.length;
    const last = slice.at(-1)?.id;
    if (last === undefined || slice.length < SLICE) break;
    place = { direction: from?.direction ?? 'older', id: last };
    if (found.length <= limit && read >= atMost) {
      stoppedAt = last;
      break;
    }
    await yieldToEventLoop();
  }
  const isMore = found.length > limit || stoppedAt !== undefined;
  const shown = found.slice(0, limit);
  if (isBackwards) shown.reverse();
  return {
    items: await database.read((db) => withRecipients(db, shown)),
    hasNewer: isBackwards ? isMore : from !== undefined,
    hasOlder: isBackwards || isMore,
    stoppedAt,
  };
}

type SearchedRow = OverviewRow & { haystack: string };

async function readSlice(db: Db, company_id: string, query: OverviewQuery): Promise<SearchedRow[]> {
  const rows = await pageRows(db, company_id, { ...query, limit: SLICE - 1 }).execute();
  if (rows.length === 0) return [];
  const templateIds = rows.map(({ template_id }) => template_id);
  const people = new Map<string, string>();
  for (const { template_id, name, email } of await db
    .selectFrom('recipient')
    .select(['template_id', 'name', 'email'])
    .where('template_id', 'in', templateIds)
    .execute())
    people.set(template_id, `${people.get(template_id) ?? ''}\n${name}\n${email}`);
  return rows.map((row) => ({
    ...row,
    haystack: nameKey(`${row.id}\n${row.name}${people.get(row.template_id) ?? ''}`),
  }));
}

const rowOf = ({ haystack, ...row }: SearchedRow): OverviewRow => row;
