// What every store here is: a database that is read in a consistent snapshot and written in durable commits.
// It knows no table; whoever opens one brings its migrations.
import type { Kysely } from 'kysely';

export type Database<T> = {
  readonly dialect: 'sqlite' | 'postgres';
  /** Runs `fn` on one consistent snapshot. It must not write, and must wait for nothing but its queries. */
  read<R>(fn: (db: Kysely<T>) => Promise<R>): Promise<R>;
  /** Checks whether anybody has committed; what comes out of the cache is at least as new as that. */
  cache(): Promise<ReadCache<T>>;
  /**
   * Runs `fn` inside a commit and resolves once that commit is durable. When `fn` throws, nothing of it stays.
   * It must wait for nothing but its queries: other writers stand behind it. It may run twice (PostgreSQL).
   */
  write<R>(fn: (db: Kysely<T>) => Promise<R>): Promise<R>;
  close(): Promise<void>;
};

/** Reads that are remembered until anybody, here or in another process, commits something. Made for one request. */
export type ReadCache<T> = {
  /** As `read`. What came out is kept under `key` and shared: it must not be changed. */
  cached<R>(key: string, fn: (db: Kysely<T>) => Promise<R>): Promise<R>;
};

export type Migration = { name: string; up(db: Kysely<never>): Promise<void> };

/** The store was written by a newer version, whose tables this one does not know. */
export class NewerStoreError extends Error {
  override name = 'NewerStoreError';
}

/** The file is there, but it is no store any more: it is never emptied by itself. */
export class DamagedStoreError extends Error {
  override name = 'DamagedStoreError';
}
