// Limits the time of one attempt, all of it together, and lets the caller end it.
import { NotDelivered } from './not-delivered.ts';

export type Limit = {
  /** Does the work, which `stop` ends when the time is up; from then on there is no other work. */
  during<T>(stop: () => void, work: () => Promise<T>): Promise<T>;
  /** Why it is over before its end; undefined while it is not. */
  readonly reached: NotDelivered | undefined;
  end(): void;
};

export function createLimit(timeoutMs: number, signal: AbortSignal | undefined): Limit {
  let reached: NotDelivered | undefined;
  let stop: (() => void) | undefined;
  const reach = (why: string): void => {
    reached ??= new NotDelivered(why);
    stop?.();
  };
  const timer = setTimeout(() => reach(`it did not respond within ${timeoutMs / 1000} s`), timeoutMs);
  const aborted = () => reach('the delivery was stopped');
  signal?.addEventListener('abort', aborted, { once: true });
  if (signal?.aborted) aborted();
  return {
    async during(stopIt, work) {
      if (reached) throw reached;
      stop = stopIt;
      try {
        return await work();
      } finally {
        stop = undefined;
      }
    },
    get reached() {
      return reached;
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
    },
  };
}
