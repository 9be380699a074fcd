// Reads the root certificates of a store's authority, to check what it sealed. No byte of the store is changed, and no
// file is made.
import { stat } from 'node:fs/promises';
import { inspectSqlite } from '../../database/inspect-sqlite.ts';
import { AUTHORITY, findStoredAuthority } from '../store/authority.ts';
import { ignoreMissingFile, pathsIn, readKey } from '../store/folder.ts';
import { createKeys } from '../store/keys.ts';
import type { Tables } from '../store/schema.ts';
import { type Authority, rootsIn } from './authority.ts';

/** @returns the certificates in DER, the one in use first; none where there is no store, or nothing was sealed in it yet */
export async function readRootsOfStore(folder: string): Promise<readonly Uint8Array[]> {
  const { database } = pathsIn(folder);
  const key = await readKey(folder);
  if (!key || !(await stat(database).catch(ignoreMissingFile))) return [];
  const keys = createKeys(key, () => new Uint8Array());
  const kept = await inspectSqlite<Tables, Awaited<ReturnType<typeof findStoredAuthority>>>(
    database,
    ({ read }) =>
      // A store of an earlier release has no authority.
      read((db) => findStoredAuthority(db, keys, AUTHORITY)).catch(() => undefined),
  );
  return kept ? rootsIn(JSON.parse(kept.content) as Authority) : [];
}
