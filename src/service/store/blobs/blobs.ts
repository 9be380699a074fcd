// Stores the bytes of files under the hash of their content. A blob is durable before any row names it, and no part of its name
// ever comes from a user. Bytes that are not the ones that were stored never leave the store: each blob is compared with the SHA-256 that names it,
// once for as long as its file does not change.
import { createHash, webcrypto } from 'node:crypto';
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '../../../common/sha256.ts';
import { DamagedStoreError } from '../../../database/database.ts';
import { databaseRemoved } from '../../../database/lost-commits.ts';

/** The bytes came in as a stream, and are on disk but not yet a blob. */
export type Spooled = {
  sha256: string;
  sizeBytes: number;
  path: string;
  /** Reads the first of the bytes, up to so many. */
  head(sizeBytes: number): Promise<Uint8Array>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Makes the bytes a blob, which is durable when this resolves. */
  storeBlob(): Promise<void>;
  discard(): Promise<void>;
};

export type Blobs = {
  /**
   * Writes a stream to disk without holding it in memory. It resolves with 'too_large' as soon as the limit is exceeded.
   */
  spool(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Spooled | 'too_large'>;
  /** Makes the bytes durable. @returns their SHA-256 in hex, the blob's name */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * Reads a blob. It throws DamagedStoreError when the bytes are not the ones that were stored.
   * @param name what people call the file, for the message
   */
  get(sha256: string, name?: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Finds a blob like `get`, without reading what was compared already. */
  check(sha256: string, name?: string): Promise<void>;
  /**
   * Returns the path of a blob whose bytes were compared, for a process of ours that reads it itself. It throws as `get`.
   */
  locate(sha256: string, name?: string): Promise<string>;
  /** Removes a blob. The caller has stored it and knows that no row names it. */
  remove(sha256: string): Promise<void>;
  /** Removes blobs that no row names and that have not been written for at least `untouchedMs`, by the clock of the disk, not the service's. */
  sweep(isNamed: (sha256: string) => boolean, untouchedMs: number, signal?: AbortSignal): Promise<void>;
};

const PRIVATE = 0o700;

/** Ends the names of files that a sweep is about to remove. If the sweep is killed, the next one finds them and moves them back if a row names them. */
const ASIDE = '.swept';

const NAME = /^[0-9a-f]{64}$/;

/**
 * @param folder is created with the first blob; its parent is there
 * @param newId names files that are being written
 */
export function createBlobs(folder: string, newId: () => string): Blobs {
  const pathOf = (sha256: string) => {
    if (!NAME.test(sha256)) throw new Error('A blob is named by its SHA-256.');
    return join(folder, sha256.slice(0, 2), sha256);
  };

  const intact = createIntact(pathOf);

  async function keep(scratch: string, sha256: string): Promise<void> {
    const path = pathOf(sha256);
    const subfolder = join(path, '..');
    await ensureFolder(subfolder);
    await rename(scratch, path);
    // The subfolder may be new: its entry in `folder` has to last as well.
    for (const directory of [subfolder, folder]) await syncDirectory(directory);
  }

  const blobs: Blobs = {
    async spool(chunks, limitBytes) {
      await ensureFolder(folder);
      const scratch = join(folder, `${newId()}.tmp`);
      const written = await write(scratch, chunks, limitBytes).catch(async (error) => {
        await rm(scratch, { force: true });
        throw error;
      });
      if (written !== 'too_large')
        return {
          ...written,
          path: scratch,
          head: (sizeBytes) => readBeginning(scratch, sizeBytes),
          bytes: async () => new Uint8Array(await readFile(scratch)),
          storeBlob: () => keep(scratch, written.sha256),
          discard: () => rm(scratch, { force: true }),
        };
      await rm(scratch, { force: true });
      return written;
    },
    async put(bytes) {
      const spooled = await blobs.spool(yieldBytes(bytes), Number.POSITIVE_INFINITY);
      if (spooled === 'too_large') throw new Error('A blob of the service has no limit of size.');
      await spooled.storeBlob();
      return spooled.sha256;
    },
    get: (sha256, name) => intact.read(sha256, name),
    check: (sha256, name) => intact.check(sha256, name),
    async locate(sha256, name) {
      await intact.check(sha256, name);
      return pathOf(sha256);
    },
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
    async sweep(isNamed, untouchedMs, signal) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      if (entries.length === 0) return;
      const now = await diskTimeMs(join(folder, `${newId()}.tmp`));
      for (const entry of entries) {
        if (signal?.aborted) return;
        if (!entry.isFile() || isNamed(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        if (path.endsWith(ASIDE) && isNamed(entry.name.slice(0, -ASIDE.length))) {
          await moveBack(path);
          continue;
        }
        const writtenMs = await readWrittenAtMs(path);
        if (writtenMs !== undefined && now - writtenMs >= untouchedMs) await removeUntouched(path, writtenMs);
      }
    },
  };
  return blobs;
}

/** Parents are never made: where the store's own folder is gone, nothing is stored beside what is missing. */
async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { mode: PRIVATE }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw databaseRemoved();
    ignoreCode('EEXIST')(error);
  });
}

async function* yieldBytes(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Writes and syncs a file: the content lasts, and its name comes with the rename. */
async function write(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<{ sha256: string; sizeBytes: number } | 'too_large'> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) return 'too_large';
      hash.update(chunk);
      await writeWhole(file, chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

async function readBeginning(path: string, sizeBytes: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Writes the whole chunk, because a single write may take less than it was given. */
async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten;
}

/**
 * Removes a file that was not written again. The same bytes may be put again between the look at it and its removal, so it
 * is moved aside first, and moved back when it turns out to be a new one.
 */
async function removeUntouched(path: string, writtenMs: number): Promise<void> {
  const aside = `${path}${ASIDE}`;
  await rename(path, aside).catch(ignoreCode('ENOENT'));
  if ((await readWrittenAtMs(aside)) === writtenMs) await rm(aside, { force: true });
  else await moveBack(aside);
}

async function moveBack(aside: string): Promise<void> {
  await link(aside, aside.slice(0, -ASIDE.length)).catch(ignoreCode('ENOENT', 'EEXIST'));
  await rm(aside, { force: true });
}

/** Ignores an error that means that another process did the same in this moment. */
const ignoreCode =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? '')) throw error;
  };

async function diskTimeMs(probe: string): Promise<number> {
  await writeFile(probe, '', { mode: 0o600 });
  const { mtimeMs } = await stat(probe);
  await rm(probe);
  return mtimeMs;
}

/**
 * Reads when a file was written; undefined when it is gone: a blob that was being written has its name now, or another
 * process swept.
 */
async function readWrittenAtMs(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** So many blobs are remembered as compared, at about 100 bytes each; past that all are forgotten. */
const REMEMBERED = 20_000;

/** Larger files are hashed on another thread, so that other requests do not wait: 256 kB take about a millisecond. */
const HASHED_HERE_BYTES = 256 * 1024;

type Intact = {
  /** @param name what people call the file */
  read(sha256: string, name?: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Compares like `read`, for callers that do not need the bytes. */
  check(sha256: string, name?: string): Promise<void>;
};

/** It has `ctimeMs` as well, which a write still moves that sets the time of the last change back. */
type Touched = { ino: number; size: number; mtimeMs: number; ctimeMs: number };

/** Makes the two functions; both throw DamagedStoreError when the bytes are missing or are others. */
function createIntact(pathOf: (sha256: string) => string): Intact {
  const compared = new Map<string, Touched>();

  async function openBlob<T>(
    sha256: string,
    name: string,
    use: (file: FileHandle) => Promise<T>,
  ): Promise<T> {
    const path = pathOf(sha256);
    let file: FileHandle;
    try {
      file = await open(path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw damaged(sha256, `The content of ${name} is missing`, error);
    }
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  }

  const read: Intact['read'] = (sha256, name = 'a file') =>
    openBlob(sha256, name, async (file) => {
      const touched = await readTouched(file);
      const bytes = new Uint8Array(await file.readFile());
      if (isSame(compared.get(sha256), touched)) return bytes;
      if ((await hashBlob(bytes)) !== sha256)
        throw damaged(sha256, `The content of ${name} was changed after it was stored`);
      if (compared.size >= REMEMBERED) compared.clear();
      compared.set(sha256, touched);
      return bytes;
    });

  return {
    read,
    async check(sha256, name = 'a file') {
      const touched = await openBlob(sha256, name, readTouched);
      if (!isSame(compared.get(sha256), touched)) await read(sha256, name);
    },
  };
}

async function readTouched(file: FileHandle): Promise<Touched> {
  const { ino, size, mtimeMs, ctimeMs } = await file.stat();
  return { ino, size, mtimeMs, ctimeMs };
}

const isSame = (a: Touched | undefined, b: Touched): boolean =>
  a?.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

async function hashBlob(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.length <= HASHED_HERE_BYTES) return sha256Of(bytes);
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

const damaged = (sha256: string, problem: string, cause?: unknown): DamagedStoreError =>
  new DamagedStoreError(`${problem} (blob ${sha256}).`, {
    cause,
    hint: `Restore blobs/${sha256.slice(0, 2)}/${sha256} in the data of the service from a backup, or upload the same file again.`,
  });
