// Delivers what waits in the store: claims what is due, a few for each endpoint, sends it outside of any commit, and records
// the results. Any number of processes may do so at the same time (decision 0023).
import { setTimeout as pause } from 'node:timers/promises';
import type { Ping } from '../../api/contract/events.ts';
import { instantOf } from '../../common/instant.ts';
import type { Webhook } from '../store/delivery/webhooks.ts';
import { removeWorker, renewWorker, takeOver, workerFilesOf } from '../store/delivery/workers.ts';
import type { AttemptResult } from './attempt.ts';
import { DeliveryTurns, type OutboxOptions } from './delivery-turns.ts';
import { messageOf, secretsOfWebhook } from './message.ts';
import { createPoster, type PosterOptions } from './post.ts';

export type Outbox = {
  /**
   * Sends what is due until nothing is left of it.
   * @param options an attempt that is not answered in `withinMs` is ended, counts, and is tried again later
   */
  deliver(options?: { withinMs?: number; signal?: AbortSignal }): Promise<void>;
  /** Delivers until it is stopped; resolves when other processes can see it, and does not reject after that. */
  start(): Promise<Delivering>;
};

export type Delivering = { stop(): Promise<void> };

type OpenOutbox = Outbox & {
  /** Sends one message of the type `ping`, now; nothing of it is written down. */
  ping(webhook: Webhook): Promise<AttemptResult>;
  close(): void;
};

export function openOutbox(options: Omit<OutboxOptions, 'poster'> & { posting: PosterOptions }): OpenOutbox {
  const { store, clock, realClock, ids, posting } = options;
  const poster = createPoster(posting);
  return {
    ...createOutbox({ ...options, poster }),
    ping(webhook) {
      const id = ids();
      const created = instantOf(clock());
      const ping: Ping = { created, id, type: 'ping', data: { id: webhook.id } };
      const body = Buffer.from(JSON.stringify(ping));
      const secrets = secretsOfWebhook(webhook, store.keys, created);
      return poster.post(messageOf(webhook.endpoint, { id, body }, secrets, realClock()));
    },
    close: () => poster.close(),
  };
}

/** The store is asked so often for deliveries of other processes. What this one wrote wakes the loop at once. */
const LOOK_EVERY_MS = 250;

/** Attempts that end within this time are recorded in one commit. */
const GATHER_MS = 10;

/** After the store failed, the next turn begins after this pause. */
const AFTER_FAILURE_MS = 5_000;

/** A service that stops waits so long for answers of receivers. */
const PATIENCE_MS = 3_000;

/** So often this process renews its row in `worker`, and takes over the deliveries of killed processes. */
const WORKER = { renewEveryMs: 20_000, takeOverEveryMs: 1_000 };

export function createOutbox(options: OutboxOptions): Outbox {
  const loop = new DeliveryLoop(options);
  return {
    deliver: (limits = {}) => loop.deliver(limits),
    start: () => loop.start(),
  };
}

class DeliveryLoop {
  readonly #options: OutboxOptions;
  readonly #lease: string;
  readonly #turns: DeliveryTurns;
  #wakeUp: () => void = () => undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#lease = options.ids();
    this.#turns = new DeliveryTurns(options, this.#lease, () => this.#wakeUp());
  }

  async deliver({ withinMs, signal }: { withinMs?: number; signal?: AbortSignal }): Promise<void> {
    const turns = this.#turns;
    const attempts = turns.renewAttempts();
    const stop = attempts.signal;
    const timer = withinMs === undefined ? undefined : setTimeout(() => attempts.abort(), withinMs);
    const abort = () => attempts.abort();
    // A caller may use one signal for many calls, so that its listener ends with the call.
    signal?.addEventListener('abort', abort, { once: true });
    try {
      if (signal?.aborted) abort();
      else await this.#takeOver();
      while (!stop.aborted) {
        const claimed = await turns.run();
        if (turns.limiter.underWay > 0) await this.#waitForWork(LOOK_EVERY_MS, stop);
        else if (claimed === 0 && !turns.hasFinished) break;
        await this.#gather();
      }
      await this.#finishUnderWay();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async start(): Promise<Delivering> {
    const stopping = new AbortController();
    const attempts = this.#turns.renewAttempts();
    const held = workerFilesOf(this.#options.store).hold(this.#lease);
    await this.#renewWorkerRow();
    const ended = this.#run(stopping.signal).finally(() => held?.release());
    return {
      async stop() {
        stopping.abort();
        const patience = setTimeout(() => attempts.abort(), PATIENCE_MS);
        await ended;
        clearTimeout(patience);
      },
    };
  }

  async #run(stop: AbortSignal): Promise<void> {
    const { store, onError } = this.#options;
    const turns = this.#turns;
    let isWoken = true;
    const renew = atMostEvery(WORKER.renewEveryMs, () => this.#renewWorkerRow(), performance.now());
    const takeOverDead = atMostEvery(WORKER.takeOverEveryMs, () => this.#takeOver(), 0);
    store.deliveries.wake = () => {
      isWoken = true;
      this.#wakeUp();
    };
    while (!stop.aborted) {
      try {
        await renew();
        await takeOverDead();
        // A commit that is still on its way may have woken it: the turn is written after it.
        if (isWoken || turns.hasFinished || (await turns.isDue())) {
          isWoken = false;
          await turns.run();
        }
        if (!isWoken) await this.#waitForWork(LOOK_EVERY_MS, stop);
        await this.#gather();
      } catch (error) {
        onError(error, 'deliveries');
        await pause(AFTER_FAILURE_MS, undefined, { signal: stop }).catch(() => undefined);
      }
    }
    store.deliveries.wake = () => undefined;
    store.deliveries.isWritten = false;
    try {
      await this.#finishUnderWay();
      await store.database.write((db) => removeWorker(db, this.#lease), NOTHING_CACHED, 'locked');
    } catch (error) {
      onError(error, 'deliveries');
    }
  }

  /** Resolves when something is finished or may be due, after a while, or when it is aborted. */
  #waitForWork(forMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#wakeUp = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, forMs);
      signal.addEventListener('abort', done);
      this.#wakeUp = done;
      if (signal.aborted || this.#turns.hasFinished) done();
    });
  }

  /** Waits a moment for more results, so that many share a commit, as long as there is enough to send. */
  async #gather(): Promise<void> {
    const leftMs = GATHER_MS - this.#turns.msSinceLast;
    if (leftMs > 0 && this.#turns.limiter.isSupplied) await pause(leftMs);
  }

  /** Waits for attempts under way until they are ended, and records them in any case. */
  async #finishUnderWay(): Promise<void> {
    const turns = this.#turns;
    turns.limiter.stop();
    await turns.run({ isLast: true });
    while (turns.limiter.underWay > 0 || turns.hasFinished) {
      if (turns.hasFinished) await turns.run({ isLast: true });
      else await this.#waitForWork(LOOK_EVERY_MS, NEVER);
    }
  }

  #renewWorkerRow(): Promise<void> {
    const { store, realClock } = this.#options;
    return store.database.write((db) => renewWorker(db, this.#lease, realClock()), NOTHING_CACHED, 'locked');
  }

  /** Claims what processes had claimed that have ended. */
  #takeOver(): Promise<unknown> {
    return takeOver(this.#options.store, this.#lease, this.#options.realClock());
  }
}

/** @param sinceMs when it was last done, by `performance.now()` */
function atMostEvery(everyMs: number, work: () => Promise<unknown>, sinceMs: number): () => Promise<void> {
  let lastMs = sinceMs;
  return async () => {
    if (performance.now() - lastMs < everyMs) return;
    await work();
    lastMs = performance.now();
  };
}

/** The commits of the outbox name nothing, because no read of deliveries is cached. */
const NOTHING_CACHED: readonly string[] = [];

const NEVER = new AbortController().signal;
