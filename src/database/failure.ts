// Explains why storage failed, by the codes of the system, SQLite or PostgreSQL, never by the text of a
// message. Its texts name no path, because they may be read on another machine.
import { DamagedStoreError, NewerStoreError } from './database.ts';
import type { DatabaseErrorCode } from './database-error.ts';

/**
 * `unavailable` is over in a moment; `full` and `unusable` may be temporary; `damaged` means that something has to be
 * restored.
 */
export type StorageFailure = { kind: 'unavailable' | 'full' | 'unusable' | 'damaged'; why: string };

/** Thrown when the database cannot be opened for a reason outside of its content. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly kind: StorageFailure['kind'];
  readonly code: DatabaseErrorCode;
  /** What to do, where that is known. */
  readonly hint: string | undefined;

  constructor(message: string, kind: StorageFailure['kind'], options?: ErrorOptions & { hint?: string }) {
    super(message, options);
    this.kind = kind;
    this.code = `storage_${kind}`;
    this.hint = options?.hint;
  }
}

export const UNREACHABLE: StorageFailure = { kind: 'unavailable', why: 'the database does not respond' };
export const CROWDED: StorageFailure = {
  kind: 'unavailable',
  why: 'too many changes are being made at the same time',
};

/** Thrown when a server with stored data does not respond, or is too busy; the same work may succeed a moment later. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
  readonly code = 'storage_unavailable' satisfies DatabaseErrorCode;
  readonly failure: StorageFailure;

  /** @param options.message for the owner of the machine; without it, one about the database */
  constructor(failure: StorageFailure, { message, ...options }: ErrorOptions & { message?: string } = {}) {
    super(message ?? `The database cannot be used now: ${failure.why}.`, options);
    this.failure = failure;
  }
}

const FULL: StorageFailure = { kind: 'full', why: 'no space is left on the disk' };
const READ_ONLY: StorageFailure = { kind: 'unusable', why: 'it is read-only' };
/** After a failover, the next connection reaches the server that has taken over. */
const REPLICA: StorageFailure = { kind: 'unavailable', why: 'its server is read-only' };
const NOT_PERMITTED: StorageFailure = { kind: 'unusable', why: 'this process has no permission to use it' };
const TOO_MANY_FILES: StorageFailure = { kind: 'unusable', why: 'too many files are open' };
const IO: StorageFailure = { kind: 'unusable', why: 'the disk reported an I/O error' };
const NOT_OPENED: StorageFailure = { kind: 'unusable', why: 'one of its files cannot be opened' };
const BUSY: StorageFailure = { kind: 'unusable', why: 'another process has locked it' };
/** The process that says so ends. Another node of the newer version accepts the same request. */
const UPGRADED: StorageFailure = {
  kind: 'unavailable',
  why: 'a newer version of esign has upgraded it, and the service that runs is of the older version',
};
const DAMAGED: StorageFailure = { kind: 'damaged', why: 'the database is damaged' };

const BY_ERRNO: Record<string, StorageFailure> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: READ_ONLY,
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  EIO: IO,
};

/** Primary result codes (sqlite.org/rescode.html). */
const BY_SQLITE: Record<number, StorageFailure> = {
  3: NOT_PERMITTED, // SQLITE_PERM
  5: BUSY, // SQLITE_BUSY
  8: READ_ONLY, // SQLITE_READONLY
  10: IO, // SQLITE_IOERR
  11: DAMAGED, // SQLITE_CORRUPT
  13: FULL, // SQLITE_FULL
  14: NOT_OPENED, // SQLITE_CANTOPEN
  26: DAMAGED, // SQLITE_NOTADB
};

/** SQLITE_IOERR_SHMSIZE: the index of the log could not grow, which a full disk causes. */
const SHM_SIZE = 4874;

/** SQLSTATE (PostgreSQL, appendix A). */
const BY_SQLSTATE: Record<string, StorageFailure> = {
  '53100': FULL, // disk_full
  '25006': REPLICA, // read_only_sql_transaction
  '53300': UNREACHABLE, // too_many_connections
  '57014': UNREACHABLE, // query_canceled, by the time limit of statements
  '57P01': UNREACHABLE, // admin_shutdown
  '57P02': UNREACHABLE, // crash_shutdown
  '57P03': UNREACHABLE, // cannot_connect_now
  '57P05': UNREACHABLE, // idle_session_timeout
  '25P03': UNREACHABLE, // idle_in_transaction_session_timeout
  '40001': CROWDED, // serialization_failure
  '40P01': CROWDED, // deadlock_detected
  '55P03': CROWDED, // lock_not_available
  '58030': IO, // io_error
  XX001: DAMAGED, // data_corrupted
  XX002: DAMAGED, // index_corrupted
};

/** Classifies an error. @returns undefined for an error that is not about storage */
export function storageFailureOf(error: unknown): StorageFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DamagedStoreError) return { kind: 'damaged', why: error.message };
  if (error instanceof NewerStoreError) return UPGRADED;
  if (error instanceof UnavailableError) return error.failure;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return errcode === SHM_SIZE ? FULL : BY_SQLITE[errcode & 0xff];
  if (typeof code === 'string')
    return (Object.hasOwn(BY_ERRNO, code) && BY_ERRNO[code]) || BY_SQLSTATE[code] || undefined;
  return undefined;
}

/** Explains an error. @returns the same error, or one that names the file and says what is wrong with it */
export function describeStorageError(error: unknown, file: string): unknown {
  const failure = storageFailureOf(error);
  const isExplained = [DamagedStoreError, NewerStoreError, StorageError].some(
    (kind) => error instanceof kind,
  );
  if (!failure || isExplained) return error;
  if (failure.kind === 'damaged')
    return new DamagedStoreError(`${file} is damaged, or is not a database of esign.`, { cause: error });
  return new StorageError(`${file} cannot be used: ${failure.why}.`, failure.kind, { cause: error });
}
