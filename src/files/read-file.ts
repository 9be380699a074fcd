// Reads regular files within a limit. It refuses pipes and devices, which may block the
// program where no signal reaches it, and opens without waiting.
import { closeSync, constants, fstatSync, openSync, read, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type FileKind, FileTooLargeError, NotAFileError } from './file-errors.ts';
import { currentUser, mustTrust, otherWriters, type SystemUser, UntrustedError } from './trust.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** @property isLinkRefused refuses a name that is a symbolic link */
export type ReadOptions = { mostBytes: number; isLinkRefused?: boolean };

/**
 * Reads a whole file.
 * @throws NotAFileError, FileTooLargeError, or the system's error
 */
export function readFileUpTo(path: string, options: ReadOptions): Bytes {
  const { fd, facts } = openRegular(path, options);
  try {
    return readOpen(path, fd, facts, options.mostBytes);
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads a file in a folder of this program; undefined when there is none. It checks the owner of the folder and of the opened
 * file.
 * @throws UntrustedError, NotAFileError, FileTooLargeError, or the system's error
 */
export function readTrustedFile(path: string, options: ReadOptions): Bytes | undefined {
  if (!isThere(path)) return undefined;
  mustTrust(dirname(path));
  return readIfTrusted(path, options, otherWriters);
}

/**
 * Reads a file beside the user's documents; undefined when there is none. Its folder may be a clone, or one that a
 * group works in, but a file of another user is not read.
 * @throws UntrustedError, NotAFileError, FileTooLargeError, or the system's error
 */
export function readOwnFile(path: string, options: ReadOptions): Bytes | undefined {
  if (!isThere(path)) return undefined;
  return readIfTrusted(path, options, (facts, user) => {
    // Root works in directories of others on purpose, as in a container whose files are the runner's.
    const isOfFolder = user.id === 0 && facts.uid === statSync(dirname(path)).uid;
    return otherWriters(facts, isOfFolder ? { ...user, id: facts.uid } : user, true);
  });
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function readIfTrusted(
  path: string,
  options: ReadOptions,
  judge: (facts: Stats, user: SystemUser) => string | undefined,
): Bytes {
  const { fd, facts } = openRegular(path, options);
  try {
    const user = currentUser();
    const why = user && judge(facts, user);
    if (why !== undefined) throw new UntrustedError('file', path, { path, why, hint: OWN_COPY });
    return readOpen(path, fd, facts, options.mostBytes);
  } finally {
    closeSync(fd);
  }
}

const OWN_COPY = 'Check what it contains, and replace it with a copy of your own, or remove it.';

/** Opens a regular file for reading without waiting. The caller must close it. */
export function openRegular(
  path: string,
  { isLinkRefused = false }: Pick<ReadOptions, 'isLinkRefused'> = {},
): { fd: number; facts: Stats } {
  // Opening some devices has effects, so anything else is refused before.
  refuseOthers(path, statSync(path));
  // Windows has neither flag, and no such pipes among its files.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(path, O_RDONLY | O_NONBLOCK | (isLinkRefused ? O_NOFOLLOW : 0));
  try {
    const facts = fstatSync(fd);
    refuseOthers(path, facts);
    return { fd, facts };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function refuseOthers(path: string, facts: Stats): void {
  const kind = kindOf(facts);
  if (kind !== undefined) throw new NotAFileError(path, kind);
}

/** The kind of something that is not a file; undefined for a file. */
export function kindOf(facts: Stats): FileKind | undefined {
  if (facts.isFile()) return undefined;
  if (facts.isDirectory()) return 'directory';
  if (facts.isFIFO()) return 'pipe';
  return facts.isSocket() ? 'socket' : 'device';
}

const PIECE_BYTES = 64 * 1024;

function readOpen(path: string, fd: number, { size }: Stats, mostBytes: number): Bytes {
  if (size > mostBytes) throw new FileTooLargeError(path, size);
  // Files of the system have no size, and a file that is appended to has grown.
  const pieces: Bytes[] = [];
  let sizeBytes = 0;
  for (;;) {
    const piece = new Uint8Array(sizeBytes < size ? size - sizeBytes : PIECE_BYTES);
    const read = readSync(fd, piece, 0, piece.length, null);
    if (read === 0) return joined(pieces, sizeBytes);
    pieces.push(piece.subarray(0, read));
    sizeBytes += read;
    if (sizeBytes > mostBytes) throw new FileTooLargeError(path, undefined);
  }
}

function joined(pieces: readonly Bytes[], sizeBytes: number): Bytes {
  if (pieces.length === 1) return pieces[0] as Bytes;
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Files up to this size are read at once; larger ones in pieces, between which a signal is noticed. */
const AT_ONCE_BYTES = 4 * 1024 * 1024;

/**
 * Reads a whole file that a person named. It reads a pipe that the shell opened for the command (`<(…)`, `/dev/stdin`)
 * to its end, but not a named pipe in a folder, because nothing may ever write to it.
 * @throws NotAFileError, FileTooLargeError, the reason of the signal, or the system's error
 */
export async function readNamedFile(
  path: string,
  { mostBytes, signal }: { mostBytes: number; signal?: AbortSignal },
): Promise<Bytes> {
  if (isHandedOver(path) && statSync(path).isFIFO()) {
    const { readPipe } = await import('./read-pipe.ts');
    return readPipe(path, { mostBytes, ...(signal && { signal }) });
  }
  const { fd, facts } = openRegular(path);
  try {
    if (facts.size <= AT_ONCE_BYTES || facts.size > mostBytes) return readOpen(path, fd, facts, mostBytes);
    return await readPieces(fd, facts.size, signal);
  } finally {
    closeSync(fd);
  }
}

/** Whether a path names a file that the shell opened for the command. */
const isHandedOver = (path: string): boolean => /^\/(dev\/(stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/.test(path);

async function readPieces(fd: number, sizeBytes: number, signal: AbortSignal | undefined): Promise<Bytes> {
  const bytes = new Uint8Array(sizeBytes);
  for (let at = 0; at < sizeBytes; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await readInto(fd, bytes, at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}

const readAsync = promisify(read);
const readInto = (fd: number, bytes: Bytes, at: number) =>
  readAsync(fd, bytes, at, Math.min(AT_ONCE_BYTES, bytes.length - at), null);
