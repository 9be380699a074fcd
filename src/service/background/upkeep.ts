// Does the work of a service without requests: what is due, each second, and what is left over, each hour. A command that ends
// after one answer does not sweep.

import { LIMITS } from '../../api/contract/limits.ts';
import { addMs, instantOf } from '../../common/instant.ts';
import type { PipelineOptions } from '../http/pipeline.ts';
import { forgetAnswers } from '../store/records.ts';
import { forgetOldAttempts } from '../store/sessions.ts';
import { sweepStore } from '../store/sweep.ts';
import { createExpiry } from './expiry.ts';

export type Upkeep = {
  /** Transactions expire, kept answers are forgotten. */
  work(signal?: AbortSignal): Promise<void>;
  /** Transactions expire, each with the time at which it was due: for a clock that is moved. */
  expire(): Promise<void>;
  /** Removes uploads that were not linked in time, and bytes that nothing names. */
  sweep(signal?: AbortSignal): Promise<void>;
};

/** A failing store fails each time: the same failure is reported once in that time. */
const REPORT_EVERY_MS = 60_000;

/**
 * All end early, between two commits, when they are aborted. None rejects: what fails is reported and tried again.
 * @param refreshClock reads the setting of the clock, which another process may have changed
 */
export function createUpkeep(options: PipelineOptions, refreshClock: () => Promise<void>): Upkeep {
  const { store, clock } = options;
  const expireWhatIsDue = createExpiry(options);
  const reported = reporting(options.onError);
  return {
    work: reported('work on what is due', async (signal) => {
      await refreshClock();
      await expireWhatIsDue({ signal });
      if (signal?.aborted) return;
      const before = addMs(instantOf(clock()), -LIMITS.idempotencyKeyLifetimeMs);
      await store.database.write((db) => forgetAnswers(db, before), [], 'locked');
    }),
    expire: reported('expiring at the times that were due', () => expireWhatIsDue({ isBackdated: true })),
    sweep: reported('sweep', async (signal) => {
      await refreshClock();
      await store.database.write((db) => forgetOldAttempts(db, instantOf(clock())), [], 'locked');
      if (!signal?.aborted) await sweepStore(store, instantOf(clock()), signal);
    }),
  };

  function reporting(onError: PipelineOptions['onError']) {
    let last: { message: string; atMs: number } | undefined;
    return (name: string, task: (signal?: AbortSignal) => Promise<void>) =>
      async (signal?: AbortSignal): Promise<void> => {
        try {
          await task(signal);
        } catch (error) {
          const message = String(error);
          const nowMs = performance.now();
          if (last?.message === message && nowMs - last.atMs < REPORT_EVERY_MS) return;
          last = { message, atMs: nowMs };
          onError(error, name);
        }
      };
  }
}
