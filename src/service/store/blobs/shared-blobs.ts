// Stores blobs that all nodes share. Each node has copies of those that it has used in a folder: drawing and sealing read
// files, and a copy is not fetched again. The folder may be emptied at any time.
import { createReadStream } from 'node:fs';
import { DamagedStoreError } from '../../../database/database.ts';
import type { Blobs, Spooled } from './blobs.ts';

/** All nodes share the bytes in this place. */
export type SharedBytes = {
  /** Makes bytes durable. Bytes that are there already count as written now. */
  write(bytes: SharedBody): Promise<void>;
  /** Reads bytes; nothing comes of bytes that are missing. They are compared with their hash by the caller. */
  read(sha256: string): AsyncIterable<Uint8Array>;
  remove(sha256: string): Promise<void>;
  /** Says how bytes that are missing or damaged are brought back. */
  explainRestoring(sha256: string): string;
  /** Sweeps like {@link Blobs.sweep}, by the clock of the place. */
  sweep: Blobs['sweep'];
};

export type SharedBody = Pick<Spooled, 'sha256' | 'sizeBytes'> & {
  /** Reads the body, and may be called several times. */
  read(): AsyncIterable<Uint8Array>;
};

/** @param copies of this node */
export function createSharedBlobs(shared: SharedBytes, copies: Blobs): Blobs {
  /** Copies a blob into the folder. The name of the copy is the hash of what came, so that damaged bytes are not found there. */
  async function fetch(sha256: string): Promise<void> {
    const spooled = await copies.spool(shared.read(sha256), Number.POSITIVE_INFINITY);
    if (spooled === 'too_large') return;
    try {
      if (spooled.sha256 === sha256) await spooled.storeBlob();
    } finally {
      await spooled.discard();
    }
  }

  /** Runs `use` on a copy. One that is missing, or was damaged, is fetched first; then `use` reports what is still wrong. */
  async function useCopy<T>(sha256: string, use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof DamagedStoreError)) throw error;
      await fetch(sha256);
    }
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof DamagedStoreError)) throw error;
      // The error is about the folder with the copies, which has nothing to restore.
      const hint = shared.explainRestoring(sha256);
      throw new DamagedStoreError(error.message, { cause: error.cause, hint });
    }
  }

  const spool: Blobs['spool'] = async (chunks, limitBytes) => {
    const spooled = await copies.spool(chunks, limitBytes);
    if (spooled === 'too_large') return spooled;
    return {
      ...spooled,
      async storeBlob() {
        await shared.write({ ...spooled, read: () => createReadStream(spooled.path) });
        await spooled.storeBlob();
      },
    };
  };

  return {
    spool,
    async put(bytes) {
      const spooled = await spool(yieldBytes(bytes), Number.POSITIVE_INFINITY);
      if (spooled === 'too_large') throw new Error('A blob of the service has no limit of size.');
      try {
        await spooled.storeBlob();
      } finally {
        await spooled.discard();
      }
      return spooled.sha256;
    },
    get: (sha256, name) => useCopy(sha256, () => copies.get(sha256, name)),
    check: (sha256, name) => useCopy(sha256, () => copies.check(sha256, name)),
    locate: (sha256, name) => useCopy(sha256, () => copies.locate(sha256, name)),
    async remove(sha256) {
      await shared.remove(sha256);
      await copies.remove(sha256);
    },
    async sweep(isNamed, untouchedMs, signal) {
      await shared.sweep(isNamed, untouchedMs, signal);
      if (!signal?.aborted) await copies.sweep(isNamed, untouchedMs, signal);
    },
  };
}

async function* yieldBytes(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Cuts bytes into pieces of this size; the last one is smaller. */
export async function* cutIntoPieces(
  chunks: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): AsyncIterable<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= sizeBytes; rest = rest.subarray(sizeBytes)) yield rest.subarray(0, sizeBytes);
  }
  if (rest.length > 0) yield rest;
}
