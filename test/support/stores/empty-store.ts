// Folders with a new store. Creating its tables takes ten times as long as opening it, so a worker creates them once and copies them.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, type StoreDeps } from '../../../src/service/store/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { checkpointStore } from './copy-store.ts';

const FILES = ['store.db', 'key'] as const;

let created: Promise<Map<string, Buffer>> | undefined;

/** @returns a new folder with a store that has the same key, user and address as the others of this worker */
export async function emptyStoreFolder(facts: StoreDeps): Promise<string> {
  created ??= createStore(facts);
  const files = await created;
  const folder = await temporaryFolder();
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes, { mode: 0o600 });
  await mkdir(join(folder, 'blobs'), { mode: 0o700 });
  return folder;
}

async function createStore(facts: StoreDeps): Promise<Map<string, Buffer>> {
  const folder = await temporaryFolder();
  try {
    const { database } = await openStore(folder, facts);
    await database.close();
    checkpointStore(folder);
    const read = FILES.map(async (name) => [name, await readFile(join(folder, name))] as const);
    return new Map(await Promise.all(read));
  } finally {
    await rm(folder, { recursive: true });
  }
}
