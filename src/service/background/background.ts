// Does the work of a service without requests, and loads each part when it is needed: what is due, the sweep, deliveries, and a clock that is
// advanced.

import { setTimeout as pause } from 'node:timers/promises';
import { epochMsOf, type Instant, instantOf } from '../../common/instant.ts';
import { lazily } from '../../common/once.ts';
import type { Clock } from '../clock.ts';
import type { ServiceDeps } from '../context.ts';
import type { Delivering, Outbox } from '../outbox/outbox.ts';
import type { SandboxClock } from '../sandbox/clock.ts';
import {
  isAnythingDue,
  isDeliveryDue,
  measureWaiting,
  nextDeliveryDue,
} from '../store/delivery/deliveries.ts';
import { numberEvents } from '../store/delivery/events.ts';
import { type Fired, lastFired, listFired } from '../store/sandbox/clock.ts';
import type { Db } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { nextExpiry } from '../store/transactions/transactions.ts';
import type { Upkeep } from './upkeep.ts';

export type DeliveryBacklog = {
  /** It counts deliveries of this process and others, due or not. */
  events: number;
  mails: number;
  /** Another process is delivering. */
  isWorked: boolean;
};

export type Background = {
  /** Does what has become due by the clock: transactions expire. It ends early when it is aborted. */
  work(signal?: AbortSignal): Promise<void>;
  /** Removes uploads that were not linked in time, and what killed processes left on the disk. Call it while serving. */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Delivers until it is stopped. Call it while serving. */
  startDelivering(): Promise<Delivering>;
  /** Tells what waits to be delivered; undefined where nothing is due and this process wrote nothing of it. */
  leftToDeliver(): Promise<DeliveryBacklog | undefined>;
  advance: Advancing['advance'];
};

export function createBackground(
  deps: ServiceDeps,
  realClock: Clock,
  outbox: () => Promise<Outbox>,
): Background {
  const { store, clock } = deps;
  let isDelivering = false;
  const upkeep = lazily(async () => {
    const { createUpkeep } = await import('./upkeep.ts');
    return createUpkeep(deps);
  });
  const advancing = lazily(async () => {
    return createAdvancing({
      clock,
      store,
      upkeep: upkeep.get,
      deliver: async () => (isDelivering ? store.deliveries.wake() : (await outbox()).deliver()),
      sendsMail: deps.mail.smtp !== undefined,
    });
  });
  return {
    async work(signal) {
      if ((await advancing.ifMade())?.isUnderWay) return;
      await (await upkeep.get()).work(signal);
    },
    async sweep(signal) {
      await (await upkeep.get()).sweep(signal);
    },
    async startDelivering() {
      const delivering = await (await outbox()).start();
      isDelivering = true;
      return {
        async stop() {
          isDelivering = false;
          await delivering.stop();
        },
      };
    },
    async leftToDeliver() {
      await clock.refresh();
      return countBacklog(store, instantOf(clock.now()), realClock());
    },
    advance: async (to) => (await advancing.get()).advance(to),
  };
}

async function countBacklog(
  store: Store,
  now: Instant,
  realMs: number,
): Promise<DeliveryBacklog | undefined> {
  const { read } = store.database;
  if (!store.deliveries.isWritten && !(await read((db) => isAnythingDue(db, now, realMs)))) return undefined;
  const { isAnyWorkerActive } = await import('../store/delivery/workers.ts');
  return read(async (db) => {
    const { events, mails } = await measureWaiting(db);
    const isWorked = await isAnyWorkerActive(db, store, realMs);
    return { events: events.count, mails: mails.count, isWorked };
  });
}

type AdvanceParts = {
  clock: SandboxClock;
  store: Store;
  upkeep: () => Promise<Upkeep>;
  /** Sends what is due; or, where this process delivers in the background, wakes what does. */
  deliver(): Promise<void>;
  /** Emails leave the service. */
  sendsMail: boolean;
};

// --- Advancing the clock of a sandbox: what becomes due on the way is done in its order ---

/** Deliveries of the background or of another process give no sign when they are done, so the store is read this often. */
const LOOK_EVERY_MS = 10;

type Advancing = {
  /**
   * Moves the clock to an instant, which must not be before the clock's own.
   * @param to milliseconds since 1970, or how to compute them from the time by the clock
   */
  advance(to: (nowMs: number) => number): Promise<Fired>;
  /** While the clock is moved, no other work of this process lets transactions expire. */
  readonly isUnderWay: boolean;
};

/**
 * Makes the function that advances the clock. Two calls run one after the other, so that a day and a day are two days.
 */
function createAdvancing(deps: AdvanceParts): Advancing {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    advance(to) {
      waiting += 1;
      const mine = last
        .then(() => advanceClock(deps, to))
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

async function advanceClock(deps: AdvanceParts, to: (nowMs: number) => number): Promise<Fired> {
  const { clock, store } = deps;
  const upkeep = await deps.upkeep();
  await clock.refresh();
  const target = instantOf(to(clock.now()));
  await numberEvents(store);
  const before = await store.database.read(lastFired);
  await upkeep.expire();
  await deliverAll(deps);
  for (;;) {
    const next = await store.database.read((db) =>
      nextStop(db, instantOf(clock.now()), target, deps.sendsMail),
    );
    await moveTo(clock, next);
    await upkeep.expire();
    await deliverAll(deps);
    if (next >= target) break;
  }
  await upkeep.work();
  await upkeep.sweep();
  await numberEvents(store);
  return store.database.read((db) => listFired(db, before));
}

/**
 * Finds the first instant at which something is due, or the target. Where nothing is sent, no transaction that expires has
 * an effect on another: they expire together, each at its own time.
 */
async function nextStop(db: Db, now: Instant, target: Instant, sendsMail: boolean): Promise<Instant> {
  const delivery = await nextDeliveryDue(db, now);
  const expiry = (await nextExpiry(db, now, { isSentOnly: !sendsMail })) ?? target;
  const [first = target] = [delivery ?? target, expiry, target].sort();
  return first;
}

/** Moves the clock, unless it is further already: it runs on meanwhile. */
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
