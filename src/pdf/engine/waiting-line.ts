// Queues the jobs of a worker: one runs at a time or a few, fair between owners, and each waits no longer than a limit. The worker defines what a
// job is. Every job is answered, also when the queue is closed.

type WaitingLine<Work, Done> = {
  /** It resolves with `busy` when its turn does not come in time, or never. */
  wait(work: Work, owner: string): Promise<Done>;
  /** Answers all jobs, also the running ones: rejects with `reason`, or answers `busy` where none is given. */
  close(reason?: unknown): void;
};

type WaitingLineOptions<Work, Done> = {
  run(work: Work): Promise<Done>;
  /** It is called when the queue is empty. */
  onEmpty?: () => void;
  busy: Done;
  /** A job may wait so long for its turn; its run time is not limited here. */
  waitMs: number;
  /** So many jobs run at a time; without it, a single job does. */
  atOnce?: number;
};

type Waiting<Work, Done> = {
  work: Work;
  resolve(done: Done): void;
  reject(error: unknown): void;
  tooLong: NodeJS.Timeout;
};

export function createWaitingLine<Work, Done>({
  run: carryOut,
  onEmpty,
  busy,
  waitMs,
  atOnce = 1,
}: WaitingLineOptions<Work, Done>): WaitingLine<Work, Done> {
  const queue = createFairQueue<Waiting<Work, Done>>();
  const running = new Set<Waiting<Work, Done>>();
  let isClosed = false;

  async function takeTurns(): Promise<void> {
    if (running.size >= atOnce) return;
    for (let next = queue.take(); next; next = queue.take()) {
      const { work, resolve, reject, tooLong } = next;
      clearTimeout(tooLong);
      running.add(next);
      await carryOut(work).then(resolve, reject);
      running.delete(next);
    }
    if (running.size === 0) onEmpty?.();
  }

  return {
    wait(work, owner) {
      if (isClosed) return Promise.resolve(busy);
      return new Promise((resolve, reject) => {
        const tooLong = setTimeout(() => {
          queue.remove(owner, waiting);
          resolve(busy);
        }, waitMs);
        tooLong.unref();
        const waiting = { work, resolve, reject, tooLong };
        queue.add(owner, waiting);
        void takeTurns();
      });
    },
    close(reason) {
      isClosed = true;
      for (const { resolve, reject, tooLong } of [...queue.clear(), ...running]) {
        clearTimeout(tooLong);
        if (reason === undefined) resolve(busy);
        else reject(reason);
      }
    },
  };
}

type FairQueue<T> = {
  readonly length: number;
  add(owner: string, item: T): void;
  /** Removes and returns the next item of the owner that has waited longest for a turn. */
  take(): T | undefined;
  remove(owner: string, item: T): void;
  /** Removes and returns all items, in no particular order. */
  clear(): T[];
};

function createFairQueue<T>(): FairQueue<T> {
  // In the order of turns: an owner that had one moves to the end.
  const byOwner = new Map<string, T[]>();
  return {
    get length() {
      return [...byOwner.values()].reduce((sum, items) => sum + items.length, 0);
    },
    add(owner, item) {
      const items = byOwner.get(owner);
      if (items) items.push(item);
      else byOwner.set(owner, [item]);
    },
    take() {
      const [first] = byOwner;
      if (!first) return undefined;
      const [owner, items] = first;
      const item = items.shift();
      byOwner.delete(owner);
      if (items.length > 0) byOwner.set(owner, items);
      return item;
    },
    remove(owner, item) {
      const remaining = (byOwner.get(owner) ?? []).filter((waiting) => waiting !== item);
      if (remaining.length > 0) byOwner.set(owner, remaining);
      else byOwner.delete(owner);
    },
    clear() {
      const all = [...byOwner.values()].flat();
      byOwner.clear();
      return all;
    },
  };
}
