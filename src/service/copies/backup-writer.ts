// Writes a store into a file, under a temporary name until it is complete and was read again.
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { whyUnread } from '../../files/read-file.ts';
import { syncDirectory } from '../store/blobs/blobs.ts';
import { StoreError } from '../store/state/folder.ts';
import {
  blobEntry,
  CONTENTS,
  DESCRIPTION,
  describedIn,
  directoryOf,
  jsonOf,
  tableEntry,
  verifyStoreFile,
} from './backup-file.ts';
import type { StoreWriter } from './copy-store.ts';
import type { DescriptionOf, StoreFileKind } from './file-kinds.ts';
import { localHeader, localHeaderBytes } from './zip.ts';

export type FileTarget<K extends StoreFileKind> = {
  path: string;
  kind: K;
  description: DescriptionOf<K>;
  newId: () => string;
};

/** A file of this name is replaced when the new one is complete. @throws StoreError where nothing can be written */
export async function writeBackup<K extends StoreFileKind>({
  path,
  kind,
  description,
  newId,
}: FileTarget<K>): Promise<StoreWriter> {
  const scratch = `${path}.${newId()}.tmp`;
  const file = await open(scratch, 'wx+', 0o600).catch((error: unknown) => {
    throw new StoreError(
      'storage_unusable',
      `"${path}" cannot be written (${whyUnread(error)}).`,
      'Use a directory that exists and that you may write to.',
    );
  });
  let isFinished = false;
  const entries = createEntries(file);
  const close = async () => {
    await file.close();
    if (!isFinished) await rm(scratch, { force: true });
  };
  try {
    await entries.append(DESCRIPTION, [Buffer.from(describedIn(kind, description))]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    writeBlob: ({ sha256, read }) => entries.append(blobEntry(sha256), read()),
    beginRows: async () => undefined,
    writeRows: (table, batches) => entries.append(tableEntry(table), textsOf(batches)),
    async readBack(contents, signal) {
      await entries.append(CONTENTS, [Buffer.from(jsonOf(contents))]);
      await entries.end();
      await file.sync();
      return (await verifyStoreFile({ file, path, kind }, signal)).contents;
    },
    async finish() {
      await rename(scratch, path);
      isFinished = true;
      await syncDirectory(dirname(path));
    },
  };
}

async function* textsOf(batches: AsyncIterable<{ text: string }>): AsyncIterable<Uint8Array> {
  for await (const { text } of batches) yield Buffer.from(text);
}

function createEntries(file: FileHandle) {
  let end = 0;
  const write = async (bytes: Uint8Array, at: number) => {
    for (let done = 0; done < bytes.length; )
      done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  };
  return {
    /** Appends an entry. Its header is written after its content, whose checksum it has. */
    async append(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
      const offset = end;
      let at = offset + localHeaderBytes(name);
      let crc = 0;
      const start = at;
      for await (const chunk of chunks) {
        crc = crc32(chunk, crc);
        await write(chunk, at);
        at += chunk.length;
      }
      await write(localHeader({ name, sizeBytes: at - start, crc }), offset);
      end = at;
    },
    async end(): Promise<void> {
      for await (const part of directoryOf(file)) {
        await write(part, end);
        end += part.length;
      }
    },
  };
}
