// Opens the folder of a store: `store.db`, `key` and `blobs/`. They are created in this order: the database with its tables,
// then the key, then the first rows (`meta`), then blobs. So a part that is missing beside a later one was lost, and an
// interrupted creation is continued. Each command reads these small files at once. A store that is being copied is marked, so that nothing opens it
// before it is complete.
import { accessSync, chmodSync, constants, readFileSync, statSync } from 'node:fs';
import { link, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedStoreError } from '../../../database/database.ts';
import type { DatabaseErrorCode } from '../../../database/database-error.ts';
import { makeFolder } from '../../../files/trust.ts';
import { type Blobs, createBlobs, syncDirectory } from '../blobs/blobs.ts';
import { KEY_BYTES } from '../keys.ts';

export const pathsIn = (folder: string) => ({
  database: join(folder, 'store.db'),
  key: join(folder, 'key'),
  blobs: join(folder, 'blobs'),
  workers: join(folder, 'workers'),
  unfinished: join(folder, UNFINISHED),
  /** A store in this folder is about to replace the rows of this one. */
  incoming: join(folder, 'incoming'),
});

export const blobsIn = (folder: string, newId: () => string): Blobs =>
  createBlobs(pathsIn(folder).blobs, newId);

/** @returns whether the folder is there, on a disk that nothing can be written to */
export function isOnReadOnlyDisk(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

export function makeStoreFolder(folder: string): void {
  makeFolder(pathsIn(folder).blobs);
  chmodSync(folder, 0o700);
}

type KeyDeps = { random: (bytes: number) => Uint8Array; newId: () => string };

/**
 * @throws DamagedStoreError when the database is missing or empty beside what only comes after it; StoreError for a copy that is not
 * finished
 */
export async function refuseIncomplete(folder: string): Promise<void> {
  const { database, key, blobs, unfinished } = pathsIn(folder);
  if (sizeOf(unfinished) !== undefined) throw unfinishedCopy(folder);
  if (sizeOf(database)) return;
  // The last part first: another process may be making this store meanwhile, in the order above.
  const isBegun = (await hasFiles(blobs)) || sizeOf(key) !== undefined;
  if (!isBegun) return;
  const size = sizeOf(database);
  if (size) return;
  throw damaged(folder, `the file "store.db" is ${size === undefined ? 'missing' : 'empty'}`, 'store.db');
}

/**
 * Reads the key, or makes it: of several processes, the first one wins and the others use its key.
 * @param isMade whether the database has its first rows, which a key comes before
 */
export async function readOrMakeKey(
  folder: string,
  isMade: () => Promise<boolean>,
  deps: KeyDeps,
): Promise<Uint8Array> {
  const stored = await readKey(folder);
  if (stored) return stored;
  const isLost = await isMade();
  if (!isLost) await storeKey(folder, deps.random(KEY_BYTES), deps.newId);
  const key = await readKey(folder);
  if (!key) throw keyIsMissing(folder);
  return key;
}

export const keyIsMissing = (folder: string): DamagedStoreError =>
  damaged(folder, 'the file "key" is missing, and encrypted data cannot be read without it', 'key');

/** @returns undefined when there is none */
export async function readKey(folder: string): Promise<Uint8Array | undefined> {
  const key = keyIn(folder);
  if (key === undefined || key.length === KEY_BYTES) return key;
  throw damaged(folder, `the file "key" has ${key.length} bytes instead of ${KEY_BYTES}`, 'key');
}

function keyIn(folder: string): Uint8Array | undefined {
  try {
    return readFileSync(pathsIn(folder).key);
  } catch (error) {
    return ignoreMissingFile(error as NodeJS.ErrnoException);
  }
}

/** Stores the key durably, unless there is one. */
export async function storeKey(folder: string, key: Uint8Array, newId: () => string): Promise<void> {
  const path = pathsIn(folder).key;
  const scratch = `${path}.${newId()}.tmp`;
  const file = await open(scratch, 'wx', 0o600);
  await file.writeFile(key);
  await file.sync();
  await file.close();
  await link(scratch, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(scratch);
  await syncDirectory(folder);
}

const damaged = (folder: string, problem: string, part: string): DamagedStoreError =>
  new DamagedStoreError(`The sandbox data in ${folder} is damaged: ${problem}.`, {
    hint: restoreHint(part, folder),
  });

/** Writes the way out. `sandbox reset` cannot help, because it needs a store that opens. */
export const restoreHint = (part: string, folder: string): string =>
  `Restore ${part} from a backup. Or move ${folder} away: the next command then creates an empty sandbox.`;

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

async function hasFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissingFile);
  return (entries ?? []).some((entry) => entry.isFile());
}

export function ignoreMissingFile(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/**
 * A file of this name marks a store that is being copied, or a row of `meta` with this key. The mark is the fingerprint of the key, so that the same
 * copy can be finished later, and no other one is mixed with it.
 */
export const UNFINISHED = 'unfinished-copy';

/** @param where `The database`, or the folder */
export const unfinishedCopy = (where: string): StoreError =>
  new StoreError(
    'copy_unfinished',
    `${where} has an unfinished copy, which cannot be used.`,
    'Run the same `esign store copy` or `esign store restore` again, which finishes it. Or empty the target, and begin again.',
  );

/** Thrown when a store must not be used as it was asked for, before anything in it was changed. */
export class StoreError extends Error {
  override name = 'StoreError';
  readonly code: DatabaseErrorCode;
  readonly hint: string;

  constructor(code: DatabaseErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
