// A child process and those who wait for it: one job at a time, a new child when the last one has ended. The child is
// started with the first job and kept.

import { ENGINE_LIMITS } from '../limits.ts';
import { type Child, startChild } from './child.ts';
import { BUSY, type Job, type JobAnswer, type Source } from './engine.ts';
import { createWaitingLine } from './waiting-line.ts';

export type Lane = {
  /** @param timeMs for the work itself; how long it may wait for it is one of the limits */
  run(job: Job, source: Source, owner: string, timeMs: number): Promise<JobAnswer>;
  /** Starts the child before the first job. */
  start(): void;
  /** Of the child that is there. */
  readonly pid: number | undefined;
  close(reason?: unknown): void;
};

export type LaneOptions = {
  memoryBytes: number;
  /** Whether the child stays when nobody waits any more. */
  isKept: boolean;
  /** Whether a command waits for it, so that it does not give way to others. */
  isWaitedFor?: boolean | undefined;
  program?: string | undefined;
  waitMs?: number | undefined;
};

type Work = { job: Job; source: Source; timeMs: number };

export function createLane({
  memoryBytes,
  isKept,
  isWaitedFor,
  program,
  waitMs = ENGINE_LIMITS.waitMs,
}: LaneOptions): Lane {
  let child: Child | undefined;

  const start = (): Child => {
    if (!child || child.hasEnded) child = startChild({ memoryBytes, isWaitedFor, program });
    return child;
  };

  const line = createWaitingLine<Work, JobAnswer>({
    async carryOut({ job, source, timeMs }) {
      return start().carryOut(job, source, timeMs);
    },
    onEmpty() {
      if (!isKept) child?.end();
    },
    busy: BUSY,
    waitMs,
  });

  return {
    get pid() {
      return child?.hasEnded ? undefined : child?.pid;
    },
    start: () => void start(),
    run: (job, source, owner, timeMs) => line.wait({ job, source, timeMs }, owner),
    close(reason) {
      // Settled first: the end of the child must not pass for a fault of the file.
      line.close(reason);
      child?.end();
    },
  };
}
