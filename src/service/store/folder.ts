// The folder of a store: `store.db`, `key` and `blobs/`. They come about in this order: the database with its tables,
// then the key, then the first rows (`meta`), then blobs. So a part that is missing beside a later one was lost, and a
// making that was cut off is gone on with.
import { chmod, link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedStoreError } from '../../database/database.ts';
import { makeFolder } from '../../database/folder.ts';
import { type Blobs, createBlobs } from './blobs.ts';
import { KEY_BYTES } from './keys.ts';

export const pathsIn = (folder: string) => ({
  database: join(folder, 'store.db'),
  key: join(folder, 'key'),
  blobs: join(folder, 'blobs'),
});

export const blobsIn = (folder: string, newId: () => string): Blobs =>
  createBlobs(pathsIn(folder).blobs, newId);

export async function makeStoreFolder(folder: string): Promise<void> {
  await makeFolder(pathsIn(folder).blobs);
  await chmod(folder, 0o700);
}

type KeyFacts = { random: (bytes: number) => Uint8Array; newId: () => string };

/** Throws DamagedStoreError when the database is missing or empty beside what only comes after it. */
export async function refuseIncomplete(folder: string): Promise<void> {
  const { database, key, blobs } = pathsIn(folder);
  if (await sizeOf(database)) return;
  // The last part first: another process may be making this store meanwhile, in the order above.
  const isBegun = (await hasFiles(blobs)) || (await sizeOf(key)) !== undefined;
  if (!isBegun) return;
  const size = await sizeOf(database);
  if (size) return;
  throw damaged(folder, `its store.db is ${size === undefined ? 'missing' : 'empty'}`, 'store.db');
}

/**
 * Reads the key, or makes it: of several processes that come first, one wins and the others take its key.
 * @param isMade whether the database has its first rows, which a key comes before
 */
export async function keyOf(
  folder: string,
  isMade: () => Promise<boolean>,
  facts: KeyFacts,
): Promise<Uint8Array> {
  const known = await readKey(folder);
  if (known) return known;
  const isLost = await isMade();
  if (!isLost) await makeKey(folder, facts);
  const made = await readKey(folder);
  if (!made) throw keyIsMissing(folder);
  return made;
}

export const keyIsMissing = (folder: string): DamagedStoreError =>
  damaged(folder, 'its key is missing, and what is sealed cannot be read without it', 'key');

/** @returns undefined when there is none */
export async function readKey(folder: string): Promise<Uint8Array | undefined> {
  const key = await readFile(pathsIn(folder).key).catch(noneWhenMissing);
  if (key === undefined || key.length === KEY_BYTES) return key;
  throw damaged(folder, `its key has ${key.length} bytes instead of ${KEY_BYTES}`, 'key');
}

async function makeKey(folder: string, { random, newId }: KeyFacts): Promise<void> {
  const path = pathsIn(folder).key;
  const scratch = `${path}.${newId()}.tmp`;
  const file = await open(scratch, 'wx', 0o600);
  await file.writeFile(random(KEY_BYTES));
  await file.sync();
  await file.close();
  await link(scratch, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(scratch);
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
}

export const damaged = (folder: string, what: string, part: string): DamagedStoreError =>
  new DamagedStoreError(`The store in ${folder} is damaged: ${what}.`, { wayOut: wayOut(part, folder) });

/** `sandbox reset` cannot help: it needs a store that opens. */
export const wayOut = (part: string, folder: string): string =>
  `Put ${part} back from a copy; or move ${folder} away, and the next command begins with a new store.`;

const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(noneWhenMissing))?.size;

async function hasFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneWhenMissing);
  return (entries ?? []).some((entry) => entry.isFile());
}

export function noneWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
