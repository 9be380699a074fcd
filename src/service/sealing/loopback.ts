// Issues certificates of servers on this machine, from a root of its own, which is valid for loopback names and addresses
// only: trusting it means trusting no website. The root is made for the first certificate.

import { X509Certificate } from 'node:crypto';
import { familyOf } from '../../api/contract/egress.ts';
import { type Instant, instantOf } from '../../common/instant.ts';
import { readCertificate } from '../../pdf/sign/certificate.ts';
import type { Name, PermittedName, ServerName } from '../../pdf/sign/make-certificates.ts';
import { findStoredAuthority, LOOPBACK_AUTHORITY, storeOnce } from '../store/documents/sealing.ts';
import {
  BACKDATED_MS,
  certificateBytesOf,
  DAY_MS,
  generateKey,
  type Holder,
  importKey,
  issue,
  issuerOf,
  isValidNow,
  toHolder,
  YEAR_MS,
} from './authority.ts';
import type { AuthorityDeps } from './embedded-sealing.ts';

/** Programs accept a certificate of a server for 398 days at most. */
const VALID_MS = { root: 30 * YEAR_MS, server: 397 * DAY_MS - BACKDATED_MS.server };

const ROOT: Name = { organization: 'esign sandbox', common: 'esign sandbox loopback root' };

/** The name has blanks, so that it cannot be taken for the name of a host, which is in the extension. */
const SERVER: Name = { organization: 'esign sandbox', common: 'esign sandbox receiver' };

const IPV6_LOOPBACK = new Uint8Array(16).fill(1, 15);

const PERMITTED: readonly PermittedName[] = [
  { dns: 'localhost' },
  { ip: Uint8Array.of(127, 0, 0, 0), mask: Uint8Array.of(255, 0, 0, 0) },
  { ip: IPV6_LOOPBACK, mask: new Uint8Array(16).fill(255) },
];

export type ServerCertificate = {
  /** A server gets the certificate in PEM, and programs that trust it get the root. */
  certificate: string;
  key: string;
  root: string;
  valid_to: Instant;
};

/** @param names names and addresses of loopback, which the contract has looked at */
export async function issueServerCertificate(
  names: readonly string[],
  deps: AuthorityDeps,
): Promise<ServerCertificate> {
  const authority = await ensureLoopbackAuthority(deps);
  const key = await generateKey();
  const server = await issue(
    {
      key,
      subject: SERVER,
      purpose: { kind: 'server', names: names.map(serverName) },
      issuer: issuerOf(ROOT, importKey(authority)),
      validMs: VALID_MS.server,
      backdatedMs: BACKDATED_MS.server,
    },
    { now: deps.clock(), random: deps.random },
  );
  const root = pemOf(certificateBytesOf(authority.certificate));
  return {
    certificate: pemOf(server) + root,
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    root,
    valid_to: instantOf(readCertificate(server)!.notAfter),
  };
}

/** @returns the root in PEM; undefined where no certificate was ever issued */
export async function loopbackRoot({ store }: Pick<AuthorityDeps, 'store'>): Promise<string | undefined> {
  const { database, keys } = store;
  const stored = await database.read((db) => findStoredAuthority(db, keys, LOOPBACK_AUTHORITY));
  return stored && pemOf(certificateBytesOf((JSON.parse(stored.content) as Holder).certificate));
}

/**
 * Makes the root outside of the commit. All of several processes get the same. A root that outlives no further server's
 * certificate, or is not valid yet because the clock was wrong, is issued again for its key: programs that trust the other
 * go on.
 */
async function ensureLoopbackAuthority({ store, clock, random }: AuthorityDeps): Promise<Holder> {
  const { database, keys } = store;
  const stored = await database.read((db) => findStoredAuthority(db, keys, LOOPBACK_AUTHORITY));
  const now = clock();
  const holder = stored && (JSON.parse(stored.content) as Holder);
  if (holder && isValidNow(holder, now, VALID_MS.server)) return holder;
  const key = holder ? importKey(holder) : await generateKey();
  const root = await issue(
    {
      key,
      subject: ROOT,
      purpose: { kind: 'authority of servers', permitted: PERMITTED },
      issuer: issuerOf(ROOT, key),
      validMs: VALID_MS.root,
    },
    { now, random },
  );
  const row = { id: LOOPBACK_AUTHORITY, content: JSON.stringify(toHolder(key, root)), created_at: now };
  const { content } = await database.write((db) => storeOnce(db, keys, row, stored));
  return JSON.parse(content) as Holder;
}

function serverName(name: string): ServerName {
  const family = familyOf(name);
  if (family === undefined) return { dns: name };
  // The only IPv6 address of this machine is ::1, however it is written.
  return { ip: family === 'ipv4' ? Uint8Array.from(name.split('.').map(Number)) : IPV6_LOOPBACK };
}

const pemOf = (der: Uint8Array): string => new X509Certificate(der).toString();
