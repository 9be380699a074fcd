// Queues the work for events: one after another for one transaction, at the same time for different ones. The queue is
// bounded, because a receiver that hangs would fill memory.

export type WorkQueue = {
  add(key: string, work: () => Promise<void>): void;
  /** Resolves when there is room for more. Rejects with the error of a piece of work that failed. */
  room(): Promise<void>;
  /** Resolves when all work is done. */
  idle(): Promise<void>;
  /** Whether a piece of work has failed. No more work is started then. */
  failure(): boolean;
};

/** How many pieces of work may wait. */
const MOST_WAITING = 500;

/** How many connections to a receiver are open at the same time. Receivers are small programs. */
const AT_ONCE = 16;

export function createWorkQueue(mostWaiting = MOST_WAITING, atOnce = AT_ONCE): WorkQueue {
  const lines = new Map<string, (() => Promise<void>)[]>();
  /** Transactions with work that has not been started. */
  const ready: string[] = [];
  let [waiting, working] = [0, 0];
  let failed: { error: unknown } | undefined;
  let watchers: (() => void)[] = [];

  const tell = () => {
    const told = watchers;
    watchers = [];
    for (const watcher of told) watcher();
  };
  const waitUntil = async (holds: () => boolean): Promise<void> => {
    while (!failed && !holds()) await new Promise<void>((resolve) => watchers.push(resolve));
    if (failed) throw failed.error;
  };
  async function workOn(key: string): Promise<void> {
    const line = lines.get(key) ?? [];
    working += 1;
    try {
      await line[0]?.();
    } catch (error) {
      failed ??= { error };
    }
    line.shift();
    waiting -= 1;
    working -= 1;
    if (line.length > 0) ready.push(key);
    else lines.delete(key);
    begin();
    tell();
  }
  function begin(): void {
    while (!failed && working < atOnce) {
      const key = ready.shift();
      if (key === undefined) return;
      void workOn(key);
    }
  }
  return {
    add(key, work) {
      waiting += 1;
      const line = lines.get(key);
      if (line) line.push(work);
      else {
        lines.set(key, [work]);
        ready.push(key);
      }
      begin();
    },
    room: () => waitUntil(() => waiting < mostWaiting),
    idle: () => waitUntil(() => waiting === 0),
    failure: () => failed !== undefined,
  };
}
