// Moves the clock of a sandbox forward, and does what becomes due on the way, in its order: transactions expire, deliveries are
// tried again. It stops at each instant at which something is due.
import { setTimeout as pause } from 'node:timers/promises';
import { epochMsOf, type Instant, instantOf } from '../../common/instant.ts';
import type { SandboxClock } from '../sandbox/clock.ts';
import { isDeliveryDue, nextDeliveryDue } from '../store/deliveries.ts';
import { numberEvents } from '../store/event-numbers.ts';
import { type Fired, lastFired, listFired } from '../store/fired.ts';
import type { Db } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { nextExpiry } from '../store/transactions.ts';
import type { Upkeep } from './upkeep.ts';

export type AdvanceParts = {
  clock: SandboxClock;
  store: Store;
  upkeep: () => Promise<Upkeep>;
  /** Sends what is due; or, where this process delivers in the background, wakes what does. */
  deliver(): Promise<void>;
  /** Whether emails leave the service. */
  sendsMail: boolean;
};

/** How often is looked whether deliveries of the background, or of another process, are done. */
const LOOK_EVERY_MS = 10;

export type Advancing = {
  /**
   * Moves the clock to an instant, which must not be before the clock's own.
   * @param to milliseconds since 1970, or how to compute them from the time by the clock
   */
  advance(to: (nowMs: number) => number): Promise<Fired>;
  /** Whether the clock is being moved: meanwhile no other work of this process lets transactions expire. */
  readonly isUnderWay: boolean;
};

/** Two calls run one after the other, so that a day and a day are two days. */
export function createAdvancing(parts: AdvanceParts): Advancing {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    advance(to) {
      waiting += 1;
      const mine = last
        .then(() => advanceClock(parts, to))
        .finally(() => {
          waiting -= 1;
        });
      last = mine.catch(() => undefined);
      return mine;
    },
    get isUnderWay() {
      return waiting > 0;
    },
  };
}

async function advanceClock(parts: AdvanceParts, to: (nowMs: number) => number): Promise<Fired> {
  const { clock, store } = parts;
  const upkeep = await parts.upkeep();
  await clock.refresh();
  const target = instantOf(to(clock.now()));
  await numberEvents(store);
  const before = await store.database.read(lastFired);
  await upkeep.expire();
  await deliverAll(parts);
  for (;;) {
    const next = await store.database.read((db) =>
      nextStop(db, instantOf(clock.now()), target, parts.sendsMail),
    );
    await moveTo(clock, next);
    await upkeep.expire();
    await deliverAll(parts);
    if (next >= target) break;
  }
  await upkeep.work();
  await upkeep.sweep();
  await numberEvents(store);
  return store.database.read((db) => listFired(db, before));
}

/**
 * The first instant at which something is due, or the target. Where nothing is sent, no transaction that expires has an effect on
 * another: they expire together, each at its own time.
 */
async function nextStop(db: Db, now: Instant, target: Instant, sendsMail: boolean): Promise<Instant> {
  const delivery = await nextDeliveryDue(db, now);
  const expiry = (await nextExpiry(db, now, { isSentOnly: !sendsMail })) ?? target;
  const [first = target] = [delivery ?? target, expiry, target].sort();
  return first;
}

/** The clock runs on meanwhile, and may be further already. */
const moveTo = (clock: SandboxClock, instant: Instant): Promise<void> =>
  clock.change((setting, machineMs) => {
    const at = epochMsOf(instant);
    if (setting.paused_at !== null)
      return setting.paused_at < instant ? { ...setting, paused_at: instant } : undefined;
    return machineMs + setting.offset_ms < at ? { ...setting, offset_ms: at - machineMs } : undefined;
  });

/** Resolves when nothing that is due waits, whichever process sends it. */
async function deliverAll({ clock, store, deliver }: AdvanceParts): Promise<void> {
  const isAnythingLeft = () => store.database.read((db) => isDeliveryDue(db, instantOf(clock.now())));
  while (await isAnythingLeft()) {
    await deliver();
    if (await isAnythingLeft()) await pause(LOOK_EVERY_MS);
  }
}
