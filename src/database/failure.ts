// Explains why a database failed, by the codes of the system, SQLite or PostgreSQL, never by the text of a
// message. Its texts name no path, because they may be read on another machine.
import { DAMAGED, diskFailureOf, FULL, IO, type StorageFailure } from '../files/disk-failure.ts';
import { DamagedStoreError, NewerStoreError } from './database.ts';
import type { DatabaseErrorCode } from './database-error.ts';

/** Thrown when the database cannot be opened for a reason outside of its content. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly kind: StorageFailure['kind'];
  readonly code: DatabaseErrorCode;
  /** It says what to do, where that is known. */
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

/** The next connection after a failover reaches the server that has taken over. */
const REPLICA: StorageFailure = { kind: 'unavailable', why: 'its server is read-only' };
/** The process that says so ends. Another node of the newer version accepts the same request. */
const UPGRADED: StorageFailure = {
  kind: 'unavailable',
  why: 'a newer version of esign has upgraded it, and the service that runs is of the older version',
};

/** The keys are values of SQLSTATE (PostgreSQL, appendix A). */
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
  const { code } = error as { code?: unknown };
  return diskFailureOf(error) ?? (typeof code === 'string' ? BY_SQLSTATE[code] : undefined);
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
