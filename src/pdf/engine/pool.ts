// Runs the document work of a service, never in the process that answers requests. Uploads and pages have a child each, so that
// neither waits for the other, and both are for quick work. A job that takes longer or more memory is stopped there and started
// again in a third child, where it delays only other slow jobs. Sealing runs in children of its own, one or as many as the caller wants,
// each with one document at a time and the full limits from the start, because it is requested once and waited for.

import { ENGINE_LIMITS } from '../limits.ts';
import { type DocumentEngine, engineOver, type Job, type JobAnswer, type RunJob } from './engine.ts';
import type { OfficeSetting } from './office.ts';
import { withOffice } from './with-office.ts';
import { createEngineWorker, type EngineWorker } from './worker.ts';

export type Pool = DocumentEngine & {
  pids(): number[];
};

/** `program` is the built `process.ts`; tests replace the times of the limits. */
export type PoolOptions = {
  program?: string;
  /** This LibreOffice converts DOCX. */
  office?: OfficeSetting;
  /** So many children seal at a time; without it, a single child does. */
  sealsAtOnce?: number | undefined;
  quickMs?: number;
  timeMs?: number;
  waitMs?: number;
};

export function createPool({
  program,
  office,
  sealsAtOnce = 1,
  waitMs,
  quickMs = ENGINE_LIMITS.quickMs,
  timeMs,
}: PoolOptions = {}): Pool {
  const startWorker = (memoryBytes: number, isKept: boolean, loadedBytes?: number): EngineWorker =>
    createEngineWorker({ memoryBytes, loadedBytes, isKept, program, waitMs });
  const uploads = startWorker(ENGINE_LIMITS.quickBytes, true);
  const pages = startWorker(ENGINE_LIMITS.quickBytes, true);
  const slow = startWorker(ENGINE_LIMITS.memoryBytes, false);
  const seals = Array.from({ length: sealsAtOnce }, () =>
    startWorker(ENGINE_LIMITS.memoryBytes, true, ENGINE_LIMITS.sealLoadedBytes),
  );
  const workers = [uploads, pages, slow, ...seals];

  const run: RunJob = async (job, source, owner) => {
    if (isSealing(job) || job.do === 'remove')
      return leastBusy(seals).run(job, source, owner, timeMs ?? timeLimitOf(job));
    const quick = READS_PAGES.has(job.do) ? pages : uploads;
    const answer = await quick.run(job, source, owner, quickMs);
    if (!needsMore(answer)) return answer;
    const again = await slow.run(job, source, owner, (timeMs ?? timeLimitOf(job)) - quickMs);
    return { ...again, usedMs: (answer.usedMs ?? 0) + (again.usedMs ?? 0) };
  };

  // A lane of its own, in this process: LibreOffice is one already.
  const converting = withOffice(run, office);

  return {
    ...engineOver(converting.run, async (reason) => {
      converting.close(reason);
      for (const worker of workers) worker.close(reason);
    }),
    pids: () => workers.flatMap(({ pid }) => pid ?? []),
  };
}

/** Chooses the first of them, so that a second child starts only when it is needed. */
const leastBusy = (workers: readonly EngineWorker[]): EngineWorker =>
  workers.reduce((best, worker) => (worker.jobs < best.jobs ? worker : best));

const READS_PAGES = new Set<Job['do']>([
  'draw',
  'text',
  'find',
  'words',
  'form',
  'braced',
  'blanks',
  'compare_stamped',
]);

export function timeLimitOf(job: Job): number {
  if (job.do === 'stamp' && job.plan.isCompared) return ENGINE_LIMITS.sealMs + ENGINE_LIMITS.compareMs;
  if (job.do === 'compare_stamped') return ENGINE_LIMITS.compareBeforeStartMs;
  if (isSealing(job) || job.do === 'remove') return ENGINE_LIMITS.sealMs;
  return job.do === 'convert' ? ENGINE_LIMITS.convertMs : ENGINE_LIMITS.timeMs;
}

const isSealing = (job: Job): boolean => job.do === 'stamp' || job.do === 'certify';

const ENDED = new Set<unknown>(['time', 'memory', 'crash']);

/** Tells whether the job ended the quick child by its time or memory, so that it needs the slow one. Limits of the bytes are the same in both. */
function needsMore({ result }: JobAnswer): boolean {
  return result.reason === 'too_complex' && ENDED.has((result as { limit?: unknown }).limit);
}
