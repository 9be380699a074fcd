// The root certificate of a store's authority, for whoever checks what it sealed: read from its files, of which no byte is
// changed and none is made.
import { stat } from 'node:fs/promises';
import { inspectSqlite } from '../../database/inspect-sqlite.ts';
import { AUTHORITY, findKept } from '../store/authority.ts';
import { noneWhenMissing, pathsIn, readKey } from '../store/folder.ts';
import { createKeys } from '../store/keys.ts';
import type { Tables } from '../store/schema.ts';
import type { Authority } from './authority.ts';

/** @returns the certificate in DER; undefined where there is no store, or nothing was sealed in it yet */
export async function rootOfStore(folder: string): Promise<Uint8Array | undefined> {
  const { database } = pathsIn(folder);
  const key = await readKey(folder);
  if (!key || !(await stat(database).catch(noneWhenMissing))) return undefined;
  const keys = createKeys(key, () => new Uint8Array());
  const kept = await inspectSqlite<Tables, Awaited<ReturnType<typeof findKept>>>(database, ({ read }) =>
    // A store of an earlier release has no authority.
    read((db) => findKept(db, keys, AUTHORITY)).catch(() => undefined),
  );
  if (!kept) return undefined;
  const { root } = JSON.parse(kept.content) as Authority;
  return Buffer.from(root.certificate, 'base64');
}
