// Describes every database: it reads in consistent snapshots and makes durable commits. It knows no tables of the service;
// the caller that opens one brings its migrations.
import type { Kysely } from 'kysely';
import type { DatabaseErrorCode } from './database-error.ts';

export type Database<T> = {
  readonly dialect: 'sqlite' | 'postgres';
  /** Reads the clock of the server, in milliseconds since 1970; undefined where the database is on this machine. */
  serverClock?: () => number;
  /** It is true when nothing can be changed, because the disk is read-only. */
  readonly isReadOnly?: boolean;
  /** Runs `fn` on one consistent snapshot. It must not write, and must wait for nothing but its queries. */
  read<R>(fn: (db: Kysely<T>) => Promise<R>): Promise<R>;
  /** Checks for commits of other connections. What is read from the cache afterwards is at least as new as they are. */
  cache(): Promise<ReadCache<T>>;
  /**
   * Runs `fn` inside a commit and resolves once that commit is durable. When `fn` throws, nothing of it stays.
   * It must wait for nothing but its queries, because other writers wait for it. It may run twice (PostgreSQL).
   * @param changes all cached things that it changes; undefined when they are not known, which empties the cache
   * @param isolation without it, `serializable`
   */
  write<R>(fn: (db: Kysely<T>) => Promise<R>, changes?: ChangedIds, isolation?: Isolation): Promise<R>;
  /**
   * Locks a row until the commit ends: what a `locked` commit reads of it afterwards, no other `locked` commit changes.
   * @returns true where commits run beside each other, so that what was read before must be read again
   */
  lockRow(db: Kysely<T>, table: keyof T & string, id: string): Promise<boolean>;
  /** Locks like `lockRow`, for a thing that may have no row yet. It must be the first statement of the commit. */
  lockName(db: Kysely<T>, name: string): Promise<void>;
  /**
   * Locks a name for longer than a commit, against other machines; undefined where the database is on this machine. A process must not
   * lock a name that it has locked already.
   * @returns what unlocks it; undefined where another process has locked it
   */
  tryLock?(name: string): Promise<(() => Promise<void>) | undefined>;
  /** Tells whether any process has locked a name by `tryLock`. */
  isLocked?(name: string): Promise<boolean>;
  /** Counts the connections of each pool at present; undefined where there are no pools. */
  pools?(): readonly PoolFacts[];
  /** Copies commits from the write-ahead log into the file of the database. */
  settleLog(): Promise<void>;
  close(): Promise<void>;
  /** Resolves when this process was refused because a newer version of esign has upgraded the tables meanwhile. */
  readonly upgraded: Promise<NewerStoreError>;
};

export type PoolFacts = {
  name: 'read' | 'write';
  /** It counts the connections in use; `idle` counts those that are open and not in use. */
  used: number;
  idle: number;
  /** It counts the requests that wait for a connection. */
  waiting: number;
};

/**
 * PostgreSQL keeps a commit apart from those beside it in one of two ways; a commit of SQLite is alone. A `serializable`
 * one runs as if it were alone, and again where it met another. A `locked` one first locks what its decision rests on, and
 * then reads it.
 */
export type Isolation = 'serializable' | 'locked';

/**
 * They are ids that were given to `cached` and are changed. They are read when the commit is done, so `fn` may add to them.
 */
export type ChangedIds = readonly string[];

/** Caches reads in memory until a commit changes what they are about. It is made for one request. */
export type ReadCache<T> = {
  /**
   * Reads like `read`. The result is cached and shared, so it must not be changed. An undefined result is not cached.
   * @param about the thing that a commit must name in `changes` when it changes the result
   * @param key the query about it
   * @param needsNoSnapshot a snapshot would cost PostgreSQL two more statements
   */
  cached<R>(
    about: string,
    key: string,
    fn: (db: Kysely<T>) => Promise<R>,
    needsNoSnapshot?: true,
  ): Promise<R>;
};

export type Migration = {
  name: string;
  up(db: Kysely<never>): Promise<void>;
  /** It only adds tables, or columns with a default, so that versions that do not know it read everything as before. */
  isAdditive?: true;
};

/** Thrown for a store that a newer version has written, whose tables this one does not know. */
export class NewerStoreError extends Error {
  override name = 'NewerStoreError';
  readonly code = 'store_newer' satisfies DatabaseErrorCode;
  /** It is true if everything can still be read, because the newer version has only added to the tables. */
  readonly isReadable: boolean;

  constructor(message: string, { isReadable = false } = {}) {
    super(message);
    this.isReadable = isReadable;
  }
}

/** Thrown for a store that was made by a clone from before the first release, whose migrations no released version has. */
export class UnreleasedStoreError extends Error {
  override name = 'UnreleasedStoreError';
  readonly code = 'store_unreleased' satisfies DatabaseErrorCode;
  readonly migration: string;
  /** It says what to do, where the place of the store is known. */
  readonly hint: string | undefined;

  constructor(migration: string, hint?: string) {
    super(
      `The stored data was written by a clone of esign from before the first release (it contains "${migration}"), and cannot be read.`,
    );
    this.migration = migration;
    this.hint = hint;
  }
}

/**
 * Thrown when something of a store is missing, or differs from what was stored. It is never recreated.
 * The message of a request may be read on another machine, so only the opening of a store names paths.
 */
export class DamagedStoreError extends Error {
  override name = 'DamagedStoreError';
  readonly code = 'storage_damaged' satisfies DatabaseErrorCode;
  /** It says what to do, where that is more than to restore a backup. */
  readonly hint: string | undefined;

  constructor(message: string, options?: ErrorOptions & { hint?: string }) {
    super(message, options);
    this.hint = options?.hint;
  }
}
