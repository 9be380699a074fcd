// Looks at everything a service has written down, so that a test can say that nothing changed.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import type { Tables } from '../../src/service/store/schema.ts';
import type { Harness } from './harness.ts';

const TABLES = [
  'authorization_code',
  'client',
  'company',
  'document',
  'event',
  'field',
  'file',
  'idempotency',
  'mail',
  'meta',
  'page',
  'recipient',
  'template',
  'token',
  'transaction',
  'user',
  'webhook',
] as const satisfies (keyof Tables)[];

/** Every row of every table, and the path of every file of the store beside its database. */
export async function everything({
  store,
  folder,
}: Pick<Harness, 'store' | 'folder'>): Promise<Record<string, string[]>> {
  const rows = await store.database.read(async (db) => {
    const found: Record<string, string[]> = {};
    for (const table of TABLES)
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

/** Runs `attempt`, and expects every row and every file to be as before. */
export async function expectNothingChanged<T>(
  world: Pick<Harness, 'store' | 'folder'>,
  attempt: () => Promise<T>,
): Promise<T> {
  const before = await everything(world);
  const result = await attempt();
  expect(await everything(world)).toEqual(before);
  return result;
}
