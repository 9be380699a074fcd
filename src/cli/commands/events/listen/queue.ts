// What is still to be done for events: in order for one transaction, side by side for different ones. Must never hold
// more than a receiver that hangs can let pile up.

export type WorkQueue = {
  add(key: string, work: () => Promise<void>): void;
  /** Resolves when there is room for more. Rejects with what a piece of work failed with. */
  room(): Promise<void>;
  /** Resolves when nothing is left. */
  idle(): Promise<void>;
  /** Whether a piece of work has failed: nothing more is begun then. */
  failure(): boolean;
};

/** So many may wait before no more are taken. */
const MOST_WAITING = 500;

/** Receivers are small programs: so many of their connections at a time. */
const AT_ONCE = 16;

export function createWorkQueue(mostWaiting = MOST_WAITING, atOnce = AT_ONCE): WorkQueue {
  const lines = new Map<string, (() => Promise<void>)[]>();
  /** Lines whose turn it is, and nobody works on. */
  const ready: string[] = [];
  let [waiting, working] = [0, 0];
  let failed: { error: unknown } | undefined;
  let watchers: (() => void)[] = [];

  const tell = () => {
    const told = watchers;
    watchers = [];
    for (const watcher of told) watcher();
  };
  const until = async (holds: () => boolean): Promise<void> => {
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
    room: () => until(() => waiting < mostWaiting),
    idle: () => until(() => waiting === 0),
    failure: () => failed !== undefined,
  };
}
