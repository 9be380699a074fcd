// Asserts that an attempt changed nothing: compares a store's rows and files before and after it.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Tables } from '../../src/service/store/schema.ts';
import { TABLE_NAMES } from '../../src/service/store/store.ts';
import type { Harness } from './harness.ts';

/** Tables that are not compared: leases of processes, and the authority, which is made before the first seal even if its commit fails. */
const UNWATCHED: readonly (keyof Tables)[] = ['worker', 'authority'];

const WATCHED = TABLE_NAMES.filter((table) => !UNWATCHED.includes(table));

/** Every row of every table, and the path of every file of the store beside its database. */
export async function snapshotOf({
  store,
  folder,
}: Pick<Harness, 'store' | 'folder'>): Promise<Record<string, string[]>> {
  const rows = await store.database.read(async (db) => {
    const found: Record<string, string[]> = {};
    for (const table of WATCHED)
      found[table] = (await db.selectFrom(table).selectAll().execute())
        .map((row) => JSON.stringify(row))
        .sort();
    return found;
  });
  return { ...rows, blobs: await filesIn(join(folder, 'blobs')) };
}

/** Paths of all files below a folder, relative to it; none when there is no such folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Runs `attempt`, and expects that nothing is written: no commit with a change in it, and no file. */
export async function assertUnchanged<T>(
  harness: Pick<Harness, 'store' | 'folder'>,
  attempt: () => Promise<T>,
): Promise<T> {
  const before = await stateOf(harness);
  const result = await attempt();
  expect(await stateOf(harness)).toEqual(before);
  return result;
}

/**
 * Reads a counter that SQLite increments with each changing commit of another connection; on PostgreSQL, all rows with the number of the
 * commit that wrote each.
 */
async function stateOf({ store, folder }: Pick<Harness, 'store' | 'folder'>) {
  if (store.database.dialect === 'postgres')
    return { commits: await readRowVersions(store), blobs: await filesIn(join(folder, 'blobs')) };
  const { rows } = await store.database.read((db) =>
    sql<{ data_version: number }>`pragma data_version`.execute(db),
  );
  const [row] = rows;
  if (!row) throw new Error('SQLite did not say which version this is.');
  return { commits: row.data_version, blobs: await filesIn(join(folder, 'blobs')) };
}

const readRowVersions = ({ database }: Harness['store']): Promise<Record<string, unknown[]>> =>
  database.read(async (db) => {
    const found: Record<string, unknown[]> = {};
    for (const table of WATCHED)
      found[table] = (
        await sql`select ctid::text, xmin::text, * from ${sql.table(table)} order by ctid`.execute(db)
      ).rows;
    return found;
  });
