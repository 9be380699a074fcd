import { paginate } from '../../../api/contract/paging.ts';
import type { Database } from '../../../database/database.ts';
import { type Handler, ok, refuse } from '../../context.ts';
import { countsOfSubjects } from '../../store/deliveries.ts';
import { numberEvents } from '../../store/event-numbers.ts';
import {
  createEventCounts,
  type EventCounts,
  envelopeOf,
  findEvent,
  pageOfEvents,
} from '../../store/events.ts';
import type { Tables } from '../../store/schema.ts';

const DEFAULT_LIMIT = 25;

const COUNTS = new WeakMap<Database<Tables>, EventCounts>();

function countsOf(database: Database<Tables>): EventCounts {
  const counts = COUNTS.get(database) ?? createEventCounts();
  COUNTS.set(database, counts);
  return counts;
}

/** Extension: the events of the company, newest first; with `after`, what happened since, oldest first (assumed: A33). */
export const eventList: Handler<'event.list'> = async (context, { query }) => {
  await numberEvents(context.store);
  return context.read(async (db) => {
    const { limit = DEFAULT_LIMIT, page = 1, after, ...which } = query;
    const { company_id } = context.user;
    const last = after === undefined ? undefined : await findEvent(db, company_id, after);
    if (after !== undefined && !last) return refuse('event_not_found', { id: after });
    const asked = { ...which, company_id, after: last, limit, page };
    const { rows, total } = await pageOfEvents(db, asked, countsOf(context.store.database));
    const counts = await countsOfSubjects(
      db,
      rows.map(({ id }) => id),
    );
    return ok({
      items: rows.map((row) => ({
        ...envelopeOf(row),
        deliveries: counts.get(row.id) ?? { delivered: 0, waiting: 0, undelivered: 0 },
      })),
      meta: paginate(total, limit, page),
    });
  });
};
