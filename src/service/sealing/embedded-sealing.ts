// Seals with the authority of the store: created once, by the process that needs it first, and shared by all of them.
import type { Instant } from '../../common/instant.ts';
import { AUTHORITY, findStoredAuthority, type StoredAuthority, storeOnce } from '../store/authority.ts';
import type { Store } from '../store/store.ts';
import {
  type Authority,
  findOutdated,
  issueSigner,
  makeAuthority,
  needsReplacement,
  renewAuthority,
  revocationListsOf,
  signerOf,
  timestampsOf,
} from './authority.ts';
import type { Holder } from './holders.ts';
import type { ServiceSealing } from './service-sealing.ts';

export type EmbeddedParts = {
  store: Store;
  /** False for a team server, whose authority has other names. */
  isSandbox: boolean;
  clock: () => Instant;
  random: (bytes: number) => Uint8Array;
};

export async function loadEmbeddedSealing(
  company: { id: string; name: string },
  parts: EmbeddedParts,
): Promise<ServiceSealing> {
  const authority = await ensureAuthority(parts);
  const { clock } = parts;
  return {
    signer: signerOf(authority, await ensureSigner(company, authority, parts)),
    timestamps: timestampsOf(authority, parts),
    revocationLists: () => revocationListsOf(authority, clock()),
    level: 'LTA',
    ownAuthority: { of: parts.isSandbox ? 'sandbox' : 'server', timestamps: true, revocationLists: true },
    clock,
    name: company.name,
  };
}

/** The authority of the store, with certificates that are valid now. Keys are made outside of the commit. */
export async function ensureAuthority({
  store,
  isSandbox,
  clock,
  random,
}: EmbeddedParts): Promise<Authority> {
  const { database, keys } = store;
  const known = await database.read((db) => findStoredAuthority(db, keys, AUTHORITY));
  const now = clock();
  const authority = known && (JSON.parse(known.content) as Authority);
  if (authority && findOutdated(authority, now).length === 0) return authority;
  const facts = { now, random };
  const next = authority
    ? renewAuthority(authority, facts)
    : makeAuthority(isSandbox ? 'sandbox' : 'server', facts);
  const content = JSON.stringify(await next);
  const made = { id: AUTHORITY, content, created_at: now };
  const kept = await database.write((db) => storeOnce(db, keys, made, known));
  return JSON.parse(kept.content) as Authority;
}

async function ensureSigner(
  { id, name }: { id: string; name: string },
  authority: Authority,
  { store, clock, random }: EmbeddedParts,
): Promise<Holder> {
  const { database, keys } = store;
  const now = clock();
  const holderIn = ({ content }: StoredAuthority) => JSON.parse(content) as Holder;
  const known = await database.read((db) => findStoredAuthority(db, keys, id));
  if (known && !needsReplacement(holderIn(known), now)) return holderIn(known);
  const content = JSON.stringify(await issueSigner(authority, name, { now, random }));
  const made = { id, content, created_at: now };
  return holderIn(await database.write((db) => storeOnce(db, keys, made, known)));
}
