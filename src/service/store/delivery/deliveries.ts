// Stores what is to be delivered: a row for each receiver of an event or a mail, written in the commit that causes it, and
// claimed under a lease by the process that delivers (decision 0023).
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { EventType } from '../../../api/contract/events.ts';
import { addMs, type Instant, instantOf } from '../../../common/instant.ts';
import { chunks, insertRow, insertRows, rowsIn, rowsWhere, runPrepared, splitRows } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';
import type { Store } from '../store.ts';

export type Delivery = Selectable<Tables['delivery']>;
export type Receiver = Pick<Delivery, 'kind' | 'endpoint' | 'client_id'>;

/** All mails go to one server. */
export const SMTP = 'smtp';

/** A delivery tells a receiver about this event or mail of a transaction. */
export type DeliverySource = { id: string; company_id: string; transaction_id: string };

export type DeliveryWriting = { now: Instant; newId: () => string };

type Noticing = Pick<Store, 'deliveries'>;

/** Wakes the delivery loop of this process, which looks when this commit is over; a command that ends delivers before. */
function wakeDelivery({ deliveries }: Noticing): void {
  deliveries.isWritten = true;
  deliveries.wake();
}

/** @param whyUnsent why it is not sent at all, where it is not: then it is undelivered from the beginning */
export async function queueDelivery(
  store: Noticing,
  db: Db,
  { id: subject_id, company_id, transaction_id }: DeliverySource,
  { kind, endpoint, client_id }: Receiver,
  { now, newId }: DeliveryWriting,
  whyUnsent?: string,
): Promise<void> {
  await insertRow(db, 'delivery', {
    id: newId(),
    company_id,
    transaction_id,
    kind,
    endpoint,
    client_id,
    subject_id,
    state: whyUnsent === undefined ? 'waiting' : 'undelivered',
    reason: whyUnsent ?? null,
    attempts: 0,
    due_at: now,
    scheduled_at: now,
    lease: null,
    leased_until: null,
    created: now,
    done_at: whyUnsent === undefined ? null : now,
  });
  if (whyUnsent === undefined) wakeDelivery(store);
  else store.deliveries.undeliveredMails += 1;
}

/**
 * Makes the delivery that waits there due now, whatever its schedule says.
 * @returns how the event stands with this receiver: `waiting` before anything else
 */
export async function makeDueNow(
  store: Noticing,
  db: Db,
  subject_id: string,
  { endpoint }: Receiver,
  now: Instant,
): Promise<Delivery['state'] | undefined> {
  const rows = await db
    .selectFrom('delivery')
    .select(['id', 'state'])
    .where('subject_id', '=', subject_id)
    .where('endpoint', '=', endpoint)
    .execute();
  const waiting = rows.find(({ state }) => state === 'waiting');
  if (!waiting) return rows.find(({ state }) => state === 'delivered')?.state ?? rows[0]?.state;
  await db
    .updateTable('delivery')
    .set({ due_at: now, scheduled_at: now })
    .where('id', '=', waiting.id)
    .where('state', '=', 'waiting')
    .execute();
  wakeDelivery(store);
  return 'waiting';
}

export type Subscriber = { id: string; events: readonly EventType[] };

/** Finds the webhooks of a company that events are sent to. */
export async function findSubscribers(db: Db, company_id: string): Promise<Subscriber[]> {
  const rows = await rowsWhere(db, 'webhook', 'company_id', company_id, 'created_at');
  return rows
    .filter(({ enabled }) => enabled === 1)
    .map(({ id, events }) => ({ id, events: JSON.parse(events) as EventType[] }));
}

/**
 * Lists the receivers of an event. It is sent to the webhooks that subscribed to its type, and to the endpoint of its
 * transaction (spec §6; A31).
 */
export const receiversOf = (
  type: EventType,
  subscribers: readonly Subscriber[],
  { notification_endpoint, client_id }: Pick<Tables['transaction'], 'notification_endpoint' | 'client_id'>,
): Receiver[] => [
  ...subscribers
    .filter(({ events }) => events.includes(type))
    .map(({ id }) => ({ kind: 'webhook' as const, endpoint: id, client_id: null })),
  ...(notification_endpoint === null
    ? []
    : [{ kind: 'notification' as const, endpoint: notification_endpoint, client_id }]),
];

/** @returns when the next delivery is due, after `now` */
export async function nextDeliveryDue(db: Db, now: Instant): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.min('due_at').as('at'))
    .where('state', '=', 'waiting')
    .where('due_at', '>', now)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** @returns whether a delivery waits that is due, claimed or not; one that waits for an earlier one that was postponed is not due */
export async function isDeliveryDue(db: Db, now: Instant): Promise<boolean> {
  const { rows } = await sql`
    select seq from delivery as due where due.state = 'waiting' and due.due_at <= ${now}
    and (due.attempts > 0 or not exists (
      select 1 from delivery as earlier
      where earlier.state = 'waiting' and earlier.attempts = 0 and earlier.due_at > ${now}
      and earlier.transaction_id = due.transaction_id and earlier.endpoint = due.endpoint
      and earlier.seq < due.seq)) limit 1`.execute(db);
  return rows.length > 0;
}

// --- Claims ---

/**
 * A claim is good for longer than any attempt takes. Deliveries that a killed process had claimed are free after that at
 * the latest.
 */
const LEASE_MS = { message: 20_000, mail: 60_000 };

/** The times are real, by the clock of the machine. A lease that is taken now ends at `message`, or at `mail`. */
export type LeaseTimes = { nowReal: Instant; message: Instant; mail: Instant; furthest: FurthestEnds };

/**
 * A lease that ends later than this was taken before the clock was set back. It is twice the length of a lease, because another
 * process may have read a clock that is ahead, or have read the clock after this one did.
 */
type FurthestEnds = { message: Instant; mail: Instant };

/** @param leaseMs in place of the usual length */
export function leaseTimes(realMs: number, leaseMs?: number): LeaseTimes {
  const messageMs = leaseMs ?? LEASE_MS.message;
  const mailMs = leaseMs ?? LEASE_MS.mail;
  return {
    nowReal: instantOf(realMs),
    message: instantOf(realMs + messageMs),
    mail: instantOf(realMs + mailMs),
    furthest: { message: instantOf(realMs + 2 * messageMs), mail: instantOf(realMs + 2 * mailMs) },
  };
}

/** Deliveries are due by the clock of the service; leases use the clock of the machine. */
export type Claim = { lease: string; now: Instant; times: LeaseTimes };

/**
 * Makes the condition that no process has a claim. A lease that ends later than `furthest` is from before the clock was set
 * back: it does not count, except for the process that holds it.
 */
const isFree = (table: string, furthest: RawBuilder<unknown>, { lease, times }: Claim) => {
  const [until, holder] = [sql.ref(`${table}.leased_until`), sql.ref(`${table}.lease`)];
  return sql`(${until} is null or ${until} < ${times.nowReal} or (${until} > ${furthest} and ${holder} <> ${lease}))`;
};

/**
 * Lists the endpoints at which something is due, each found by one step through the index, however much waits at one of
 * them.
 */
export async function findDueEndpoints(db: Db, claim: Claim): Promise<string[]> {
  const { now, times } = claim;
  const furthest = sql`case when delivery.endpoint = ${SMTP} then ${times.furthest.mail} else ${times.furthest.message} end`;
  const { rows } = await sql<{ endpoint: string }>`
    with recursive waiting(endpoint) as (
      select min(endpoint) from delivery where state = 'waiting'
      union all
      select (select min(endpoint) from delivery where state = 'waiting' and delivery.endpoint > waiting.endpoint)
      from waiting where waiting.endpoint is not null
    )
    select endpoint from waiting where endpoint is not null and exists (
      select 1 from delivery where state = 'waiting' and delivery.endpoint = waiting.endpoint
      and due_at <= ${now} and ${isFree('delivery', furthest, claim)})`.execute(db);
  return rows.map(({ endpoint }) => endpoint);
}

/** @returns whether a process that looks once has something to deliver; what was scheduled in the future was so before the clock was set back */
export async function isAnythingDue(db: Db, now: Instant, realMs: number): Promise<boolean> {
  // Every command asks, and nearly always nothing waits.
  const waiting = await sql`select 1 as one from delivery where state = 'waiting' limit 1`.execute(db);
  if (waiting.rows.length === 0) return false;
  const claim = { lease: '', now, times: leaseTimes(realMs) };
  if ((await findDueEndpoints(db, claim)).length > 0) return true;
  const { rows } = await sql`
    select seq from delivery where state = 'waiting' and scheduled_at > ${addMs(now, CLOCKS_DIFFER_MS)} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Claims what is due at an endpoint, longest due first. A first attempt waits until everything before it, of the same
 * transaction at the same endpoint, was attempted (assumed: A47).
 * On PostgreSQL, it passes over what another process claims in this moment.
 */
export async function claimDue(
  db: Db,
  endpoint: string,
  count: number,
  claim: Claim,
  dialect: Store['database']['dialect'],
): Promise<Delivery[]> {
  const { lease, now, times } = claim;
  const skippingLocked = dialect === 'postgres' ? sql`for update of due skip locked` : sql``;
  const kind = endpoint === SMTP ? 'mail' : 'message';
  const until = times[kind];
  const { rows } = await sql<Delivery>`
    update delivery set lease = ${lease}, leased_until = ${until} where seq in (
      select due.seq from delivery as due
      where due.state = 'waiting' and due.endpoint = ${endpoint} and due.due_at <= ${now}
      and ${isFree('due', sql`${times.furthest[kind]}`, claim)}
      and (due.attempts > 0 or not exists (
        select 1 from delivery as earlier
        where earlier.state = 'waiting' and earlier.attempts = 0
        and earlier.transaction_id = due.transaction_id and earlier.endpoint = due.endpoint
        and earlier.seq < due.seq))
      order by due.due_at, due.seq limit ${count} ${skippingLocked})
    returning *`.execute(db);
  return rows.sort((a, b) => a.seq - b.seq);
}

/** An attempt changes this of its delivery. */
export type Next =
  | { state: 'delivered' }
  | { state: 'undelivered'; reason: string }
  | { state: 'waiting'; due_at: Instant };

export type DeliveryAttempt = Selectable<Tables['attempt']>;

/** An attempt is stored in this form. */
export type AttemptRow = Omit<Selectable<Tables['attempt']>, 'seq' | 'delivery_id' | 'endpoint'>;

/** Records the attempt in any case; only the process that still has the lease decides what comes next. */
export async function recordAttempt(
  db: Db,
  { id, endpoint, lease }: Pick<Delivery, 'id' | 'endpoint' | 'lease'>,
  attempt: AttemptRow,
  next: Next,
): Promise<void> {
  await insertRow(db, 'attempt', { ...attempt, delivery_id: id, endpoint });
  const isDone = next.state !== 'waiting';
  await sql`update delivery set attempts = attempts + 1, state = ${next.state},
      reason = ${next.state === 'undelivered' ? next.reason : null},
      due_at = ${next.state === 'waiting' ? next.due_at : sql.ref('due_at')}, scheduled_at = ${attempt.at},
      lease = null, leased_until = null, done_at = ${isDone ? attempt.at : null}
    where id = ${id} and lease = ${lease} and state = 'waiting'`.execute(db);
}

export type Delivered = { delivery: Delivery; attempt: AttemptRow };

/** Records successful attempts, many of one lease together. */
export async function recordDelivered(
  db: Db,
  lease: string,
  delivered: readonly Delivered[],
  now: Instant,
): Promise<void> {
  await insertRows(
    db,
    'attempt',
    delivered.map(({ delivery: { id, endpoint }, attempt }) => ({ ...attempt, delivery_id: id, endpoint })),
  );
  for (const piece of splitRows(delivered)) {
    const seqs = piece.map(({ delivery }) => delivery.seq);
    await runPrepared(
      db,
      `delivered ${piece.length}`,
      () =>
        db
          .updateTable('delivery')
          .set((eb) => ({
            attempts: sql<number>`attempts + 1`,
            state: eb.val('delivered' as const),
            scheduled_at: now,
            done_at: now,
            lease: eb.lit(null),
            leased_until: eb.lit(null),
          }))
          .where('lease', '=', lease)
          .where('state', '=', 'waiting')
          .where('seq', 'in', seqs),
      ['delivered', now, now, lease, 'waiting', ...seqs],
    );
  }
}

/** Gives deliveries back without an attempt. */
export async function releaseLease(db: Db, { id, lease }: Pick<Delivery, 'id' | 'lease'>): Promise<void> {
  await sql`update delivery set lease = null, leased_until = null where id = ${id} and lease = ${lease}`.execute(
    db,
  );
}

/** Gives a delivery back without an attempt, for a later time. */
export async function postponeDelivery(
  db: Db,
  { id, lease }: Pick<Delivery, 'id' | 'lease'>,
  due_at: Instant,
): Promise<void> {
  await sql`update delivery set lease = null, leased_until = null, due_at = ${due_at}
    where id = ${id} and lease = ${lease} and state = 'waiting'`.execute(db);
}

/**
 * Deliveries that are scheduled by no more than this after now were scheduled by a process that read its clock after this
 * one did.
 */
const CLOCKS_DIFFER_MS = 5000;

/** Schedules deliveries anew, so that none waits longer because the clock of the service was set back. */
export async function rescheduleAfterClock(db: Db, now: Instant): Promise<void> {
  await sql`update delivery set due_at = ${now}, scheduled_at = ${now}
    where state = 'waiting' and scheduled_at > ${addMs(now, CLOCKS_DIFFER_MS)}`.execute(db);
}

/**
 * Gives up the deliveries that wait for this receiver. They are kept as undelivered, with the reason, and can be replayed.
 */
export async function giveUp(db: Db, endpoint: string, reason: string, now: Instant): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'undelivered', reason, done_at: now, lease: null, leased_until: null })
    .where('endpoint', '=', endpoint)
    .where('state', '=', 'waiting')
    .execute();
}

/** @returns how many emails of all companies were given up since then */
export async function countUndeliveredMails(db: Db, since: Instant): Promise<number> {
  const row = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('endpoint', '=', SMTP)
    .where('state', '=', 'undelivered')
    .where('done_at', '>', since)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export type WaitingDeliveries = { count: number; oldest: Instant | undefined };

/** @returns how many deliveries wait, due or not, and when the oldest of them was made */
export async function measureWaiting(
  db: Db,
): Promise<{ events: WaitingDeliveries; mails: WaitingDeliveries }> {
  const rows = await db
    .selectFrom('delivery')
    .select((eb) => ['kind', eb.fn.countAll().as('count'), eb.fn.min('created').as('oldest')])
    .where('state', '=', 'waiting')
    .groupBy('kind')
    .execute();
  const sum = (selected: typeof rows): WaitingDeliveries => ({
    count: selected.reduce((total, { count }) => total + Number(count), 0),
    oldest: selected.map(({ oldest }) => oldest).sort()[0],
  });
  return {
    events: sum(rows.filter(({ kind }) => kind !== 'mail')),
    mails: sum(rows.filter(({ kind }) => kind === 'mail')),
  };
}

// --- What can be seen of them ---

export type Counts = Record<Delivery['state'], number>;

const NONE: Counts = { waiting: 0, delivered: 0, undelivered: 0 };

export async function countsOfEndpoint(db: Db, endpoint: string): Promise<Counts> {
  const rows = await db
    .selectFrom('delivery')
    .select((eb) => ['state', eb.fn.countAll().as('count')])
    .where('endpoint', '=', endpoint)
    .groupBy('state')
    .execute();
  return { ...NONE, ...Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)])) };
}

/** @returns the counts by the event or mail that the deliveries tell */
export async function countsOfSubjects(db: Db, ids: readonly string[]): Promise<Map<string, Counts>> {
  const countsBySubject = new Map<string, Counts>();
  for (const chunk of chunks([...ids])) {
    const rows = await db
      .selectFrom('delivery')
      .select((eb) => ['subject_id', 'state', eb.fn.countAll().as('count')])
      .where('subject_id', 'in', chunk)
      .groupBy(['subject_id', 'state'])
      .execute();
    for (const { subject_id, state, count } of rows)
      countsBySubject.set(subject_id, {
        ...(countsBySubject.get(subject_id) ?? NONE),
        [state]: Number(count),
      });
  }
  return countsBySubject;
}

export const loadDeliveriesOf = (db: Db, subject_id: string): Promise<Delivery[]> =>
  db.selectFrom('delivery').selectAll().where('subject_id', '=', subject_id).orderBy('seq').execute();

export const attemptsOf = (db: Db, delivery_id: string): Promise<DeliveryAttempt[]> =>
  db.selectFrom('attempt').selectAll().where('delivery_id', '=', delivery_id).orderBy('seq').execute();

/** Lists the last attempts, newest first, with the event that each was about. */
export const lastAttemptsAt = (db: Db, webhook_id: string, count: number) =>
  db
    .selectFrom('attempt')
    .innerJoin('delivery', 'delivery.id', 'attempt.delivery_id')
    .innerJoin('event', 'event.id', 'delivery.subject_id')
    .selectAll('attempt')
    .select(['event.id as event_id', 'event.type as event_type'])
    .where('attempt.endpoint', '=', webhook_id)
    .orderBy('attempt.seq', 'desc')
    .limit(count)
    .execute();

/** @returns the deliveries to a webhook, newest first, each with its last attempt */
export async function lastDeliveriesTo(db: Db, webhook_id: string, count: number) {
  const deliveries = await db
    .selectFrom('delivery')
    .innerJoin('event', 'event.id', 'delivery.subject_id')
    .select(['delivery.id', 'delivery.transaction_id', 'delivery.state', 'delivery.reason'])
    .select(['delivery.attempts', 'delivery.created', 'delivery.due_at'])
    .select(['event.id as event_id', 'event.type as event_type'])
    .where('delivery.endpoint', '=', webhook_id)
    .orderBy('delivery.seq', 'desc')
    .limit(count)
    .execute();
  const ids = deliveries.map(({ id }) => id);
  const attempts = ids.length === 0 ? [] : await rowsIn(db, 'attempt', 'delivery_id', ids, 'seq');
  const last = new Map(attempts.map((attempt) => [attempt.delivery_id, attempt]));
  return deliveries.map((delivery) => ({ ...delivery, last: last.get(delivery.id) }));
}
