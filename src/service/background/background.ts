// The work of a service without requests, each part loaded when it is needed: what is due, the sweep, deliveries, and a clock that is
// advanced.
import { type Instant, instantOf } from '../../common/instant.ts';
import { lazily } from '../../common/once.ts';
import type { Clock } from '../clock.ts';
import type { PipelineOptions } from '../http/pipeline.ts';
import type { Delivering, Outbox } from '../outbox/outbox.ts';
import type { SandboxClock } from '../sandbox/clock.ts';
import { isAnythingDue, measureWaiting } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';
import type { Advancing } from './advance.ts';

export type DeliveryBacklog = {
  /** Deliveries of this process and others, due or not. */
  events: number;
  mails: number;
  /** Another process is delivering. */
  isWorked: boolean;
};

export type BackgroundParts = {
  store: Store;
  clock: SandboxClock;
  realClock: Clock;
  settings: () => PipelineOptions;
  outbox: () => Promise<Outbox>;
  /** Whether emails leave the service. */
  sendsMail: () => boolean;
};

export type Background = {
  work(signal?: AbortSignal): Promise<void>;
  sweep(signal?: AbortSignal): Promise<void>;
  startDelivering(): Promise<Delivering>;
  /** Undefined where nothing is due and this process wrote nothing of it. */
  leftToDeliver(): Promise<DeliveryBacklog | undefined>;
  advance: Advancing['advance'];
};

export function createBackground(parts: BackgroundParts): Background {
  const { store, clock, realClock, settings, outbox, sendsMail } = parts;
  let isDelivering = false;
  const upkeep = lazily(async () => {
    const { createUpkeep } = await import('./upkeep.ts');
    return createUpkeep(settings(), clock.refresh);
  });
  const advancing = lazily(async () => {
    const { createAdvancing } = await import('./advance.ts');
    return createAdvancing({
      clock,
      store,
      upkeep: upkeep.get,
      deliver: async () => (isDelivering ? store.deliveries.wake() : (await outbox()).deliver()),
      sendsMail: sendsMail(),
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
  const { isAnyWorkerActive } = await import('../store/workers.ts');
  return read(async (db) => {
    const { events, mails } = await measureWaiting(db);
    const isWorked = await isAnyWorkerActive(db, store, realMs);
    return { events: events.count, mails: mails.count, isWorked };
  });
}
