// Reads a blob and compares it with the SHA-256 that names it: bytes that are not the ones that were stored never leave the
// store. A blob that was compared once is read without the comparison, as long as its file has not changed.

import { webcrypto } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { sha256Of } from '../../common/sha256.ts';
import { DamagedStoreError } from '../../database/database.ts';

/** Blobs remembered as compared; past that all are forgotten. About 100 bytes each. */
const REMEMBERED = 20_000;

/** Larger files are hashed on another thread, so that other requests do not wait: 256 kB take about a millisecond. */
const HASHED_HERE_BYTES = 256 * 1024;

export type Intact = {
  /** @param name what people call the file */
  read(sha256: string, name?: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Like `read`, for callers that do not need the bytes. */
  check(sha256: string, name?: string): Promise<void>;
};

/** A write that sets the time of the last change back still moves `ctimeMs`. */
type Touched = { ino: number; size: number; mtimeMs: number; ctimeMs: number };

/** Both throw DamagedStoreError when the bytes are missing or are others. */
export function createIntact(pathOf: (sha256: string) => string): Intact {
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

const damaged = (sha256: string, what: string, cause?: unknown): DamagedStoreError =>
  new DamagedStoreError(`${what} (blob ${sha256}).`, {
    cause,
    hint: `Restore blobs/${sha256.slice(0, 2)}/${sha256} in the data of the service from a backup, or upload the same file again.`,
  });
