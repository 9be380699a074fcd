// Document work of a service that answers many: never where requests are answered. Uploads and pages have a child each,
// so that one never waits for the other, and both are for quick work. What takes longer or more memory is stopped there
// and begun again in a third child, where it keeps nobody waiting but others that are as slow. What is sealed goes to a fourth:
// one at a time, with the whole limit from the start, for it is asked for once and waited for.

import { ENGINE_LIMITS } from '../limits.ts';
import { type DocumentEngine, engineOver, type Job, type JobAnswer, type RunJob } from './engine.ts';
import { createLane, type Lane } from './lane.ts';
import type { OfficeSetting } from './office.ts';
import { withOffice } from './with-office.ts';

export type Pool = DocumentEngine & {
  /** Of the children that are there. */
  pids(): number[];
};

/** `program` is the built `process.ts`; the times are those of the limits unless a test says otherwise. */
export type PoolOptions = {
  program?: string;
  /** Which LibreOffice converts DOCX. */
  office?: OfficeSetting;
  quickMs?: number;
  timeMs?: number;
  waitMs?: number;
};

export function createPool({
  program,
  office,
  waitMs,
  quickMs = ENGINE_LIMITS.quickMs,
  timeMs,
}: PoolOptions = {}): Pool {
  const lane = (memoryBytes: number, isKept: boolean): Lane =>
    createLane({ memoryBytes, isKept, program, waitMs });
  const uploads = lane(ENGINE_LIMITS.quickBytes, true);
  const pages = lane(ENGINE_LIMITS.quickBytes, true);
  const slow = lane(ENGINE_LIMITS.memoryBytes, false);
  const seals = lane(ENGINE_LIMITS.memoryBytes, true);
  const lanes = [uploads, pages, slow, seals];

  const run: RunJob = async (job, source, owner) => {
    if (isSealing(job)) return seals.run(job, source, owner, timeMs ?? timeOf(job));
    const quick = job.do === 'draw' || job.do === 'text' ? pages : uploads;
    const answer = await quick.run(job, source, owner, quickMs);
    if (!needsMore(answer)) return answer;
    const again = await slow.run(job, source, owner, (timeMs ?? timeOf(job)) - quickMs);
    return { ...again, usedMs: (answer.usedMs ?? 0) + (again.usedMs ?? 0) };
  };

  // A lane of its own, in this process: LibreOffice is one already.
  const converting = withOffice(run, office);

  return {
    ...engineOver(converting.run, async (reason) => {
      converting.close(reason);
      for (const one of lanes) one.close(reason);
    }),
    pids: () => lanes.flatMap(({ pid }) => pid ?? []),
  };
}

export function timeOf(job: Job): number {
  if (isSealing(job)) return ENGINE_LIMITS.sealMs;
  return job.do === 'convert' ? ENGINE_LIMITS.convertMs : ENGINE_LIMITS.timeMs;
}

const isSealing = (job: Job): boolean => job.do === 'stamp' || job.do === 'certify';

const ENDED = new Set<unknown>(['time', 'memory', 'crash']);

/** Whether the quick child did not live to the end of it. A limit that the bytes themselves pass is the same everywhere. */
function needsMore({ facts }: JobAnswer): boolean {
  return facts.reason === 'too_complex' && ENDED.has((facts as { limit?: unknown }).limit);
}
