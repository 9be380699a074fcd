// Creates and renews the authority of a store: a root, an issuing authority below it, and one for timestamps. It issues the
// certificates that documents are sealed with and works offline. It must never give a private key to anything but the store.

import type { KeyObject } from 'node:crypto';
import { addMs, type Instant } from '../../common/instant.ts';
import { readCertificate } from '../../pdf/sign/certificate.ts';
import { OID } from '../../pdf/sign/der.ts';
import { type CertificatePurpose, makeRevocationList, type Name } from '../../pdf/sign/make-certificates.ts';
import type { Signer, TimestampAuthority } from '../../pdf/sign/seal.ts';
import { signingKeyOf } from '../../pdf/sign/signing-key.ts';
import { issueTimestamp } from '../../pdf/sign/timestamp.ts';
import {
  type AuthorityFacts,
  certificateBytesOf,
  generateKey,
  type Holder,
  importKey,
  issue,
  issuerOf,
  isValidNow,
  serialNumber,
  toHolder,
  YEAR_MS,
} from './holders.ts';

/** As the store keeps it. */
export type Authority = {
  /** What it was made for, which its names say; undefined for a sandbox. */
  of?: 'sandbox' | 'server';
  root: Holder;
  issuing: Holder;
  timestamps: Holder;
  /** Certificates of the root before it was renewed, as base64, the newest first. Programs may have been told to trust them. */
  earlierRoots?: readonly string[];
};

// Documents are kept for decades, and their certificates cannot be renewed offline. Each ends before its issuer.
const VALID_MS = {
  root: 30 * YEAR_MS,
  issuing: 29 * YEAR_MS,
  timestamps: 28 * YEAR_MS,
  signer: 10 * YEAR_MS,
};

/** Nothing is ever revoked: a list is made for each seal and is good as long as the authority. */
const LIST_MS = 10 * YEAR_MS;

type Kind = 'root' | 'issuing' | 'timestamps';

const KINDS: readonly Kind[] = ['root', 'issuing', 'timestamps'];

type OwnName = Name & { organization: string };

const namesFor = (of: 'sandbox' | 'server'): Record<Kind, OwnName> => ({
  root: { organization: `esign ${of}`, common: `esign ${of} root` },
  issuing: { organization: `esign ${of}`, common: `esign ${of} authority` },
  timestamps: { organization: `esign ${of}`, common: `esign ${of} timestamps` },
});

const namesOf = ({ of = 'sandbox' }: Authority): Record<Kind, OwnName> => namesFor(of);

const PURPOSES: Record<Kind, CertificatePurpose> = {
  root: { kind: 'authority', pathLength: 1 },
  issuing: { kind: 'authority', pathLength: 0 },
  timestamps: { kind: 'timestamps' },
};

const ISSUER_OF: Record<Kind, 'root' | 'issuing'> = { root: 'root', issuing: 'root', timestamps: 'issuing' };

export async function makeAuthority(of: 'sandbox' | 'server', facts: AuthorityFacts): Promise<Authority> {
  const [root, issuing, timestamps] = await Promise.all([generateKey(), generateKey(), generateKey()]);
  const keys = { root, issuing, timestamps };
  const names = namesFor(of);
  return {
    ...(of === 'server' && { of }),
    root: await certify('root', { keys, names }, facts),
    issuing: await certify('issuing', { keys, names }, facts),
    timestamps: await certify('timestamps', { keys, names }, facts),
  };
}

type Subjects = { keys: Record<Kind, KeyObject>; names: Record<Kind, Name> };

async function certify(kind: Kind, { keys, names }: Subjects, facts: AuthorityFacts): Promise<Holder> {
  const key = keys[kind];
  const by = ISSUER_OF[kind];
  const certificate = await issue(
    {
      key,
      subject: names[kind],
      purpose: PURPOSES[kind],
      issuer: issuerOf(names[by], keys[by]),
      validMs: VALID_MS[kind],
    },
    facts,
  );
  return toHolder(key, certificate);
}

/** Those whose certificate is not valid now, or not for much longer. The clock was wrong when it was issued, or is now. */
export const findOutdated = (authority: Authority, now: Instant): Kind[] =>
  KINDS.filter((kind) => !isValidNow(authority[kind], now, YEAR_MS));

/**
 * Issues outdated certificates again, for the same names and keys: what was sealed with the others stays as it is, and a
 * program that trusts the root still trusts all of it.
 */
export async function renewAuthority(authority: Authority, facts: AuthorityFacts): Promise<Authority> {
  const keys = {
    root: importKey(authority.root),
    issuing: importKey(authority.issuing),
    timestamps: importKey(authority.timestamps),
  };
  const outdated = findOutdated(authority, facts.now);
  const renewed = { ...authority };
  for (const kind of outdated)
    renewed[kind] = await certify(kind, { keys, names: namesOf(authority) }, facts);
  if (outdated.includes('root'))
    renewed.earlierRoots = [authority.root.certificate, ...(authority.earlierRoots ?? [])].slice(
      0,
      EARLIER_ROOTS,
    );
  return renewed;
}

/** Limits the list when a clock jumps back and forth. */
const EARLIER_ROOTS = 8;

/** The certificates of the root in DER, the one in use first. */
export const rootsIn = ({ root, earlierRoots = [] }: Authority): Uint8Array[] =>
  [root.certificate, ...earlierRoots].map(certificateBytesOf);

/** The certificate that the documents of a company are sealed with. */
export async function issueSigner(
  authority: Authority,
  company: string,
  facts: AuthorityFacts,
): Promise<Holder> {
  const key = await generateKey();
  const { issuing } = namesOf(authority);
  const subject = { organization: company, unit: issuing.organization, common: company };
  const issuer = issuerOf(issuing, importKey(authority.issuing));
  const validMs = VALID_MS.signer;
  return toHolder(key, await issue({ key, subject, purpose: { kind: 'documents' }, issuer, validMs }, facts));
}

/** A certificate that ends soon, or has not begun, is replaced: the seal must be good when it is made, the timestamps do the rest. */
export const needsReplacement = (holder: Holder, now: Instant): boolean => !isValidNow(holder, now, YEAR_MS);

export const signerOf = (authority: Authority, holder: Holder): Signer => ({
  certificates: [holder, authority.issuing, authority.root].map(({ certificate }) =>
    certificateBytesOf(certificate),
  ),
  key: signingKeyOf(importKey(holder)),
});

/** One list of each of the two authorities. */
export async function revocationListsOf(authority: Authority, now: Instant): Promise<Uint8Array[]> {
  const of = (kind: 'root' | 'issuing') =>
    makeRevocationList({
      issuer: issuerOf(namesOf(authority)[kind], importKey(authority[kind])),
      thisUpdate: now,
      nextUpdate: addMs(now, LIST_MS),
      revoked: [],
    });
  return Promise.all([of('root'), of('issuing')]);
}

/** @param clock the machine's: what a timestamp says must be so */
export function timestampsOf(
  authority: Authority,
  { clock, random }: { clock: () => Instant; random: (bytes: number) => Uint8Array },
): TimestampAuthority {
  const certificates = [authority.timestamps, authority.issuing, authority.root].map(({ certificate }) =>
    certificateBytesOf(certificate),
  );
  const certificate = readCertificate(certificateBytesOf(authority.timestamps.certificate))!;
  const signer = {
    certificate,
    certificates: certificates.slice(0, 2),
    key: signingKeyOf(importKey(authority.timestamps)),
  };
  return {
    digest: 'sha256',
    certificates,
    timestamp: (imprint) =>
      issueTimestamp(signer, {
        digest: 'sha256',
        imprint,
        serial: serialNumber(random),
        policy: OID.examplePolicy,
        at: clock(),
        accuracySeconds: 1,
      }),
  };
}
