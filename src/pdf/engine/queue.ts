// A fair queue: owners take turns, however many items one of them has added.

export type FairQueue<T> = {
  readonly length: number;
  add(owner: string, item: T): void;
  /** Removes and returns the next item of the owner that has waited longest for a turn. */
  take(): T | undefined;
  remove(owner: string, item: T): void;
  /** Removes and returns all items, in no particular order. */
  clear(): T[];
};

export function createFairQueue<T>(): FairQueue<T> {
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
      const left = (byOwner.get(owner) ?? []).filter((one) => one !== item);
      if (left.length > 0) byOwner.set(owner, left);
      else byOwner.delete(owner);
    },
    clear() {
      const all = [...byOwner.values()].flat();
      byOwner.clear();
      return all;
    },
  };
}
