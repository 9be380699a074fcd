// A child process and those who wait for it: one job at a time, a new child when the last one has ended. The child is
// started with the first job and kept.

import { ENGINE_LIMITS } from '../limits.ts';
import { type Child, startChild } from './child.ts';
import { type Answer, BUSY, type Job, type Source } from './engine.ts';
import { createQueue } from './queue.ts';

export type Lane = {
  /** @param timeMs for the work itself; how long it may wait for it is one of the limits */
  run(job: Job, source: Source, owner: string, timeMs: number): Promise<Answer>;
  /** Of the child that is there. */
  readonly pid: number | undefined;
  close(reason?: unknown): void;
};

export type LaneOptions = {
  memoryBytes: number;
  /** Whether the child stays when nobody waits any more. */
  isKept: boolean;
  program?: string | undefined;
  waitMs?: number | undefined;
};

type Waiting = {
  job: Job;
  source: Source;
  owner: string;
  timeMs: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

export function createLane({
  memoryBytes,
  isKept,
  program,
  waitMs = ENGINE_LIMITS.waitMs,
}: LaneOptions): Lane {
  const queue = createQueue<Waiting>();
  let child: Child | undefined;
  let current: Waiting | undefined;
  let isClosed = false;

  async function work(): Promise<void> {
    if (current) return;
    for (current = queue.take(); current; current = queue.take()) {
      const { job, source, timeMs, resolve, reject } = current;
      if (!child || child.hasEnded) child = startChild({ memoryBytes, program });
      await child.carryOut(job, source, timeMs).then(resolve, reject);
    }
    if (!isKept) child?.end();
  }

  function end({ resolve, reject }: Waiting, reason: unknown): void {
    if (reason === undefined) resolve(BUSY);
    else reject(reason);
  }

  return {
    get pid() {
      return child?.hasEnded ? undefined : child?.pid;
    },
    run(job, source, owner, timeMs) {
      if (isClosed) return Promise.resolve(BUSY);
      return new Promise((resolve, reject) => {
        const waiting: Waiting = { job, source, owner, timeMs, resolve, reject };
        const tooLong = setTimeout(() => {
          if (current === waiting) return;
          queue.remove(owner, waiting);
          resolve(BUSY);
        }, waitMs);
        tooLong.unref();
        queue.add(owner, waiting);
        void work();
      });
    },
    close(reason) {
      isClosed = true;
      // Settled first: the end of the child must not pass for a fault of the file.
      for (const waiting of queue.clear()) end(waiting, reason);
      if (current) end(current, reason);
      child?.end();
    },
  };
}
