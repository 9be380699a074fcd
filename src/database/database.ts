// What every store here is: a database that is read in a consistent snapshot and written in durable commits.
// It knows no table; whoever opens one brings its migrations.
import type { Kysely } from 'kysely';
import type { DatabaseErrorCode } from './database-error.ts';

export type Database<T> = {
  readonly dialect: 'sqlite' | 'postgres';
  /** Nothing can be changed: its disk is read-only. */
  readonly isReadOnly?: boolean;
  /** Runs `fn` on one consistent snapshot. It must not write, and must wait for nothing but its queries. */
  read<R>(fn: (db: Kysely<T>) => Promise<R>): Promise<R>;
  /** Checks for commits of other connections. What is read from the cache afterwards is at least as new as they are. */
  cache(): Promise<ReadCache<T>>;
  /**
   * Runs `fn` inside a commit and resolves once that commit is durable. When `fn` throws, nothing of it stays.
   * It must wait for nothing but its queries: other writers stand behind it. It may run twice (PostgreSQL).
   * @param changes all that is cached and changed by it. Whoever does not know leaves it out: then nothing stays cached
   */
  write<R>(fn: (db: Kysely<T>) => Promise<R>, changes?: ChangedIds): Promise<R>;
  /** Puts what was committed into the database's own file, where a log of its own stands beside that. */
  settleLog(): Promise<void>;
  close(): Promise<void>;
  /** Resolves when this process was refused because a newer version of esign has upgraded the tables meanwhile. */
  readonly upgraded: Promise<NewerStoreError>;
};

/** What cached reads are about: ids, as they were given to `cached`. Read when the commit is done, so `fn` may add to it. */
export type ChangedIds = readonly string[];

/** Reads that are kept in memory until what they are about is changed. Made for one request. */
export type ReadCache<T> = {
  /**
   * As `read`. What came out is kept and shared: it must not be changed. Nothing is kept where nothing was found.
   * @param about the one thing that a commit which changes the result names, or leaves `changes` out
   * @param key what is asked about it
   */
  cached<R>(about: string, key: string, fn: (db: Kysely<T>) => Promise<R>): Promise<R>;
};

export type Migration = { name: string; up(db: Kysely<never>): Promise<void> };

/** The store was written by a newer version, whose tables this one does not know. */
export class NewerStoreError extends Error {
  override name = 'NewerStoreError';
  readonly code = 'store_newer' satisfies DatabaseErrorCode;
}

/**
 * Something of a store is missing, or is not what was stored. Nothing is ever made in its place.
 * The message may be read at another machine when it comes from a request: only what opens a store names paths.
 */
export class DamagedStoreError extends Error {
  override name = 'DamagedStoreError';
  readonly code = 'storage_damaged' satisfies DatabaseErrorCode;
  /** What to do, where that is more than to put a copy back. */
  readonly hint: string | undefined;

  constructor(message: string, options?: ErrorOptions & { hint?: string }) {
    super(message, options);
    this.hint = options?.hint;
  }
}
