// A cache of reads that is emptied as soon as anybody, here or in another process, commits something.
import type { Database } from './database.ts';

/** Entries kept at the most; past that the cache is emptied. */
const ENTRIES = 2000;

/**
 * @param versionOf a number that every commit changes: `pragma data_version` of a connection that does not write
 *
 * The version is read before a snapshot is taken: an entry is never older than the version it is kept for, so a commit
 * in between only empties the cache early.
 */
export function createReadCache<T>(
  versionOf: () => Promise<number>,
  read: Database<T>['read'],
): Database<T>['cache'] {
  const entries = new Map<string, unknown>();
  let version: number | undefined;
  return async () => {
    const seen = await versionOf();
    if (seen !== version || entries.size >= ENTRIES) entries.clear();
    version = seen;
    return {
      async cached(key, fn) {
        if (entries.has(key)) return entries.get(key) as Awaited<ReturnType<typeof fn>>;
        const value = await read(fn);
        if (version === seen) entries.set(key, value);
        return value;
      },
    };
  };
}
