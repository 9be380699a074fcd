// Tracks which transactions are being submitted: one submission of a transaction at a time, on all nodes, because two would
// stamp and seal the same documents. A submission runs to its end, even when its client has gone. Its result is kept for a
// while.
import type { Refusal } from '../../api/contract/problems.ts';
import { unexpectedRefusalOf } from '../changes/failure-refusal.ts';
import { type Result, refuse, type Submissions } from '../context.ts';

export type SubmissionsOptions = {
  /** Keeps other nodes from submitting the same transaction; without it, there are none. */
  tryLock?: ((name: string) => Promise<(() => Promise<void>) | undefined>) | undefined;
  /** Tells whether any node is submitting; without it, there are no others. */
  isLocked?: ((name: string) => Promise<boolean>) | undefined;
  /** A page waits so long. */
  pageWaitMs?: number | undefined;
  /** Receives each error that happens after the page was answered, and the id of the transaction. */
  onError: (error: unknown, id: string) => void;
};

/** Most documents are sealed within this time. */
const PAGE_WAIT_MS = 500;

/** Pages that are shown again some seconds later ask for them. */
const REFUSALS_KEPT = 1000;

export function createSubmissions({
  tryLock,
  isLocked,
  pageWaitMs = PAGE_WAIT_MS,
  onError,
}: SubmissionsOptions): Submissions {
  const underWay = new Map<string, Promise<unknown>>();
  const refusals = new Map<string, Refusal>();

  function keepRefusal(id: string, refusal: Refusal): void {
    refusals.delete(id);
    refusals.set(id, refusal);
    const [oldest = ''] = refusals.keys();
    if (refusals.size > REFUSALS_KEPT) refusals.delete(oldest);
  }

  function run<T>(id: string, submit: () => Promise<Result<T>>): Promise<Result<T>> {
    if (underWay.has(id)) return Promise.resolve(refuse('submission_under_way', { id }));
    refusals.delete(id);
    const running = runLocked(id, submit)
      .then((result) => {
        // Another node keeps the result of its own submission.
        if (!result.ok && result.refusal.code !== 'submission_under_way') keepRefusal(id, result.refusal);
        return result;
      })
      .finally(() => underWay.delete(id));
    underWay.set(id, running);
    return running;
  }

  /** Two nodes would seal the same documents, of which one result would be thrown away. */
  async function runLocked<T>(id: string, submit: () => Promise<Result<T>>): Promise<Result<T>> {
    if (!tryLock) return submit();
    const unlock = await tryLock(lockNameOf(id));
    if (!unlock) return refuse('submission_under_way', { id });
    try {
      return await submit();
    } finally {
      await unlock();
    }
  }

  return {
    run,
    async runBehindPage(id, submit) {
      const running = run(id, submit);
      const answered = await within(pageWaitMs, running);
      if (answered !== 'under_way') return answered;
      running.catch((error: unknown) => {
        onError(error, `transaction ${id}`);
        keepRefusal(id, unexpectedRefusalOf(error, id));
      });
      return 'under_way';
    },
    isUnderWay: async (id) => underWay.has(id) || ((await isLocked?.(lockNameOf(id))) ?? false),
    refusalOf: (id) => refusals.get(id),
    async settled() {
      await Promise.allSettled(underWay.values());
    },
  };
}

const lockNameOf = (id: string): string => `submission of ${id}`;

async function within<T>(waitMs: number, work: Promise<T>): Promise<T | 'under_way'> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<'under_way'>((resolve) => {
    timer = setTimeout(() => resolve('under_way'), waitMs);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
