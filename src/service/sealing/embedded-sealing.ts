// Keeps the authority of the store, which it seals with: created once, by the process that needs it first, and shared by all of them.
import { createHash, X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type Instant, instantOf } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import { readCertificate } from '../../pdf/sign/certificate.ts';
import type { Sealing } from '../../pdf/sign/seal.ts';
import { plainNameOf } from '../../pdf/sign/seal-chain.ts';
import type { OwnAuthority } from '../../pdf/write/certificate/content.ts';
import {
  AUTHORITY,
  findStoredAuthority,
  LOOPBACK_AUTHORITY,
  readImportedAt,
  type StoredAuthority,
  storeOnce,
} from '../store/documents/sealing.ts';
import { createKeys } from '../store/keys.ts';
import type { Tables } from '../store/schema.ts';
import { ignoreMissingFile, pathsIn, readKey } from '../store/state/folder.ts';
import type { Store } from '../store/store.ts';
import {
  type Authority,
  certificateBytesOf,
  findOutdated,
  type Holder,
  issueSigner,
  makeAuthority,
  needsReplacement,
  renewAuthority,
  revocationListsOf,
  rootsIn,
  signerOf,
  timestampsOf,
} from './authority.ts';

/**
 * `ownAuthority` is set where the authority of the store issued the certificate of the seal, and has the other certificates
 * that it issued.
 */
export type ServiceSealing = Sealing & { ownAuthority?: OwnAuthority | undefined };

export type AuthorityDeps = {
  store: Store;
  /** The authority of a team server has other names than that of a sandbox. */
  isSandbox: boolean;
  clock: () => Instant;
  random: (bytes: number) => Uint8Array;
};

export async function loadEmbeddedSealing(
  company: { id: string; name: string },
  deps: AuthorityDeps,
): Promise<ServiceSealing> {
  const authority = await ensureAuthority(deps);
  const { clock } = deps;
  return {
    signer: signerOf(authority, await ensureSigner(company, authority, deps)),
    timestamps: timestampsOf(authority, deps),
    revocationLists: () => revocationListsOf(authority, clock()),
    level: 'LTA',
    ownAuthority: { of: deps.isSandbox ? 'sandbox' : 'server', timestamps: true, revocationLists: true },
    clock,
    name: company.name,
  };
}

/** Returns the authority of the store, with certificates that are valid now. Keys are made outside of the commit. */
export async function ensureAuthority({
  store,
  isSandbox,
  clock,
  random,
}: AuthorityDeps): Promise<Authority> {
  const { database, keys } = store;
  const stored = await database.read((db) => findStoredAuthority(db, keys, AUTHORITY));
  const now = clock();
  const authority = stored && (JSON.parse(stored.content) as Authority);
  if (authority && findOutdated(authority, now).length === 0) return authority;
  const context = { now, random };
  const next = authority
    ? renewAuthority(authority, context)
    : makeAuthority(isSandbox ? 'sandbox' : 'server', context);
  const row = { id: AUTHORITY, content: JSON.stringify(await next), created_at: now };
  const { content } = await database.write((db) => storeOnce(db, keys, row, stored));
  return JSON.parse(content) as Authority;
}

async function ensureSigner(
  { id, name }: { id: string; name: string },
  authority: Authority,
  { store, clock, random }: AuthorityDeps,
): Promise<Holder> {
  const { database, keys } = store;
  const now = clock();
  const holderIn = ({ content }: StoredAuthority) => JSON.parse(content) as Holder;
  const stored = await database.read((db) => findStoredAuthority(db, keys, id));
  if (stored && !needsReplacement(holderIn(stored), now)) return holderIn(stored);
  const content = JSON.stringify(await issueSigner(authority, name, { now, random }));
  const row = { id, content, created_at: now };
  return holderIn(await database.write((db) => storeOnce(db, keys, row, stored)));
}

// --- Its root ---

/** @property pem the certificate that is described; earlier ones of the same root follow it */
type Root = { name: string; pem: string; sha256: string; valid_from: Instant; valid_to: Instant };

/** Returns the root, for people who want their programs to trust it. */
export async function ensureRoot(deps: AuthorityDeps): Promise<Root> {
  const roots = rootsIn(await ensureAuthority(deps));
  const der = roots[0]!;
  const certificate = readCertificate(der)!;
  return {
    name: plainNameOf(certificate),
    pem: roots.map((root) => new X509Certificate(root).toString()).join(''),
    sha256: sha256Of(der),
    valid_from: instantOf(certificate.notBefore),
    valid_to: instantOf(certificate.notAfter),
  };
}

// --- The authorities of a store in a folder, to check what it sealed: no byte of it is changed, and no file is made ---

/**
 * The `certificates` are in DER, the one in use first. `importedAt` is a day, where somebody imported the authority from a
 * file.
 */
export type RootsOfStore = { certificates: readonly Uint8Array[]; importedAt: string | undefined };

/** @returns no certificates where there is no store, nothing was sealed in it yet, or it cannot be read */
export async function readRootsOfStore(folder: string): Promise<RootsOfStore> {
  // Files of other stores are verified as well, whatever is wrong with this one.
  const { authority, importedAt } = await readAuthorities(folder).catch(() => NONE);
  const certificates = authority === undefined ? [] : rootsIn(JSON.parse(authority) as Authority);
  return { certificates, importedAt };
}

/** `foreign` is the SHA-256 of a root that this store does not have, in hexadecimal. */
type AuthoritiesCompared = 'none' | 'same' | { foreign: string };

/**
 * Compares the authorities of another store with those of one's own. It throws where one cannot be read, so that it is
 * never taken for the same.
 */
export async function compareAuthorities(
  otherFolder: string,
  ownFolder: string,
): Promise<AuthoritiesCompared> {
  const [there, here] = await Promise.all([readAuthorities(otherFolder), readAuthorities(ownFolder)]);
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
  // A team server on PostgreSQL loads no SQLite.
  const { inspectSqlite } = await import('../../database/sqlite-queries.ts');
  return inspectSqlite<Tables, Authorities>(database, ({ read }) =>
    read(async (db) => ({
      authority: (await findStoredAuthority(db, keys, AUTHORITY))?.content,
      loopback: (await findStoredAuthority(db, keys, LOOPBACK_AUTHORITY))?.content,
      importedAt: await readImportedAt(db),
    })),
  );
}
