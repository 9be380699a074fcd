// Reads files within a limit, and only files: a pipe that nothing writes to, or a device without end, would hold up the
// program where no signal reaches it. Opens without waiting.
import { closeSync, constants, fstatSync, openSync, read, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type FileKind, FileTooLargeError, NotAFileError } from './file-errors.ts';
import { currentUser, mustTrust, UntrustedError, type User, writersOf } from './trust.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** @property isLinkRefused refuses a name that is a symbolic link */
export type ReadOptions = { mostBytes: number; isLinkRefused?: boolean };

/**
 * What a file holds, whole.
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
 * What a file in a folder of this program holds, and undefined when there is none. The folder is looked at, and the file
 * that was opened.
 * @throws UntrustedError, NotAFileError, FileTooLargeError, or the system's error
 */
export function readTrustedFile(path: string, options: ReadOptions): Bytes | undefined {
  if (!isThere(path)) return undefined;
  mustTrust(dirname(path));
  return readJudged(path, options, writersOf);
}

/**
 * What a file beside the user's documents holds, and undefined when there is none. Its folder may be a clone, and one that a
 * group works in; a file that another user left there is not read.
 * @throws UntrustedError, NotAFileError, FileTooLargeError, or the system's error
 */
export function readOwnFile(path: string, options: ReadOptions): Bytes | undefined {
  if (!isThere(path)) return undefined;
  return readJudged(path, options, (facts, user) => {
    // Root works in directories of others on purpose, as in a container whose files are the runner's.
    const isOfFolder = user.id === 0 && facts.uid === statSync(dirname(path)).uid;
    return writersOf(facts, isOfFolder ? { ...user, id: facts.uid } : user, true);
  });
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function readJudged(
  path: string,
  options: ReadOptions,
  judge: (facts: Stats, user: User) => string | undefined,
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

/** Opens a file for reading, without waiting for what is none. Its caller closes it. */
export function openRegular(
  path: string,
  { isLinkRefused = false }: Pick<ReadOptions, 'isLinkRefused'> = {},
): { fd: number; facts: Stats } {
  // Opening some devices does something, so what is known to be none is not opened.
  refuseOthers(path, statSync(path));
  // Windows knows neither, and has no such pipes among its files.
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

/** Undefined for a file. */
export function kindOf(facts: Stats): FileKind | undefined {
  if (facts.isFile()) return undefined;
  if (facts.isDirectory()) return 'directory';
  if (facts.isFIFO()) return 'pipe';
  return facts.isSocket() ? 'socket' : 'device';
}

const PIECE_BYTES = 64 * 1024;

function readOpen(path: string, fd: number, { size }: Stats, mostBytes: number): Bytes {
  if (size > mostBytes) throw new FileTooLargeError(path, size);
  // What the system itself tells as a file has no size, and what is appended to has more than it had.
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

/** A file of some megabytes is read in one go, a larger one in pieces between which a signal is noticed. */
const AT_ONCE_BYTES = 4 * 1024 * 1024;

/**
 * What a file that a person named holds, whole. A pipe that the shell opened for the command (`<(…)`, `/dev/stdin`) is read
 * to its end; one that lies in a folder is not, because nothing may ever write to it.
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

/** As shells name the files that they opened for a command. */
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
