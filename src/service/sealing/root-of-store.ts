// Reads the certificate authorities of a store in a folder, to check what it sealed. No byte of the store is changed, and no
// file is made.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { inspectSqlite } from '../../database/inspect-sqlite.ts';
import { AUTHORITY, findStoredAuthority, LOOPBACK_AUTHORITY, readImportedAt } from '../store/authority.ts';
import { ignoreMissingFile, pathsIn, readKey } from '../store/folder.ts';
import { createKeys } from '../store/keys.ts';
import type { Tables } from '../store/schema.ts';
import { type Authority, rootsIn } from './authority.ts';
import { certificateBytesOf, type Holder } from './holders.ts';

/** `certificates` in DER, the one in use first. `importedAt`: a day, where somebody imported the authority from a file. */
export type RootsOfStore = { certificates: readonly Uint8Array[]; importedAt: string | undefined };

/** @returns no certificates where there is no store, nothing was sealed in it yet, or it cannot be read */
export async function readRootsOfStore(folder: string): Promise<RootsOfStore> {
  // Files of other stores are verified as well, whatever is wrong with this one.
  const { authority, importedAt } = await readAuthorities(folder).catch(() => NONE);
  const certificates = authority === undefined ? [] : rootsIn(JSON.parse(authority) as Authority);
  return { certificates, importedAt };
}

/** `foreign`: the SHA-256 of a root that the other store does not have, in hexadecimal. */
export type AuthoritiesCompared = 'none' | 'same' | { foreign: string };

/** Compares the authorities of a store with those of another one. It throws where one cannot be read, so that none is taken for known. */
export async function compareAuthorities(folder: string, own: string): Promise<AuthoritiesCompared> {
  const [there, here] = await Promise.all([readAuthorities(folder), readAuthorities(own)]);
  if (there.authority !== undefined && there.authority !== here.authority)
    return { foreign: sha256(rootsIn(JSON.parse(there.authority) as Authority)[0]!) };
  if (there.loopback !== undefined && there.loopback !== here.loopback)
    return { foreign: sha256(certificateBytesOf((JSON.parse(there.loopback) as Holder).certificate)) };
  return there.authority === undefined ? 'none' : 'same';
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Authorities = {
  authority?: string | undefined;
  loopback?: string | undefined;
  importedAt: string | undefined;
};

const NONE: Authorities = { importedAt: undefined };

async function readAuthorities(folder: string): Promise<Authorities> {
  const { database } = pathsIn(folder);
  const key = await readKey(folder);
  if (!key || !(await stat(database).catch(ignoreMissingFile))) return NONE;
  const keys = createKeys(key, () => new Uint8Array());
  return inspectSqlite<Tables, Authorities>(database, ({ read }) =>
    read(async (db) => ({
      authority: (await findStoredAuthority(db, keys, AUTHORITY))?.content,
      loopback: (await findStoredAuthority(db, keys, LOOPBACK_AUTHORITY))?.content,
      importedAt: await readImportedAt(db),
    })),
  );
}
