// Lists what happened because its time had come: transactions that expired, and attempts to deliver.
import { LIMITS } from '../../api/contract/limits.ts';
import type { Instant } from '../../common/instant.ts';
import type { Db } from './schema.ts';

/** One thing that happened at its time. `id` is that of the event or the email. */
export type FiredItem = {
  type: 'transaction_expired' | 'delivery_attempted';
  at: Instant;
  transaction_id: string;
  id: string;
  /** Null for what is no attempt to deliver. */
  attempt: FiredAttempt | null;
};

export type FiredAttempt = {
  kind: 'webhook' | 'notification' | 'mail';
  /** The ID of the webhook, the URL of the notification endpoint, or `smtp`. */
  endpoint: string;
  ok: boolean;
  status: number | null;
  why: string | null;
  /** When it is tried again; null where it is not. */
  next_at: Instant | null;
};

/** The first items, in their order, and how many there are in all. */
export type Fired = { fired: FiredItem[]; fired_total: number };

/** The last event and the last attempt of a moment: what comes after them happened later. */
export type LastFired = { event: number; attempt: number };

export async function lastFired(db: Db): Promise<LastFired> {
  const event = await db
    .selectFrom('event')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst();
  const attempt = await db
    .selectFrom('attempt')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst();
  return { event: Number(event?.seq ?? 0), attempt: Number(attempt?.seq ?? 0) };
}

/** Call `numberEvents` before. */
export async function listFired(db: Db, after: LastFired): Promise<Fired> {
  const expired = db
    .selectFrom('event')
    .where('type', '=', 'transaction_expired')
    .where('seq', '>', after.event);
  const attempted = db
    .selectFrom('attempt')
    .innerJoin('delivery', 'delivery.id', 'attempt.delivery_id')
    .where('attempt.seq', '>', after.attempt);
  const counts = [
    await expired.select((eb) => eb.fn.countAll().as('count')).executeTakeFirst(),
    await attempted.select((eb) => eb.fn.countAll().as('count')).executeTakeFirst(),
  ];
  const events = await expired
    .select(['id', 'transaction_id', 'created as at'])
    .orderBy('seq')
    .limit(LIMITS.firedListed)
    .execute();
  const attempts = await attempted
    .select(['attempt.at', 'attempt.ok', 'attempt.status', 'attempt.why', 'attempt.next_at'])
    .select(['delivery.transaction_id', 'delivery.subject_id as id', 'delivery.kind', 'delivery.endpoint'])
    .orderBy('attempt.seq')
    .limit(LIMITS.firedListed)
    .execute();
  const fired: FiredItem[] = [
    ...events.map((row) => ({ type: 'transaction_expired' as const, ...row, attempt: null })),
    ...attempts.map(({ at, transaction_id, id, ok, ...attempt }) => ({
      type: 'delivery_attempted' as const,
      at,
      transaction_id,
      id,
      attempt: { ...attempt, ok: ok === 1 },
    })),
  ];
  // An expiry comes before the attempts to tell of it; the sort keeps the order of equals.
  fired.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return {
    fired: fired.slice(0, LIMITS.firedListed),
    fired_total: counts.reduce((sum, row) => sum + Number(row?.count ?? 0), 0),
  };
}
