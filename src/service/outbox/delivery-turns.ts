// One turn of the outbox: records what is finished and claims what is due, in one commit, and sends what was claimed outside of it.
import { setMaxListeners } from 'node:events';
import { addMs, type Instant, instantOf } from '../../common/instant.ts';
import type { Clock } from '../clock.ts';
import type { Observer } from '../observer.ts';
import {
  type AttemptRow,
  claimDue,
  type Delivery,
  findDueEndpoints,
  leaseTimes,
  type Next,
  postponeDelivery,
  recordAttempt,
  recordDelivered,
  releaseLease,
  rescheduleAfterClock,
} from '../store/delivery/deliveries.ts';
import { disableWebhook } from '../store/delivery/webhooks.ts';
import type { Db } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { type AttemptResult, failedAttempt } from './attempt.ts';
import { EndpointLimiter } from './endpoint-limiter.ts';
import { messageOf, type Prepared, prepare } from './message.ts';
import type { Poster } from './post.ts';
import type { SendEvent } from './webhook-faults.ts';

export type OutboxOptions = {
  store: Store;
  /** The clock of the service says what is due, and what people see. */
  clock: Clock;
  /** Reads how the clock of the service was moved meanwhile. */
  refreshClock(): Promise<void>;
  /** Leases and signatures have the time of the machine. */
  realClock: Clock;
  ids: () => string;
  random: (bytes: number) => Uint8Array;
  poster: Poster;
  /** Sends events in place of the poster alone. */
  sendEvent?: SendEvent;
  /** Sends a mail of the store by its id; undefined where mails stay in the mailbox. */
  sendMail?: (mailId: string, signal: AbortSignal) => Promise<AttemptResult>;
  onError: (error: unknown, id: string) => void;
  /** Receives claims, and the beginning and the end of attempts. */
  observer: Observer;
  /** A claim is good for so long. */
  leaseMs?: number;
};

type Finished = { prepared: Prepared; result: AttemptResult; at: Instant };

export class DeliveryTurns {
  readonly limiter: EndpointLimiter;
  readonly #options: OutboxOptions;
  readonly #lease: string;
  readonly #finished: Finished[] = [];
  #attempts = createAbortController();
  #lastNow = '';
  #lastTurnMs = 0;

  /** @param onFinished called after each attempt */
  constructor(options: OutboxOptions, lease: string, onFinished: () => void) {
    this.#options = options;
    this.#lease = lease;
    this.limiter = new EndpointLimiter(async (prepared) => {
      const work = { kind: 'delivery', channel: prepared.delivery.kind } as const;
      const { end } = options.observer.begin(work);
      const result = await this.#attempt(prepared, this.#attempts.signal);
      end({ kind: 'delivery', isOk: result.ok });
      this.#finished.push({ prepared, result, at: instantOf(options.clock()) });
      onFinished();
      return result;
    });
  }

  /** Tells whether attempts have ended that no turn has recorded yet. */
  get hasFinished(): boolean {
    return this.#finished.length > 0;
  }

  get msSinceLast(): number {
    return performance.now() - this.#lastTurnMs;
  }

  /** Begins anew after attempts were ended. @returns what ends the attempts that follow */
  renewAttempts(): AbortController {
    this.#attempts = createAbortController();
    return this.#attempts;
  }

  /** @returns how many were claimed */
  async run({ isLast = false } = {}): Promise<number> {
    await this.#options.refreshClock();
    const finished = this.#finished.splice(0);
    const givenBack = this.limiter.takeGivenBack();
    let claimed: Prepared[];
    try {
      claimed = await this.#options.store.database.write(
        async (db) => {
          await this.#record(db, finished);
          for (const { delivery } of givenBack) await releaseLease(db, delivery);
          return isLast ? [] : this.#claimFairly(db);
        },
        transactionsToInvalidate(finished),
        'locked',
      );
    } catch (error) {
      // Nothing of it was recorded: the next turn records it, and nothing is sent again for it. What was given back stays
      // claimed until its lease is over.
      this.#finished.unshift(...finished);
      throw error;
    }
    if (claimed.length > 0) this.#options.observer.claimed(claimed.length);
    for (const prepared of claimed) this.limiter.add(prepared);
    this.#lastTurnMs = performance.now();
    return claimed.length;
  }

  async isDue(): Promise<boolean> {
    const { store, clock, refreshClock } = this.#options;
    await refreshClock();
    return store.database.read(async (db) => {
      const now = instantOf(clock());
      if (now < this.#lastNow) return true;
      const due = await findDueEndpoints(db, this.#claimAt(now));
      return due.some((endpoint) => this.limiter.roomAt(endpoint) > 0);
    });
  }

  #claimAt(now: Instant) {
    const { realClock, leaseMs } = this.#options;
    return { lease: this.#lease, now, times: leaseTimes(realClock(), leaseMs) };
  }

  async #claimFairly(db: Db): Promise<Prepared[]> {
    const { store, clock } = this.#options;
    const now = instantOf(clock());
    if (now < this.#lastNow || this.#lastNow === '') await rescheduleAfterClock(db, now);
    this.#lastNow = now;
    const claim = this.#claimAt(now);
    const claimed: Delivery[] = [];
    for (const endpoint of this.limiter.rotate(await findDueEndpoints(db, claim))) {
      const room = this.limiter.roomAt(endpoint, claimed.length);
      if (room > 0) claimed.push(...(await claimDue(db, endpoint, room, claim, store.database.dialect)));
    }
    return prepare(db, store, claimed, now);
  }

  async #attempt(prepared: Prepared, signal: AbortSignal): Promise<AttemptResult> {
    const { sendMail, sendEvent = sendPlainly, poster, realClock, onError } = this.#options;
    try {
      if (prepared.kind === 'nothing') return failedAttempt(prepared.why, { isFinal: true });
      if (prepared.kind === 'mail')
        return sendMail
          ? await sendMail(prepared.mailId, signal)
          : failedAttempt('no mail server is configured');
      const { url, event, secrets } = prepared;
      const post = () => poster.post(messageOf(url, event, secrets, realClock()), signal);
      return await sendEvent(prepared.delivery, post);
    } catch (error) {
      onError(error, `delivery ${prepared.delivery.id}`);
      return failedAttempt('the service failed to process it');
    }
  }

  async #record(db: Db, finished: readonly Finished[]): Promise<void> {
    const delivered = finished.filter(({ result }) => result.ok);
    if (delivered.length > 0)
      await recordDelivered(
        db,
        this.#lease,
        delivered.map(({ prepared: { delivery }, result, at }) => ({
          delivery,
          attempt: rowOf(result, { state: 'delivered' }, at),
        })),
        instantOf(this.#options.clock()),
      );
    for (const attempt of finished) if (!attempt.result.ok) await this.#recordFailure(db, attempt);
  }

  async #recordFailure(db: Db, { prepared: { delivery }, result, at }: Finished): Promise<void> {
    const { random, store } = this.#options;
    if (result.postponedMs !== undefined) {
      await postponeDelivery(db, delivery, addMs(at, result.postponedMs));
      return;
    }
    const next = nextAfter(result, delivery.attempts + 1, at, () => (random(1)[0] ?? 0) / 255);
    await recordAttempt(db, delivery, rowOf(result, next, at), next);
    if (delivery.kind === 'mail' && next.state === 'undelivered') store.deliveries.undeliveredMails += 1;
    if (delivery.kind === 'webhook' && result.status === GONE)
      await disableWebhook(db, delivery.endpoint, 'its receiver responded with 410 Gone', at);
  }
}

const sendPlainly: SendEvent = (_, post) => post();

/** A transaction is shown with the emails that did not arrive. Nothing else that is cached knows deliveries. */
const transactionsToInvalidate = (finished: readonly Finished[]): readonly string[] =>
  finished
    .filter(({ prepared, result }) => prepared.kind === 'mail' && !result.ok)
    .map(({ prepared }) => prepared.delivery.transaction_id);

/** Makes the signal that ends every attempt under way. */
function createAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

const GONE = 410;

const rowOf = (
  { ok, status, why, answer, server, durationMs }: AttemptResult,
  next: Next,
  at: Instant,
): AttemptRow => ({
  at,
  ok: ok ? 1 : 0,
  status,
  why,
  answer,
  server: server ?? null,
  duration_ms: Math.round(durationMs),
  next_at: next.state === 'waiting' ? next.due_at : null,
});

// --- When a failed delivery is tried again (assumed: A30) ---

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses before each attempt, from the first on, are 75 hours and a half in all. */
export const SCHEDULE_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** A pause varies by this part to both sides: deliveries that failed together do not come back together. */
const JITTER = 0.2;

/**
 * Decides what comes after an attempt.
 * @param attempts made so far, with this one
 * @param chance gives a number from 0 to 1
 */
export function nextAfter(result: AttemptResult, attempts: number, now: Instant, chance: () => number): Next {
  if (result.ok) return { state: 'delivered' };
  const pauseMs = SCHEDULE_MS[attempts];
  const reason = result.why ?? 'it failed';
  if (result.isFinal) return { state: 'undelivered', reason };
  if (pauseMs === undefined)
    return {
      state: 'undelivered',
      reason: `${attempts} attempts failed. The last one failed because ${reason}`,
    };
  const jittered = pauseMs * (1 - JITTER + 2 * JITTER * chance());
  return { state: 'waiting', due_at: addMs(now, Math.max(jittered, result.retryAfterMs ?? 0)) };
}
