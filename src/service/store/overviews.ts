// Lists a company's transactions: what a line of the list shows, and nothing else. Ids are in the order of time, so that a page
// begins at an id: neither the first page nor the thousandth counts what comes before it.

import type { Role } from '../../api/contract/recipients.ts';
import type { Instant } from '../../common/instant.ts';
import type { Status } from '../domain/transaction.ts';
import { emailKey } from './accounts.ts';
import type { Db } from './schema.ts';

export type OverviewRecipient = {
  name: string;
  email: string;
  is_current: boolean;
  /** Whether the recipient has to do something (assumed: A12). */
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
  /** When it was completed, rejected, cancelled or expired. */
  ended_at: Instant | null;
  /** In their order. */
  recipients: OverviewRecipient[];
};

export type OverviewPage = {
  /** Newest first. */
  items: Overview[];
  hasNewer: boolean;
  hasOlder: boolean;
};

export type OverviewQuery = {
  status?: Status | undefined;
  /** From the id of a transaction on, which is not part of the page; without one, the newest. */
  from?: { direction: 'older' | 'newer'; id: string } | undefined;
  limit: number;
  /** Only the transaction with this id. */
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

export type OverviewRow = Awaited<ReturnType<ReturnType<typeof pageRows>['execute']>>[number];

export async function withRecipients(db: Db, rows: readonly OverviewRow[]): Promise<Overview[]> {
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

/** One more than asked for, where there is one. */
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

/** By the content of their transaction. */
async function recipientsOf(
  db: Db,
  templateIds: readonly string[],
): Promise<ReadonlyMap<string, OverviewRecipient[]>> {
  const found = new Map<string, OverviewRecipient[]>(templateIds.map((id) => [id, []]));
  if (templateIds.length === 0) return found;
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
    found.get(template_id)?.push({
      ...row,
      is_current: is_current === 1,
      acts: (role as Role) !== 'sender' || Boolean(has_fields),
    });
  return found;
}

/** So many at most. */
const NAMED = 1000;

export type NamedTransaction = {
  id: string;
  name: string;
  status: Status;
  created_at: Instant;
  /** The email address of its creator. */
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
  const found = await rows.execute();
  if (found.length === 0) return [];
  const recipients = await db
    .selectFrom('recipient')
    .select(['template_id', 'name', 'email', 'role', 'submitted_at'])
    .where(
      'template_id',
      'in',
      found.map(({ template_id }) => template_id),
    )
    .orderBy('index')
    .execute();
  const listed = new Map<string, NamedTransaction['recipients']>(found.map((row) => [row.template_id, []]));
  for (const { template_id, ...recipient } of recipients) listed.get(template_id)?.push(recipient);
  return found.map(({ template_id, status, ...row }) => ({
    ...row,
    status: status as Status,
    recipients: listed.get(template_id) ?? [],
  }));
}
