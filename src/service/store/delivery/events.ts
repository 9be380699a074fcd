// Reads the events of a company, to be shown and sent again. Company isolation: another company's id finds nothing. Readers
// that follow the events use `seq`, the order of commits: SQLite numbers them by itself; PostgreSQL runs commits beside
// each other, so there the numbers are given after the commits.
import { type Selectable, sql } from 'kysely';
import type { Envelope, EventType } from '../../../api/contract/events.ts';
import type { Instant } from '../../../common/instant.ts';
import { chunks } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';
import type { Store } from '../store.ts';

export type EventRow = Selectable<Tables['event']>;

/** Makes the envelope of an event (spec §6, Envelope). */
export const envelopeOf = ({
  id,
  type,
  created,
  data,
}: Pick<EventRow, 'id' | 'type' | 'created' | 'data'>): Envelope => ({
  created,
  id,
  type: type as EventType,
  data: JSON.parse(data) as Record<string, unknown>,
});

export const findEvent = (db: Db, company_id: string, id: string): Promise<EventRow | undefined> =>
  db
    .selectFrom('event')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', company_id)
    .executeTakeFirst();

type EventPageQuery = {
  company_id: string;
  transaction_id?: string | undefined;
  type?: EventType | undefined;
  undelivered?: boolean | undefined;
  after: EventRow | undefined;
  limit: number;
  page: number;
};

/** Lists events, newest first; after an event, oldest first. @param counts what was counted before in this database */
export async function pageOfEvents(
  db: Db,
  query: EventPageQuery,
  counts?: EventCounts,
): Promise<{ rows: EventRow[]; total: number }> {
  const { company_id, transaction_id, type, undelivered, after, limit, page } = query;
  let matching = db.selectFrom('event').where('company_id', '=', company_id).where('seq', 'is not', null);
  if (transaction_id !== undefined) matching = matching.where('transaction_id', '=', transaction_id);
  if (type !== undefined) matching = matching.where('type', '=', type);
  if (after) matching = matching.where('seq', '>', after.seq);
  if (undelivered)
    matching = matching.where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('subject_id')
        .where('delivery.company_id', '=', company_id)
        .where('delivery.state', '<>', 'delivered'),
    );
  const isWhole = transaction_id === undefined && type === undefined && !after && !undelivered;
  const total =
    isWhole && counts
      ? await counts.countOf(db, company_id)
      : Number((await matching.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
  const rows = await matching
    .selectAll()
    .orderBy('seq', after ? 'asc' : 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows, total };
}

/** Counts the events of companies. Events are never removed, so that only those are counted that are later than the last one of before. */
export type EventCounts = { countOf(db: Db, company_id: string): Promise<number> };

const COMPANIES_COUNTED = 1000;

export function createEventCounts(): EventCounts {
  const counted = new Map<string, { id: string; seq: number; count: number }>();
  return {
    async countOf(db, company_id) {
      const before = counted.get(company_id);
      // Another state of the sandbox may have been restored, and a snapshot may be older.
      const isThere = before && (await findEvent(db, company_id, before.id))?.seq === before.seq;
      const start = isThere ? before : { seq: 0, count: 0 };
      const later = db.selectFrom('event').where('company_id', '=', company_id).where('seq', '>', start.seq);
      const { count } = await later.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
      const total = start.count + Number(count);
      const last = await later.select(['id', 'seq']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
      if (!last) return total;
      counted.delete(company_id);
      counted.set(company_id, { ...last, count: total });
      for (const oldest of counted.keys()) {
        if (counted.size <= COMPANIES_COUNTED) break;
        counted.delete(oldest);
      }
      return total;
    },
  };
}

type ReplayQuery = {
  company_id: string;
  ids?: readonly string[] | undefined;
  transaction_id?: string | undefined;
  since?: Instant | undefined;
  limit: number;
};

/** Lists at most `limit` events in the order in which they happened. They must fit all parts of the query. */
export async function eventsToReplay(db: Db, query: ReplayQuery): Promise<EventRow[]> {
  const { company_id, ids, transaction_id, since, limit } = query;
  const idChunks = ids ? chunks([...new Set(ids)]) : [undefined];
  const events: EventRow[] = [];
  for (const part of idChunks) {
    let matching = db
      .selectFrom('event')
      .selectAll()
      .where('company_id', '=', company_id)
      .where('seq', 'is not', null);
    if (part) matching = matching.where('id', 'in', part);
    if (transaction_id !== undefined) matching = matching.where('transaction_id', '=', transaction_id);
    if (since !== undefined) matching = matching.where('created', '>=', since);
    events.push(...(await matching.orderBy('seq').limit(limit).execute()));
  }
  return events.sort((a, b) => a.seq - b.seq);
}

/** Finds the numbers of those that have none yet: `last.seq + ordered.number` is that of the event with the same `inserted`. */
const NUMBERING = `
  with grouped as (
    select inserted, min(inserted) over (partition by xmin::text) as first from event where seq is null
  ), ordered as (
    select inserted, row_number() over (order by first, inserted) as number from grouped
  ), last as (
    select coalesce(max(seq), 0) as seq from event
  )`;

/**
 * Selects events of PostgreSQL in their order, those without a number with the one that they would get now. It changes nothing.
 * @param columns quoted names, without `seq`
 */
export const selectNumberedEvents = (columns: readonly string[]): string =>
  `${NUMBERING}
  select coalesce(event.seq, last.seq + ordered.number) as seq, ${columns.map((column) => `event.${column}`).join(', ')}
  from last, event left join ordered on ordered.inserted = event.inserted order by 1`;

/**
 * Numbers the events whose commits are over. Call it before events are read in their order: no number that is given later is
 * smaller than one that was read. The events of one commit are together, and those of a transaction in the order of its changes.
 */
export async function numberEvents({ database }: Pick<Store, 'database'>): Promise<void> {
  if (database.dialect === 'sqlite' || !(await database.read(isAnyWithoutNumber))) return;
  await database.write(
    async (db) => {
      await database.lockName(db, 'numbers of events');
      await sql`${sql.raw(NUMBERING)}
        update event set seq = last.seq + ordered.number from ordered, last where event.inserted = ordered.inserted`.execute(
        db,
      );
    },
    [],
    'locked',
  );
}

async function isAnyWithoutNumber(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from event where seq is null limit 1`.execute(db);
  return rows.length > 0;
}
