// Lists the events of a company, shows them with their deliveries, and sends them again.
import type { EventType } from '../../api/contract/events.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { InputOf, OutputOf } from '../../api/contract/operations.ts';
import { paginate } from '../../api/contract/values.ts';
import { epochMsOf, instantOf } from '../../common/instant.ts';
import type { Database } from '../../database/database.ts';
import { type Handlers, ok, type RequestContext, type Result, refuse } from '../context.ts';
import { reasonForOthers } from '../domain/redirect-reason.ts';
import {
  attemptsOf,
  countsOfSubjects,
  type Delivery,
  type DeliveryAttempt,
  findSubscribers,
  loadDeliveriesOf,
  makeDueNow,
  queueDelivery,
  type Receiver,
  receiversOf,
} from '../store/delivery/deliveries.ts';
import {
  createEventCounts,
  type EventCounts,
  type EventRow,
  envelopeOf,
  eventsToReplay,
  findEvent,
  numberEvents,
  pageOfEvents,
} from '../store/delivery/events.ts';
import { findWebhook } from '../store/delivery/webhooks.ts';
import { chunks, rowsIn } from '../store/rows.ts';
import type { Db, Tables } from '../store/schema.ts';

export const eventHandlers: Handlers<'event'> = {
  /**
   * Extension: lists the events of the company, newest first; with `after`, those that happened since, oldest first
   * (assumed: A33).
   */
  'event.list': async (context, { query }) => {
    await numberEvents(context.store);
    return context.read(async (db) => {
      const { limit = DEFAULT_LIMIT, page = 1, after, ...filter } = query;
      const { company_id } = context.user;
      const last = after === undefined ? undefined : await findEvent(db, company_id, after);
      if (after !== undefined && !last) return refuse('event_not_found', { id: after });
      const selection = { ...filter, company_id, after: last, limit, page };
      const { rows, total } = await pageOfEvents(db, selection, countsOf(context.store.database));
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
  },

  /** Extension: shows an event, and where it was sent with every attempt. */
  'event.detail': (context, { params: { eventId: id } }) =>
    context.read(async (db) => {
      const event = await findEvent(db, context.user.company_id, id);
      if (!event) return refuse('event_not_found', { id });
      const deliveries = await loadDeliveriesOf(db, id);
      const ids = deliveries.filter(({ kind }) => kind === 'webhook').map(({ endpoint }) => endpoint);
      const webhooks = new Map(
        (await rowsIn(db, 'webhook', 'id', ids, 'id')).map((webhook) => [webhook.id, webhook.endpoint]),
      );
      const shown = [];
      for (const delivery of deliveries)
        shown.push(deliveryView(delivery, await attemptsOf(db, delivery.id), webhooks, context));
      return ok({ ...envelopeOf(event), deliveries: shown });
    }),

  /** Extension: sends events of the company again. */
  'event.replay': (context, { body }) =>
    replayCompanyEvents(context, { ...body, company_id: context.user.company_id }),
};

const DEFAULT_LIMIT = 25;

const COUNTS = new WeakMap<Database<Tables>, EventCounts>();

function countsOf(database: Database<Tables>): EventCounts {
  const counts = COUNTS.get(database) ?? createEventCounts();
  COUNTS.set(database, counts);
  return counts;
}

type DeliveryView = OutputOf<'event.detail'>['deliveries'][number];

/** Only the owner of the machine is shown what receivers responded (decision 0038). */
type Reader = Pick<RequestContext, 'isFromOwner'>;

export const attemptView = (
  { at, ok, status, why, answer, duration_ms, next_at }: DeliveryAttempt,
  reader: Reader,
): DeliveryView['attempts'][number] => ({
  at,
  ok: ok === 1,
  status,
  ...responseView({ why, answer }, reader),
  duration_ms,
  next_at,
});

/** The texts of an attempt may come from the receiver. */
export const responseView = (
  { why, answer }: { why: string | null; answer: string },
  { isFromOwner }: Reader,
): { why: string | null; answer: string } =>
  isFromOwner ? { why, answer } : { why: why === null ? null : reasonForOthers(why), answer: '' };

/** @param webhooks endpoints of those that there are, by id */
function deliveryView(
  { id, kind, endpoint, state, reason, created, due_at }: Delivery,
  attempts: readonly DeliveryAttempt[],
  webhooks: ReadonlyMap<string, string>,
  reader: Reader,
): DeliveryView {
  const isWebhook = kind === 'webhook';
  return {
    id,
    kind: isWebhook ? 'webhook' : 'notification',
    webhook_id: isWebhook && webhooks.has(endpoint) ? endpoint : null,
    endpoint: isWebhook ? (webhooks.get(endpoint) ?? null) : endpoint,
    state,
    reason: responseView({ why: reason, answer: '' }, reader).why,
    created,
    next_at: state === 'waiting' ? due_at : null,
    attempts: attempts.map((attempt) => attemptView(attempt, reader)),
  };
}

type EventsToReplay = NonNullable<InputOf<'event.replay'>['body']> & { company_id: string };

/** Sends events again to the receivers that subscribe to them now. A delivery that still waits is sent now instead of twice. */
export async function replayCompanyEvents(
  context: RequestContext,
  selection: EventsToReplay,
): Promise<Result<OutputOf<'event.replay'>>> {
  await numberEvents(context.store);
  return context.commit(async (db): Promise<Result<OutputOf<'event.replay'>>> => {
    const selected = await selectEvents(db, selection);
    if (!selected.ok) return selected;
    const subscribers = await findSubscribers(db, selection.company_id);
    const endpoints = await findEndpoints(db, selected.output);
    const counts = { events: 0, deliveries: 0 };
    for (const event of selected.output) {
      const receivers = receiversOf(
        event.type as EventType,
        subscribers,
        endpoints.get(event.transaction_id) ?? NOWHERE,
      ).filter(({ endpoint }) => selection.webhook_id === undefined || endpoint === selection.webhook_id);
      const count = await queueAgain(context, db, event, receivers, selection.undelivered ?? false);
      if (count > 0) counts.events += 1;
      counts.deliveries += count;
    }
    return ok(counts);
  });
}

async function selectEvents(db: Db, selection: EventsToReplay): Promise<Result<EventRow[]>> {
  const { company_id } = selection;
  if (selection.webhook_id !== undefined && !(await findWebhook(db, company_id, selection.webhook_id)))
    return refuse('webhook_not_found', { id: selection.webhook_id });
  const limit = LIMITS.eventsReplayed;
  const since = selection.since && instantOf(epochMsOf(selection.since));
  const events = await eventsToReplay(db, { ...selection, since, limit: limit + 1 });
  if (events.length > limit) return refuse('too_many_events', { count: `more than ${limit}`, limit });
  const ids = new Set(events.map((event) => event.id));
  const unknown = selection.ids?.find((id) => !ids.has(id));
  if (unknown !== undefined) return refuse('event_not_found', { id: unknown });
  if (
    selection.transaction_id !== undefined &&
    events.length === 0 &&
    !(await isOurs(db, company_id, selection.transaction_id))
  )
    return refuse('transaction_not_found', { id: selection.transaction_id });
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
  const endpoints = new Map<string, Endpoint>();
  for (const chunk of chunks(ids))
    for (const row of await rowsIn(db, 'transaction', 'id', chunk, 'id')) endpoints.set(row.id, row);
  return endpoints;
}

/** @returns how many deliveries there will be */
async function queueAgain(
  { store, now, newId }: RequestContext,
  db: Db,
  event: EventRow,
  receivers: readonly Receiver[],
  onlyUndelivered: boolean,
): Promise<number> {
  let count = 0;
  for (const receiver of receivers) {
    const state = await makeDueNow(store, db, event.id, receiver, now);
    if (state === 'delivered' && onlyUndelivered) continue;
    if (state !== 'waiting') await queueDelivery(store, db, event, receiver, { now, newId });
    count += 1;
  }
  return count;
}
