// A worker: a child process with a queue of jobs, which it runs one at a time. The child is started with the first job, kept,
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
  /** The process id of the running child. */
  readonly pid: number | undefined;
  close(reason?: unknown): void;
};

export type EngineWorkerOptions = {
  memoryBytes: number;
  /** Whether the child is kept when the queue is empty. */
  isKept: boolean;
  /** Whether a command waits for it, so that its priority is not lowered. */
  isWaitedFor?: boolean | undefined;
  program?: string | undefined;
  waitMs?: number | undefined;
};

type Work = { job: Job; source: Source; timeMs: number };

export function createEngineWorker({
  memoryBytes,
  isKept,
  isWaitedFor,
  program,
  waitMs = ENGINE_LIMITS.waitMs,
}: EngineWorkerOptions): EngineWorker {
  let child: Child | undefined;

  const start = (): Child => {
    if (!child || child.hasEnded) child = startChild({ memoryBytes, isWaitedFor, program });
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
    start: () => void start(),
    run: (job, source, owner, timeMs) => line.wait({ job, source, timeMs }, owner),
    close(reason) {
      // Settled first: the end of the child must not be reported as a fault of the file.
      line.close(reason);
      child?.end();
    },
  };
}
