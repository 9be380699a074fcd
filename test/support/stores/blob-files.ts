// Lists the files of blobs in the folder of a store, and makes them older.
import { readdir, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readNamedBlobs } from '../../../src/service/store/blobs/sweep.ts';
import type { Harness } from '../harness.ts';

export async function blobFiles({ folder }: Pick<Harness, 'folder'>): Promise<string[]> {
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Returns the blobs of a store that no row names. */
export async function unnamedBlobs(harness: Pick<Harness, 'folder' | 'store'>): Promise<string[]> {
  const named = new Set<string>();
  for await (const names of readNamedBlobs(harness.store.database)) for (const name of names) named.add(name);
  return (await blobFiles(harness)).map((path) => basename(path)).filter((name) => !named.has(name));
}

/** Backdates all files by this duration. */
export async function ageBlobs(harness: Pick<Harness, 'folder'>, byMs: number): Promise<void> {
  for (const path of await blobFiles(harness)) {
    const writtenAt = ((await stat(path)).mtimeMs - byMs) / 1000;
    await utimes(path, writtenAt, writtenAt);
  }
}
