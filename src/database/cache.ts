// Caches reads. A commit of this process removes what it changes; one of another process, or one that does not name its
// changes, empties the cache.
import type { ChangedIds, Database } from './database.ts';

/** The maximum of cached reads. Beyond it the oldest are removed. */
const ENTRIES = 4000;

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
  const entries = new Map<string, Map<string, unknown>>();
  let version: number | undefined;
  let commits = 0;

  const keep = (about: string, key: string, value: unknown) => {
    const known = entries.get(about);
    if (known) known.set(key, value);
    else entries.set(about, new Map([[key, value]]));
    for (const oldest of entries.keys()) {
      if (entries.size <= ENTRIES) break;
      entries.delete(oldest);
    }
  };

  return {
    onCommit(changes) {
      commits += 1;
      if (changes === undefined) entries.clear();
      else for (const about of changes) entries.delete(about);
    },
    async open() {
      const seen = await versionOfOthers();
      if (seen !== version) entries.clear();
      version = seen;
      return {
        async cached(about, key, fn) {
          const known = entries.get(about)?.get(key);
          if (known !== undefined) return known as Awaited<ReturnType<typeof fn>>;
          const before = commits;
          const value = await read(fn);
          // A commit may have changed it meanwhile.
          if (value !== undefined && version === seen && commits === before) keep(about, key, value);
          return value;
        },
      };
    },
  };
}
