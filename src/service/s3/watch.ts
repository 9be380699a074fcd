// Tells whether the bucket can be reached, for health checks and metrics. However many ask, the bucket gets a question every few seconds, and
// no answer is waited for longer than a health check may take.
import { setTimeout as pause } from 'node:timers/promises';

export type BucketState = 'ok' | 'unavailable';

export type BucketWatch = {
  /** Never rejects. @returns the newest state that is known, after a short while at most */
  state(): Promise<BucketState>;
};

export type BucketWatchOptions = {
  /** Asks the bucket once. */
  ask: () => Promise<void>;
  /** Called when the state changes. @param error why the bucket cannot be used; undefined where it can be again */
  onChange: (error: unknown) => void;
  /** A clock that is never set. */
  monotonicMs?: () => number;
  /** How long a health check waits for a question. Orchestrators give up after a second. */
  waitMs?: number;
};

/** How long an answer counts. */
const FRESH_MS = 5000;

/** The bucket was read a moment ago, when the node started. */
export function watchBucket({
  ask,
  onChange,
  monotonicMs = () => performance.now(),
  waitMs = 500,
}: BucketWatchOptions): BucketWatch {
  let known: BucketState = 'ok';
  let answeredMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function askOnce(): Promise<void> {
    const error = await ask().then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('The bucket cannot be used.'),
    );
    const found = error === undefined ? 'ok' : 'unavailable';
    answeredMs = monotonicMs();
    asking = undefined;
    if (found === known) return;
    known = found;
    onChange(error);
  }

  return {
    async state() {
      if (!asking && monotonicMs() - answeredMs < FRESH_MS) return known;
      asking ??= askOnce();
      await Promise.race([asking, pause(waitMs, undefined, { ref: false })]);
      return known;
    },
  };
}
