// Runs a child process with a queue of jobs, one at a time. The child is started with the first job, kept,
// and replaced when it has ended.

import { ENGINE_LIMITS } from '../limits.ts';
import { type Child, startChild } from './child.ts';
import { BUSY, type Job, type JobAnswer, type Source } from './engine.ts';
import { createWaitingLine } from './waiting-line.ts';

export type EngineWorker = {
  /** @param timeMs for the work itself; waiting in the queue has a limit of its own */
  run(job: Job, source: Source, owner: string, timeMs: number): Promise<JobAnswer>;
  /** Starts the child before the first job. */
  start(): void;
  /** So many jobs wait or run. */
  readonly jobs: number;
  readonly pid: number | undefined;
  close(reason?: unknown): void;
};

export type EngineWorkerOptions = {
  memoryBytes: number;
  /** The child loads so much for its work beyond what it has at its start; without it, nothing. */
  loadedBytes?: number | undefined;
  /** The child stays when the queue is empty. */
  isKept: boolean;
  /** The priority of a worker that a command waits for is not lowered. */
  isWaitedFor?: boolean | undefined;
  program?: string | undefined;
  waitMs?: number | undefined;
};

type Work = { job: Job; source: Source; timeMs: number };

export function createEngineWorker({
  memoryBytes,
  loadedBytes = 0,
  isKept,
  isWaitedFor,
  program,
  waitMs = ENGINE_LIMITS.waitMs,
}: EngineWorkerOptions): EngineWorker {
  let child: Child | undefined;
  let jobs = 0;
  const options = {
    memoryBytes: memoryBytes + loadedBytes,
    keptBytes: ENGINE_LIMITS.keptBytes + loadedBytes,
    isWaitedFor,
    program,
  };

  const start = (): Child => {
    if (!child || child.hasEnded) child = startChild(options);
    return child;
  };

  const line = createWaitingLine<Work, JobAnswer>({
    async run({ job, source, timeMs }) {
      return start().run(job, source, timeMs);
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
    get jobs() {
      return jobs;
    },
    start: () => void start(),
    async run(job, source, owner, timeMs) {
      jobs += 1;
      try {
        return await line.wait({ job, source, timeMs }, owner);
      } finally {
        jobs -= 1;
      }
    },
    close(reason) {
      // Settled first: the end of the child must not be reported as a fault of the file.
      line.close(reason);
      child?.end();
    },
  };
}
