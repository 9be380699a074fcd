// Keeps named states of a store beside it, and puts the store back into one of them, while other processes use it.
import { copyFile, link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SNAPSHOT_NAME } from '../../../api/contract/sandbox/store.ts';
import { copySqlite, replaceRows } from '../../../database/bulk-sqlite.ts';
import { listAppliedMigrations } from '../../../database/migrate.ts';
import { inspectSqlite } from '../../../database/sqlite-queries.ts';
import { migrations } from '../migrations.ts';
import type { Tables } from '../schema.ts';
import { STATE_TABLES, type Store } from '../store.ts';
import { ignoreMissingFile, pathsIn } from './folder.ts';

export type Snapshot = {
  name: string;
  /** The clock of the machine counts, because that of the sandbox can be moved. */
  savedMs: number;
};

const HASH = /^[0-9a-f]{64}$/;

type Located = Pick<Store, 'folder'>;

/**
 * Saves the state of the store. A snapshot with this name is replaced.
 * @param scratch a name that is not used elsewhere
 */
export async function saveSnapshot(store: Located, name: string, scratch: string): Promise<void> {
  const { folder, snapshots } = placesOf(store);
  const making = join(snapshots, `.${scratch}`);
  await mkdir(making, { recursive: true, mode: 0o700 });
  try {
    // Rows come first: every file that they name is there until they are gone.
    copySqlite(pathsIn(folder).database, pathsIn(making).database);
    await linkBlobs(pathsIn(folder).blobs, pathsIn(making).blobs);
    const target = join(snapshots, name);
    const replaced = join(snapshots, `.${scratch}-replaced`);
    await rename(target, replaced).catch(ignoreMissingFile);
    await rename(making, target);
    await rm(replaced, { recursive: true, force: true });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** @returns false where there is no such snapshot, or one of another version of esign */
export async function restoreSnapshot(store: Located, name: string): Promise<boolean> {
  const { folder, snapshots } = placesOf(store);
  const from = pathsIn(join(snapshots, name));
  if (!(await isUsable(from.database))) return false;
  // Files come before the rows that name them.
  await linkBlobs(from.blobs, pathsIn(folder).blobs);
  await replaceRows(pathsIn(folder).database, from.database, STATE_TABLES);
  return true;
}

/** Lists the snapshots, by name. */
export async function listSnapshots(store: Located): Promise<Snapshot[]> {
  const { snapshots } = placesOf(store);
  const names = (await readdir(snapshots).catch(ignoreMissingFile)) ?? [];
  const list: Snapshot[] = [];
  for (const name of names.filter((name) => SNAPSHOT_NAME.test(name)).sort()) {
    const { mtimeMs } = await stat(pathsIn(join(snapshots, name)).database);
    list.push({ name, savedMs: mtimeMs });
  }
  return list;
}

/** @returns false where there is no such snapshot */
export async function deleteSnapshot(store: Located, name: string): Promise<boolean> {
  const path = join(placesOf(store).snapshots, name);
  const isThere = (await stat(path).catch(ignoreMissingFile)) !== undefined;
  await rm(path, { recursive: true, force: true });
  return isThere;
}

function placesOf({ folder }: Located): { folder: string; snapshots: string } {
  if (folder === undefined) throw new Error('Only a store in a folder has snapshots.');
  return { folder, snapshots: join(folder, 'snapshots') };
}

async function isUsable(database: string): Promise<boolean> {
  if (!(await stat(database).catch(ignoreMissingFile))) return false;
  const expected = migrations('sqlite').map(({ name }) => name);
  const applied = await inspectSqlite<Tables, string[]>(database, ({ read }) => read(listAppliedMigrations));
  return applied.join() === expected.toSorted().join();
}

/**
 * Links blobs. The content of a blob never changes, so that both places can share its bytes. A disk without links gets
 * copies.
 */
async function linkBlobs(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(ignoreMissingFile);
  for (const entry of entries ?? []) {
    if (!entry.isFile() || !HASH.test(entry.name)) continue;
    const subfolder = join(to, entry.name.slice(0, 2));
    await mkdir(subfolder, { recursive: true, mode: 0o700 });
    await linkOrCopy(join(entry.parentPath, entry.name), join(subfolder, entry.name));
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    // A sweep has removed what no row of the copy names.
    if (error.code === 'ENOENT') return;
    await copyFile(from, to);
  });
}
