// Explains why files cannot be read or written, by the codes of the system and of SQLite, never by the text of a
// message. Its texts name no path, because they may be read on another machine.

/**
 * `unavailable` is over in a moment; `full` and `unusable` may be temporary; `damaged` means that something has to be
 * restored.
 */
export type StorageFailure = { kind: 'unavailable' | 'full' | 'unusable' | 'damaged'; why: string };

export const FULL: StorageFailure = { kind: 'full', why: 'no space is left on the disk' };
const READ_ONLY: StorageFailure = { kind: 'unusable', why: 'it is read-only' };
const NOT_PERMITTED: StorageFailure = { kind: 'unusable', why: 'this process has no permission to use it' };
const TOO_MANY_FILES: StorageFailure = { kind: 'unusable', why: 'too many files are open' };
export const IO: StorageFailure = { kind: 'unusable', why: 'the disk reported an I/O error' };
const NOT_OPENED: StorageFailure = { kind: 'unusable', why: 'one of its files cannot be opened' };
const BUSY: StorageFailure = { kind: 'unusable', why: 'another process has locked it' };
export const DAMAGED: StorageFailure = { kind: 'damaged', why: 'the database is damaged' };

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

/** The keys are primary result codes (sqlite.org/rescode.html). */
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

/** SQLITE_IOERR_SHMSIZE says that the index of the log could not grow, which a full disk causes. */
const SHM_SIZE = 4874;

/** Classifies an error of the system or of SQLite. @returns undefined for one that is not about files */
export function diskFailureOf(error: unknown): StorageFailure | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return errcode === SHM_SIZE ? FULL : BY_SQLITE[errcode & 0xff];
  return typeof code === 'string' && Object.hasOwn(BY_ERRNO, code) ? BY_ERRNO[code] : undefined;
}
