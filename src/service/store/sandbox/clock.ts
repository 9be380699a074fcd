// Stores how the clock of a sandbox differs from that of its machine, as one row that every process that uses the store reads, and lists what happened
// when the clock was moved.
import { LIMITS } from '../../../api/contract/limits.ts';
import { epochMsOf, type Instant } from '../../../common/instant.ts';
import type { Db } from '../schema.ts';

export type ClockSetting = {
  /** This many milliseconds are added to the clock of the machine. */
  offset_ms: number;
  /** The instant at which the clock stands still; null while it runs. */
  paused_at: Instant | null;
};

export const REAL_TIME: ClockSetting = { offset_ms: 0, paused_at: null };

export const isRealTime = ({ offset_ms, paused_at }: ClockSetting): boolean =>
  offset_ms === 0 && paused_at === null;

/** @param machineMs the clock of the machine; both are milliseconds since 1970 */
export const timeBy = ({ offset_ms, paused_at }: ClockSetting, machineMs: number): number =>
  paused_at === null ? machineMs + offset_ms : epochMsOf(paused_at);

/** The row in `meta` has this key. */
export const CLOCK_KEY = 'clock';

export async function readClockSetting(db: Db): Promise<ClockSetting> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', CLOCK_KEY).executeTakeFirst();
  return row ? (JSON.parse(row.value) as ClockSetting) : REAL_TIME;
}

export async function writeClockSetting(db: Db, setting: ClockSetting): Promise<void> {
  if (isRealTime(setting)) {
    await db.deleteFrom('meta').where('key', '=', CLOCK_KEY).execute();
    return;
  }
  const value = JSON.stringify(setting);
  await db
    .insertInto('meta')
    .values({ key: CLOCK_KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** It happened at its time. The `id` is that of the event or the email. */
type FiredItem = {
  type: 'transaction_expired' | 'delivery_attempted';
  at: Instant;
  transaction_id: string;
  id: string;
  /** Only an attempt to deliver has one; otherwise it is null. */
  attempt: FiredAttempt | null;
};

type FiredAttempt = {
  kind: 'webhook' | 'notification' | 'mail';
  /** An endpoint is the ID of a webhook, the URL of a notification endpoint, or `smtp`. */
  endpoint: string;
  ok: boolean;
  status: number | null;
  why: string | null;
  /** The next attempt is made then; null means that there is none. */
  next_at: Instant | null;
};

/** It has the first items, in their order, and says how many there are in all. */
export type Fired = { fired: FiredItem[]; fired_total: number };

/** The event and the attempt are the last of a moment: those that come after them happened later. */
type LastFired = { event: number; attempt: number };

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

/** Lists what happened since. Call `numberEvents` before. */
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
