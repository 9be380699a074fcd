// Sends events again, for the operation and the page of a webhook. Another company's id is unknown.
import type { EventType } from '../../api/contract/events.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { epochMsOf, instantOf } from '../../common/instant.ts';
import { type Handler, ok, type RequestContext, type Result, refuse } from '../context.ts';
import {
  findSubscribers,
  makeDueNow,
  queueDelivery,
  type Receiver,
  receiversOf,
} from '../store/deliveries.ts';
import { numberEvents } from '../store/event-numbers.ts';
import { type EventRow, eventsToReplay } from '../store/events.ts';
import { chunks, rowsIn } from '../store/rows.ts';
import type { Db, Tables } from '../store/schema.ts';
import { findWebhook } from '../store/webhooks.ts';

/** Which events, of which company, and to which webhook: as `event.replay` takes them. */
export type EventsToReplay = Parameters<Handler<'event.replay'>>[1]['body'] & { company_id: string };

/** How many events are sent again, in how many deliveries. */
export type ReplayResult = { events: number; deliveries: number };

/** Sends events again to the receivers that subscribe to them now. A delivery that still waits is sent now instead of twice. */
export async function replayCompanyEvents(
  context: RequestContext,
  asked: EventsToReplay,
): Promise<Result<ReplayResult>> {
  await numberEvents(context.store);
  return context.commit(async (db): Promise<Result<ReplayResult>> => {
    const found = await selectEvents(db, asked);
    if (!found.ok) return found;
    const subscribers = await findSubscribers(db, asked.company_id);
    const endpoints = await findEndpoints(db, found.output);
    const told = { events: 0, deliveries: 0 };
    for (const event of found.output) {
      const receivers = receiversOf(
        event.type as EventType,
        subscribers,
        endpoints.get(event.transaction_id) ?? NOWHERE,
      ).filter(({ endpoint }) => asked.webhook_id === undefined || endpoint === asked.webhook_id);
      const count = await queueAgain(context, db, event, receivers, asked.undelivered ?? false);
      if (count > 0) told.events += 1;
      told.deliveries += count;
    }
    return ok(told);
  });
}

async function selectEvents(db: Db, asked: EventsToReplay): Promise<Result<EventRow[]>> {
  const { company_id } = asked;
  if (asked.webhook_id !== undefined && !(await findWebhook(db, company_id, asked.webhook_id)))
    return refuse('webhook_not_found', { id: asked.webhook_id });
  const limit = LIMITS.eventsReplayed;
  const since = asked.since && instantOf(epochMsOf(asked.since));
  const events = await eventsToReplay(db, { ...asked, since, limit: limit + 1 });
  if (events.length > limit) return refuse('too_many_events', { count: `more than ${limit}`, limit });
  const known = new Set(events.map((event) => event.id));
  const unknown = asked.ids?.find((id) => !known.has(id));
  if (unknown !== undefined) return refuse('event_not_found', { id: unknown });
  if (
    asked.transaction_id !== undefined &&
    events.length === 0 &&
    !(await isOurs(db, company_id, asked.transaction_id))
  )
    return refuse('transaction_not_found', { id: asked.transaction_id });
  return ok(events);
}

async function isOurs(db: Db, company_id: string, id: string): Promise<boolean> {
  const [row] = await rowsIn(db, 'transaction', 'id', [id], 'id');
  return row?.company_id === company_id;
}

const NOWHERE = { notification_endpoint: null, client_id: null };

type Endpoint = Pick<Tables['transaction'], 'notification_endpoint' | 'client_id'>;

async function findEndpoints(db: Db, events: readonly EventRow[]): Promise<Map<string, Endpoint>> {
  const ids = [...new Set(events.map((event) => event.transaction_id))];
  const found = new Map<string, Endpoint>();
  for (const chunk of chunks(ids))
    for (const row of await rowsIn(db, 'transaction', 'id', chunk, 'id')) found.set(row.id, row);
  return found;
}

/** @returns how many deliveries there will be */
async function queueAgain(
  { store, now, facts }: RequestContext,
  db: Db,
  event: EventRow,
  receivers: readonly Receiver[],
  onlyUndelivered: boolean,
): Promise<number> {
  let count = 0;
  for (const receiver of receivers) {
    const state = await makeDueNow(store, db, event.id, receiver, now);
    if (state === 'delivered' && onlyUndelivered) continue;
    if (state !== 'waiting') await queueDelivery(store, db, event, receiver, { now, newId: facts.newId });
    count += 1;
  }
  return count;
}
