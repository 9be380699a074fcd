// Lists and searches a company's transactions: what a line of the list shows, and nothing else. Ids are in the order of time, so that a page
// begins at an id: neither the first page nor the thousandth counts what comes before it. Names are compared in this process, because no database
// folds the case of every script, and in slices, so that other requests are answered meanwhile. Lists templates as well.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Role } from '../../../api/contract/recipients.ts';
import { type Pagination, paginate } from '../../../api/contract/values.ts';
import type { Instant } from '../../../common/instant.ts';
import type { Database } from '../../../database/database.ts';
import type { Status } from '../../domain/transaction.ts';
import { emailKey } from '../accounts/accounts.ts';
import type { Db, Tables } from '../schema.ts';
import { nameKey } from './save-transaction.ts';

export type OverviewRecipient = {
  name: string;
  email: string;
  is_current: boolean;
  /** The recipient has to do something (assumed: A12). */
  acts: boolean;
  opened_at: Instant | null;
  submitted_at: Instant | null;
};

export type Overview = {
  id: string;
  name: string;
  status: Status;
  created_at: Instant;
  expires_at: Instant | null;
  /** A transaction ends when it is completed, rejected, cancelled or expired. */
  ended_at: Instant | null;
  /** They stand in the order of the transaction. */
  recipients: OverviewRecipient[];
};

export type OverviewPage = {
  /** They stand in order, newest first. */
  items: Overview[];
  hasNewer: boolean;
  hasOlder: boolean;
};

export type OverviewQuery = {
  status?: Status | undefined;
  /** The page begins after the transaction with this id; without one, with the newest. */
  from?: { direction: 'older' | 'newer'; id: string } | undefined;
  limit: number;
  /** The list has only the transaction with this id. */
  id?: string | undefined;
};

export async function listOverviews(db: Db, company_id: string, query: OverviewQuery): Promise<OverviewPage> {
  const { from, limit } = query;
  const isBackwards = from?.direction === 'newer';
  const rows = await pageRows(db, company_id, query).execute();
  const isMore = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (isBackwards) shown.reverse();
  return {
    items: await withRecipients(db, shown),
    hasNewer: isBackwards ? isMore : from !== undefined,
    hasOlder: isBackwards || isMore,
  };
}

type OverviewRow = Awaited<ReturnType<ReturnType<typeof pageRows>['execute']>>[number];

async function withRecipients(db: Db, rows: readonly OverviewRow[]): Promise<Overview[]> {
  const recipients = await recipientsOf(
    db,
    rows.map(({ template_id }) => template_id),
  );
  return rows.map(({ template_id, status, ...row }) => ({
    ...row,
    status: status as Status,
    recipients: recipients.get(template_id) ?? [],
  }));
}

/** Selects the rows of a page, and one more where there is one. */
export function pageRows(db: Db, company_id: string, { status, from, limit, id }: OverviewQuery) {
  let rows = db
    .selectFrom('transaction')
    .innerJoin('template', 'template.id', 'transaction.template_id')
    .select(['transaction.id', 'transaction.template_id', 'template.name', 'transaction.status'])
    .select(['transaction.created_at', 'transaction.expires_at'])
    .select(({ fn }) =>
      fn.coalesce('completed_at', 'rejected_at', 'cancelled_at', 'expired_at').as('ended_at'),
    )
    .where('transaction.company_id', '=', company_id)
    .orderBy('transaction.id', from?.direction === 'newer' ? 'asc' : 'desc')
    .limit(limit + 1);
  if (status !== undefined) rows = rows.where('transaction.status', '=', status);
  if (id !== undefined) rows = rows.where('transaction.id', '=', id);
  if (from) rows = rows.where('transaction.id', from.direction === 'newer' ? '>' : '<', from.id);
  return rows;
}

/** Reads recipients, which are stored by the content of their transaction. */
async function recipientsOf(
  db: Db,
  templateIds: readonly string[],
): Promise<ReadonlyMap<string, OverviewRecipient[]>> {
  const recipients = new Map<string, OverviewRecipient[]>(templateIds.map((id) => [id, []]));
  if (templateIds.length === 0) return recipients;
  const rows = await db
    .selectFrom('recipient')
    .select(['template_id', 'role', 'name', 'email', 'is_current', 'opened_at', 'submitted_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('field')
          .select('field.id')
          .whereRef('field.template_id', '=', 'recipient.template_id')
          .whereRef('field.recipient_id', '=', 'recipient.id'),
      ).as('has_fields'),
    )
    .where('template_id', 'in', templateIds)
    .orderBy('index')
    .execute();
  for (const { template_id, role, is_current, has_fields, ...row } of rows)
    recipients.get(template_id)?.push({
      ...row,
      is_current: is_current === 1,
      acts: (role as Role) !== 'sender' || Boolean(has_fields),
    });
  return recipients;
}

/** The list has so many transactions at most. */
const NAMED = 1000;

type NamedTransaction = {
  id: string;
  name: string;
  status: Status;
  created_at: Instant;
  /** The creator is the sender, whose email address is shown. */
  sender: string;
  recipients: { name: string; email: string; role: string; submitted_at: Instant | null }[];
};

/** Lists transactions of all companies, newest first. @param where one of its creator's email address, and its whole name */
export async function listNamed(
  db: Db,
  where: { user?: string | undefined; name?: string | undefined },
): Promise<NamedTransaction[]> {
  let rows = db
    .selectFrom('transaction')
    .innerJoin('template', 'template.id', 'transaction.template_id')
    .innerJoin('user', 'user.id', 'transaction.created_by_id')
    .select(['transaction.id', 'transaction.template_id', 'template.name', 'transaction.status'])
    .select(['transaction.created_at', 'user.email as sender'])
    .orderBy('transaction.id', 'desc')
    .limit(NAMED);
  if (where.user !== undefined) rows = rows.where('user.email_key', '=', emailKey(where.user));
  if (where.name !== undefined) rows = rows.where('template.name', '=', where.name);
  const page = await rows.execute();
  if (page.length === 0) return [];
  const recipients = await db
    .selectFrom('recipient')
    .select(['template_id', 'name', 'email', 'role', 'submitted_at'])
    .where(
      'template_id',
      'in',
      page.map(({ template_id }) => template_id),
    )
    .orderBy('index')
    .execute();
  const listed = new Map<string, NamedTransaction['recipients']>(page.map((row) => [row.template_id, []]));
  for (const { template_id, ...recipient } of recipients) listed.get(template_id)?.push(recipient);
  return page.map(({ template_id, status, ...row }) => ({
    ...row,
    status: status as Status,
    recipients: listed.get(template_id) ?? [],
  }));
}

/** So many rows are read at a time, which takes some milliseconds. */
const SLICE = 250;

const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type FoundPage = OverviewPage & {
  /** The search stopped here before it had looked at every transaction; the next search continues from here. */
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
  const matches: OverviewRow[] = [];
  let place = from;
  let stoppedAt: string | undefined;
  for (let read = 0; matches.length <= limit; ) {
    const slice = await database.read((db) => readSlice(db, company_id, { ...query, id, from: place }));
    matches.push(
      ...slice.filter(({ haystack }) => words.every((word) => haystack.includes(word))).map(rowOf),
    );
    read += slice.length;
    const last = slice.at(-1)?.id;
    if (last === undefined || slice.length < SLICE) break;
    place = { direction: from?.direction ?? 'older', id: last };
    if (matches.length <= limit && read >= atMost) {
      stoppedAt = last;
      break;
    }
    await yieldToEventLoop();
  }
  const isMore = matches.length > limit || stoppedAt !== undefined;
  const shown = matches.slice(0, limit);
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
