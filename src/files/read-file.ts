// Reads regular files within a limit. It refuses pipes and devices, which may block the
// program where no signal reaches it, and opens without waiting.
import { closeSync, constants, fstatSync, openSync, read, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { concatBytes } from '../common/concat-bytes.ts';
import { currentUser, mustTrust, otherWriters, type SystemUser, UntrustedError } from './trust.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** @property isLinkRefused refuses a name that is a symbolic link */
type ReadOptions = { mostBytes: number; isLinkRefused?: boolean };

/**
 * Reads a whole file.
 * @throws NotAFileError, FileTooLargeError, or the system's error
 */
export function readFileUpTo(path: string, options: ReadOptions): Bytes {
  const { fd, stats } = openRegular(path, options);
  try {
    return readOpen(path, fd, stats, options.mostBytes);
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
  return readIfTrusted(path, options, (stats, user) => {
    // Root works in directories of others on purpose, as in a container whose files are the runner's.
    const isOfFolder = user.id === 0 && stats.uid === statSync(dirname(path)).uid;
    return otherWriters(stats, isOfFolder ? { ...user, id: stats.uid } : user, true);
  });
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function readIfTrusted(
  path: string,
  options: ReadOptions,
  judge: (stats: Stats, user: SystemUser) => string | undefined,
): Bytes {
  const { fd, stats } = openRegular(path, options);
  try {
    const user = currentUser();
    const why = user && judge(stats, user);
    if (why !== undefined) throw new UntrustedError('file', path, { path, why, hint: OWN_COPY });
    return readOpen(path, fd, stats, options.mostBytes);
  } finally {
    closeSync(fd);
  }
}

const OWN_COPY = 'Check what it contains, and replace it with a copy of your own, or remove it.';

/** Opens a regular file for reading without waiting. The caller must close it. */
function openRegular(
  path: string,
  { isLinkRefused = false }: Pick<ReadOptions, 'isLinkRefused'> = {},
): { fd: number; stats: Stats } {
  // Opening some devices has effects, so anything else is refused before.
  refuseOthers(path, statSync(path));
  // Windows has neither flag, and no such pipes among its files.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(path, O_RDONLY | O_NONBLOCK | (isLinkRefused ? O_NOFOLLOW : 0));
  try {
    const stats = fstatSync(fd);
    refuseOthers(path, stats);
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function refuseOthers(path: string, stats: Stats): void {
  const kind = kindOf(stats);
  if (kind !== undefined) throw new NotAFileError(path, kind);
}

/** Returns undefined for a file. */
function kindOf(stats: Stats): FileKind | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'directory';
  if (stats.isFIFO()) return 'pipe';
  return stats.isSocket() ? 'socket' : 'device';
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
    if (read === 0) return pieces.length === 1 ? (pieces[0] as Bytes) : concatBytes(pieces);
    pieces.push(piece.subarray(0, read));
    sizeBytes += read;
    if (sizeBytes > mostBytes) throw new FileTooLargeError(path, undefined);
  }
}

/** Files up to this size are read at once; larger ones in pieces, between which a signal is noticed. */
const AT_ONCE_BYTES = 4 * 1024 * 1024;

type NamedFileOptions = { mostBytes: number; signal?: AbortSignal | undefined };

/**
 * Reads a whole file that a person named. It reads a pipe that the shell opened for the command (`<(…)`, `/dev/stdin`)
 * to its end, but not a named pipe in a folder, because nothing may ever write to it.
 * @throws NotAFileError, FileTooLargeError, the reason of the signal, or the system's error
 */
export async function readNamedFile(path: string, { mostBytes, signal }: NamedFileOptions): Promise<Bytes> {
  if (isHandedOver(path) && statSync(path).isFIFO()) return readPipe(path, { mostBytes, signal });
  const { fd, stats } = openRegular(path);
  try {
    if (stats.size <= AT_ONCE_BYTES || stats.size > mostBytes) return readOpen(path, fd, stats, mostBytes);
    return await readPieces(fd, stats.size, signal);
  } finally {
    closeSync(fd);
  }
}

/** Recognizes a file that the shell opened for the command. */
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

/** Reads a pipe to its end, in a way that a signal can end. @throws FileTooLargeError, the reason of the signal, or the system's error */
async function readPipe(path: string, { mostBytes, signal }: NamedFileOptions): Promise<Bytes> {
  // Hardly any command reads a pipe.
  const [{ Socket }, { addAbortSignal }] = await Promise.all([import('node:net'), import('node:stream')]);
  // Opening it would wait for another writer where the first has ended already.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: true, writable: false });
  if (signal) addAbortSignal(signal, pipe);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of pipe as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.length;
      if (sizeBytes > mostBytes) throw new FileTooLargeError(path, undefined);
      pieces.push(chunk);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    pipe.destroy();
  }
  return concatBytes(pieces);
}

/** A name that leads to no file leads to one of these. */
type FileKind = 'directory' | 'pipe' | 'device' | 'socket';

export class NotAFileError extends Error {
  override name = 'NotAFileError';
  readonly code = 'not_a_file';
  readonly kind: FileKind;

  constructor(path: string, kind: FileKind) {
    super(`${path} is a ${kind}, not a file.`);
    this.kind = kind;
  }
}

export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
  readonly code = 'file_too_large';
  /** It is undefined where it is not known. */
  readonly sizeBytes: number | undefined;

  constructor(path: string, sizeBytes: number | undefined) {
    super(`${path} is too large.`);
    this.sizeBytes = sizeBytes;
  }
}

/** Says in a few words why a file was not read: what it is instead, or the system's code. */
export function whyUnread(error: unknown): string {
  if (error instanceof NotAFileError) return `it is a ${error.kind}`;
  if (error instanceof FileTooLargeError) return 'it is too large';
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
