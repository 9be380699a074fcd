// Delivers what waits in the store: claims what is due, a few for each endpoint, sends it outside of any commit, and records
// the results. Any number of processes may do so at the same time (decision 0023).
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Instant, instantOf } from '../../common/instant.ts';
import type { Clock } from '../clock.ts';
import {
  type AttemptRow,
  claimDue,
  type Delivery,
  findDueEndpoints,
  leaseTimes,
  type Next,
  recordAttempt,
  recordDelivered,
  releaseLease,
  rescheduleAfterClock,
} from '../store/deliveries.ts';
import type { Db } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { disableWebhook } from '../store/webhooks.ts';
import { removeWorker, renewWorker, takeOver, workerFilesOf } from '../store/workers.ts';
import type { AttemptResult } from './attempt.ts';
import { EndpointLimiter } from './endpoint-limiter.ts';
import { messageOf } from './message.ts';
import type { Poster } from './post.ts';
import { type Prepared, prepare } from './prepare.ts';
import { nextAfter } from './schedule.ts';

export type OutboxOptions = {
  store: Store;
  /** Milliseconds since 1970, of the service: what is due, and what people see. */
  clock: Clock;
  /** Of the machine: leases and signatures. */
  realClock: Clock;
  ids: () => string;
  random: (bytes: number) => Uint8Array;
  poster: Poster;
  /** Sends a mail of the store by its id; undefined where mails stay in the mailbox. */
  sendMail?: (mailId: string, signal: AbortSignal) => Promise<AttemptResult>;
  onError: (error: unknown, id: string) => void;
  /** How long a claim is good for. */
  leaseMs?: number;
};

export type Outbox = {
  /**
   * Sends what is due until nothing is left of it.
   * @param options an attempt that is not answered in `withinMs` is ended, counts, and is tried again later
   */
  deliver(options?: { withinMs?: number; signal?: AbortSignal }): Promise<void>;
  /** Delivers until it is stopped; resolves when other processes can see it. Does not reject after that. */
  start(): Promise<Delivering>;
};

export type Delivering = { stop(): Promise<void> };

/** What other processes wrote is looked for that often; what this one wrote, at once. */
const LOOK_EVERY_MS = 250;

/** Many that are finished within that time share a commit. */
const GATHER_MS = 10;

/** Of a store that fails. */
const AFTER_FAILURE_MS = 5_000;

/** How long a service that stops waits for answers of receivers. */
const PATIENCE_MS = 3_000;

/** Its row is renewed that often. What processes had claimed that were killed is taken over within the shorter time. */
const WORKER = { renewEveryMs: 20_000, takeOverEveryMs: 1_000 };

type Finished = { prepared: Prepared; result: AttemptResult; at: Instant };

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, clock, realClock, ids, random, poster, sendMail, onError } = options;
  const lease = ids();
  const finished: Finished[] = [];
  const limiter = new EndpointLimiter(async (prepared) => {
    const result = await attempt(prepared, abortAttempts.signal);
    finished.push({ prepared, result, at: instantOf(clock()) });
    wakeUp();
    return result;
  });
  let abortAttempts = createAbortController();
  let wakeUp: () => void = () => undefined;
  let lastNow = '';
  let lastTurnMs = 0;

  // --- One turn: records what is finished and claims what is due, in one commit ---

  /** @returns how many were claimed */
  async function runTurn({ isLast = false } = {}): Promise<number> {
    const done = finished.splice(0);
    const givenBack = limiter.takeGivenBack();
    let claimed: Prepared[];
    try {
      claimed = await store.database.write(async (db) => {
        await recordFinished(db, done);
        for (const { delivery } of givenBack) await releaseLease(db, delivery);
        return isLast ? [] : claimFairly(db);
      }, transactionsShown(done));
    } catch (error) {
      // Nothing of it was recorded: the next turn records it, and nothing is sent again for it. What was given back stays
      // claimed until its lease is over.
      finished.unshift(...done);
      throw error;
    }
    for (const one of claimed) limiter.add(one);
    lastTurnMs = performance.now();
    return claimed.length;
  }

  async function claimFairly(db: Db): Promise<Prepared[]> {
    const now = instantOf(clock());
    if (now < lastNow || lastNow === '') await rescheduleAfterClock(db, now);
    lastNow = now;
    const claim = { lease, now, times: leaseTimes(realClock(), options.leaseMs) };
    const claimed: Delivery[] = [];
    for (const endpoint of limiter.rotate(await findDueEndpoints(db, claim))) {
      const room = limiter.roomAt(endpoint, claimed.length);
      if (room > 0) claimed.push(...(await claimDue(db, endpoint, room, claim)));
    }
    return prepare(db, store, claimed, now);
  }

  async function attempt(prepared: Prepared, signal: AbortSignal): Promise<AttemptResult> {
    try {
      if (prepared.kind === 'nothing') return failed(prepared.why, { isFinal: true });
      if (prepared.kind === 'mail')
        return sendMail ? await sendMail(prepared.mailId, signal) : failed('no mail server is configured');
      const { url, event, secrets } = prepared;
      return await poster.post(messageOf(url, event, secrets, realClock()), signal);
    } catch (error) {
      onError(error, `delivery ${prepared.delivery.id}`);
      return failed('the service failed to process it');
    }
  }

  async function recordFinished(db: Db, done: readonly Finished[]): Promise<void> {
    const delivered = done.filter(({ result }) => result.ok);
    if (delivered.length > 0)
      await recordDelivered(
        db,
        lease,
        delivered.map(({ prepared: { delivery }, result, at }) => ({
          delivery,
          attempt: rowOf(result, { state: 'delivered' }, at),
        })),
        instantOf(clock()),
      );
    for (const one of done) if (!one.result.ok) await writeFailure(db, one);
  }

  async function writeFailure(db: Db, { prepared: { delivery }, result, at }: Finished): Promise<void> {
    const next = nextAfter(result, delivery.attempts + 1, at, () => (random(1)[0] ?? 0) / 255);
    await recordAttempt(db, delivery, rowOf(result, next, at), next);
    if (delivery.kind === 'mail' && next.state === 'undelivered') store.deliveries.undeliveredMails += 1;
    if (delivery.kind === 'webhook' && result.status === GONE)
      await disableWebhook(db, delivery.endpoint, 'its receiver responded with 410 Gone', at);
  }

  // --- The loop ---

  /** Resolves when something is finished or may be due, after a while, or when it is aborted. */
  function waitForWork(forMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        wakeUp = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, forMs);
      signal.addEventListener('abort', done);
      wakeUp = done;
      if (signal.aborted || finished.length > 0) done();
    });
  }

  /** As long as there is enough to send, many share a commit. */
  async function gather(): Promise<void> {
    const leftMs = GATHER_MS - (performance.now() - lastTurnMs);
    if (leftMs > 0 && limiter.isSupplied) await pause(leftMs);
  }

  const isDue = () =>
    store.database.read(async (db) => {
      const now = instantOf(clock());
      if (now < lastNow) return true;
      const times = leaseTimes(realClock(), options.leaseMs);
      return (await findDueEndpoints(db, { lease, now, times })).some(
        (endpoint) => limiter.roomAt(endpoint) > 0,
      );
    });

  /** Attempts under way are waited for until they are ended, and recorded in any case. */
  async function finishUnderWay(): Promise<void> {
    limiter.stop();
    await runTurn({ isLast: true });
    while (limiter.underWay > 0 || finished.length > 0) {
      if (finished.length > 0) await runTurn({ isLast: true });
      else await waitForWork(LOOK_EVERY_MS, NEVER);
    }
  }

  const renewWorkerRow = (): Promise<void> =>
    store.database.write((db) => renewWorker(db, lease, realClock()), NOTHING_CACHED);

  return {
    async deliver({ withinMs, signal } = {}) {
      abortAttempts = createAbortController();
      const { signal: stop } = abortAttempts;
      const timer = withinMs === undefined ? undefined : setTimeout(() => abortAttempts.abort(), withinMs);
      signal?.addEventListener('abort', () => abortAttempts.abort(), { once: true });
      if (signal?.aborted) abortAttempts.abort();
      else await takeOver(store, lease, realClock());
      while (!stop.aborted) {
        const claimed = await runTurn();
        if (limiter.underWay > 0) await waitForWork(LOOK_EVERY_MS, stop);
        else if (claimed === 0 && finished.length === 0) break;
        await gather();
      }
      await finishUnderWay();
      clearTimeout(timer);
    },
    async start() {
      const stopping = new AbortController();
      abortAttempts = createAbortController();
      const held = workerFilesOf(store).hold(lease);
      await renewWorkerRow();
      const ended = runDeliveryLoop(stopping.signal).finally(() => held?.release());
      return {
        async stop() {
          stopping.abort();
          const patience = setTimeout(() => abortAttempts.abort(), PATIENCE_MS);
          await ended;
          clearTimeout(patience);
        },
      };
    },
  };

  async function runDeliveryLoop(stop: AbortSignal): Promise<void> {
    let isWoken = true;
    let renewedMs = performance.now();
    let tookOverMs = 0;
    store.deliveries.wake = () => {
      isWoken = true;
      wakeUp();
    };
    while (!stop.aborted) {
      try {
        if (performance.now() - renewedMs >= WORKER.renewEveryMs) {
          await renewWorkerRow();
          renewedMs = performance.now();
        }
        if (performance.now() - tookOverMs >= WORKER.takeOverEveryMs) {
          await takeOver(store, lease, realClock());
          tookOverMs = performance.now();
        }
        // What woke it may be a commit that is still on its way: the turn is written after it.
        if (isWoken || finished.length > 0 || (await isDue())) {
          isWoken = false;
          await runTurn();
        }
        if (!isWoken) await waitForWork(LOOK_EVERY_MS, stop);
        await gather();
      } catch (error) {
        onError(error, 'deliveries');
        await pause(AFTER_FAILURE_MS, undefined, { signal: stop }).catch(() => undefined);
      }
    }
    store.deliveries.wake = () => undefined;
    store.deliveries.isWritten = false;
    try {
      await finishUnderWay();
      await store.database.write((db) => removeWorker(db, lease), NOTHING_CACHED);
    } catch (error) {
      onError(error, 'deliveries');
    }
  }
}

/** A transaction is shown with the emails that did not arrive. Nothing else that is cached knows deliveries. */
const transactionsShown = (done: readonly Finished[]): readonly string[] =>
  done
    .filter(({ prepared, result }) => prepared.kind === 'mail' && !result.ok)
    .map(({ prepared }) => prepared.delivery.transaction_id);

/** No read of deliveries is cached. */
const NOTHING_CACHED: readonly string[] = [];

/** Makes the signal that ends every attempt under way. */
function createAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

const NEVER = new AbortController().signal;

/** RFC 9110 §15.5.11 */
const GONE = 410;

const rowOf = (
  { ok, status, why, answer, durationMs }: AttemptResult,
  next: Next,
  at: Instant,
): AttemptRow => ({
  at,
  ok: ok ? 1 : 0,
  status,
  why,
  answer,
  duration_ms: Math.round(durationMs),
  next_at: next.state === 'waiting' ? next.due_at : null,
});

const failed = (why: string, more: Pick<AttemptResult, 'isFinal'> = {}): AttemptResult => ({
  ok: false,
  status: null,
  why,
  answer: '',
  durationMs: 0,
  ...more,
});
