// Numbers events in the order of their commits, for those who follow them. SQLite does so by itself; PostgreSQL runs commits beside
// each other, so there the numbers are given after the commits.
import { sql } from 'kysely';
import type { Db } from './schema.ts';
import type { Store } from './store.ts';

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
