// Caches reads. A commit of this process removes what it changes; one of another process, or one that does not name its
// changes, empties the cache.
import type { ChangedIds, Database } from './database.ts';

/** So many reads are cached; beyond them, the oldest are removed. */
const ENTRIES = 4000;

export type Entries = {
  find<R>(about: string, key: string): R | undefined;
  /** Reads something, and keeps it unless it is removed meanwhile. An undefined result is not kept. */
  fill<R>(about: string, key: string, read: () => Promise<R>): Promise<R>;
  /** Removes what these are about, or everything, also what is being read. */
  remove(changes: ChangedIds | undefined): void;
};

export function createEntries(): Entries {
  const entries = new Map<string, Map<string, unknown>>();
  const fills = new Set<{ about: string; isRemoved: boolean }>();

  const keep = (about: string, key: string, value: unknown) => {
    const stored = entries.get(about);
    if (stored) stored.set(key, value);
    else entries.set(about, new Map([[key, value]]));
    for (const oldest of entries.keys()) {
      if (entries.size <= ENTRIES) break;
      entries.delete(oldest);
    }
  };

  return {
    find: <R>(about: string, key: string) => entries.get(about)?.get(key) as R | undefined,
    async fill(about, key, read) {
      const fill = { about, isRemoved: false };
      fills.add(fill);
      try {
        const value = await read();
        // It may have been changed after it was read.
        if (value !== undefined && !fill.isRemoved) keep(about, key, value);
        return value;
      } finally {
        fills.delete(fill);
      }
    },
    remove(changes) {
      if (changes === undefined) entries.clear();
      else for (const about of changes) entries.delete(about);
      for (const fill of fills) if (changes?.includes(fill.about) ?? true) fill.isRemoved = true;
    },
  };
}

type Cache<T> = {
  open: Database<T>['cache'];
  /** Must be called in the turn of the event loop in which a commit of this process is done. */
  onCommit(changes: ChangedIds | undefined): void;
};

/**
 * Makes a cache.
 * @param versionOfOthers a number that every commit of another process changes: `pragma data_version` of the connection that writes here
 *
 * The number is read before a snapshot is taken: an entry is never older than the number it is kept for, so a commit
 * in between only empties the cache early.
 */
export function createReadCache<T>(
  versionOfOthers: () => Promise<number>,
  read: Database<T>['read'],
): Cache<T> {
  const entries = createEntries();
  let version: number | undefined;
  return {
    onCommit: entries.remove,
    async open() {
      const current = await versionOfOthers();
      if (current !== version) entries.remove(undefined);
      version = current;
      return {
        cached: async (about, key, fn) =>
          entries.find<Awaited<ReturnType<typeof fn>>>(about, key) ??
          entries.fill(about, key, () => read(fn)),
      };
    },
  };
}
