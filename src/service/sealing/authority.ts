// Creates and renews the authority of a store: a root, an issuing authority below it, and one for timestamps. It issues the
// certificates that documents are sealed with and works offline. It must never give a private key to anything but the store.
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { addMs, epochMsOf, type Instant } from '../../common/instant.ts';
import { readCertificate } from '../../pdf/sign/certificate.ts';
import { OID } from '../../pdf/sign/der.ts';
import {
  type CertificatePurpose,
  type Issuer,
  makeCertificate,
  makeRevocationList,
  type Name,
} from '../../pdf/sign/make-certificates.ts';
import type { Signer, TimestampAuthority } from '../../pdf/sign/seal.ts';
import { signingKeyOf } from '../../pdf/sign/signing-key.ts';
import { issueTimestamp } from '../../pdf/sign/timestamp.ts';

/** The store keeps an authority as JSON. */
export type Authority = {
  /** Its names say what it was made for; undefined for a sandbox. */
  of?: 'sandbox' | 'server';
  root: Holder;
  issuing: Holder;
  timestamps: Holder;
  /** Programs may trust the certificates of the root before it was renewed. As base64, the newest first. */
  earlierRoots?: readonly string[];
};

export const DAY_MS = 24 * 60 * 60 * 1000;
export const YEAR_MS = 365.25 * DAY_MS;

/**
 * A certificate begins to be valid this long before it is issued. The clock may be ahead at that moment, or be set back
 * later, and what the store keeps has to be usable then as well. Programs limit the whole life of a server's certificate.
 */
export const BACKDATED_MS = { stored: 10 * YEAR_MS, server: 30 * DAY_MS };

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

const PURPOSES: Record<Kind, CertificatePurpose> = {
  root: { kind: 'authority', pathLength: 1 },
  issuing: { kind: 'authority', pathLength: 0 },
  timestamps: { kind: 'timestamps' },
};

const ISSUER_OF: Record<Kind, 'root' | 'issuing'> = { root: 'root', issuing: 'root', timestamps: 'issuing' };

export async function makeAuthority(of: 'sandbox' | 'server', context: IssuingContext): Promise<Authority> {
  const [root, issuing, timestamps] = await Promise.all([generateKey(), generateKey(), generateKey()]);
  const keys = { root, issuing, timestamps };
  const names = namesFor(of);
  return {
    ...(of === 'server' && { of }),
    root: await certify('root', { keys, names }, context),
    issuing: await certify('issuing', { keys, names }, context),
    timestamps: await certify('timestamps', { keys, names }, context),
  };
}

const namesFor = (of: 'sandbox' | 'server'): Record<Kind, OwnName> => ({
  root: { organization: `esign ${of}`, common: `esign ${of} root` },
  issuing: { organization: `esign ${of}`, common: `esign ${of} authority` },
  timestamps: { organization: `esign ${of}`, common: `esign ${of} timestamps` },
});

const namesOf = ({ of = 'sandbox' }: Authority): Record<Kind, OwnName> => namesFor(of);

type Subjects = { keys: Record<Kind, KeyObject>; names: Record<Kind, Name> };

async function certify(kind: Kind, { keys, names }: Subjects, context: IssuingContext): Promise<Holder> {
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
    context,
  );
  return toHolder(key, certificate);
}

/**
 * Finds the holders whose certificate is not valid now, or not for much longer. The clock was wrong when it was issued, or
 * is now.
 */
export const findOutdated = (authority: Authority, now: Instant): Kind[] =>
  KINDS.filter((kind) => !isValidNow(authority[kind], now, YEAR_MS));

/**
 * Issues outdated certificates again, for the same names and keys: what was sealed with the others stays as it is, and a
 * program that trusts the root still trusts all of it.
 */
export async function renewAuthority(authority: Authority, context: IssuingContext): Promise<Authority> {
  const keys = {
    root: importKey(authority.root),
    issuing: importKey(authority.issuing),
    timestamps: importKey(authority.timestamps),
  };
  const outdated = findOutdated(authority, context.now);
  const renewed = { ...authority };
  for (const kind of outdated)
    renewed[kind] = await certify(kind, { keys, names: namesOf(authority) }, context);
  if (outdated.includes('root'))
    renewed.earlierRoots = [authority.root.certificate, ...(authority.earlierRoots ?? [])].slice(
      0,
      EARLIER_ROOTS,
    );
  return renewed;
}

/** The list has so many entries at most, because a clock may jump back and forth. */
const EARLIER_ROOTS = 8;

/** @returns the certificates of the root in DER, the one in use first */
export const rootsIn = ({ root, earlierRoots = [] }: Authority): Uint8Array[] =>
  [root.certificate, ...earlierRoots].map(certificateBytesOf);

/** Issues the certificate that the documents of a company are sealed with. */
export async function issueSigner(
  authority: Authority,
  company: string,
  context: IssuingContext,
): Promise<Holder> {
  const key = await generateKey();
  const { issuing } = namesOf(authority);
  const subject = { organization: company, unit: issuing.organization, common: company };
  const issuer = issuerOf(issuing, importKey(authority.issuing));
  const validMs = VALID_MS.signer;
  return toHolder(
    key,
    await issue({ key, subject, purpose: { kind: 'documents' }, issuer, validMs }, context),
  );
}

/**
 * Tells whether to replace a certificate, which ends soon or has not begun: the seal must be good when it is made, the
 * timestamps do the rest.
 */
export const needsReplacement = (holder: Holder, now: Instant): boolean => !isValidNow(holder, now, YEAR_MS);

export const signerOf = (authority: Authority, holder: Holder): Signer => ({
  certificates: [holder, authority.issuing, authority.root].map(({ certificate }) =>
    certificateBytesOf(certificate),
  ),
  key: signingKeyOf(importKey(holder)),
});

/** Makes a list for each of the two authorities. */
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

/** Makes timestamps. The `clock` is that of the machine, because a timestamp must state the real time. */
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

// --- Keys and certificates ---

/** It has a certificate in DER and its key in PKCS #8, both as base64. */
export type Holder = { certificate: string; key: string };

type IssuingContext = { now: Instant; random: (bytes: number) => Uint8Array };

export const generateKey = async (): Promise<KeyObject> =>
  (await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })).privateKey;

export const toHolder = (key: KeyObject, certificate: Uint8Array): Holder => ({
  certificate: Buffer.from(certificate).toString('base64'),
  key: key.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
});

export const certificateBytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

export const importKey = ({ key }: Holder): KeyObject =>
  createPrivateKey({ key: Buffer.from(key, 'base64'), type: 'pkcs8', format: 'der' });

export const issuerOf = (name: Name, key: KeyObject): Issuer => ({
  name,
  publicKey: createPublicKey(key),
  key: signingKeyOf(key),
});

type Issue = {
  key: KeyObject;
  subject: Name;
  purpose: CertificatePurpose;
  issuer: Issuer;
  /** Validity begins now. */
  validMs: number;
  /** It begins so long before now; without it, as long as certificates in the store. */
  backdatedMs?: number;
};

export const issue = (
  { key, validMs, backdatedMs = BACKDATED_MS.stored, ...plan }: Issue,
  { now, random }: IssuingContext,
): Promise<Uint8Array> =>
  makeCertificate({
    ...plan,
    serial: serialNumber(random),
    publicKey: createPublicKey(key),
    validFrom: addMs(now, -backdatedMs),
    validTo: addMs(now, validMs),
  });

/** Tells whether the certificate is valid now, and still is when `forMs` have passed. */
export function isValidNow({ certificate }: Holder, now: Instant, forMs = 0): boolean {
  const read = readCertificate(certificateBytesOf(certificate));
  const begin = epochMsOf(now);
  // The last second counts as a whole: certificates state times without fractions.
  return read !== undefined && read.notBefore <= begin && begin + forMs < read.notAfter + SECOND_MS;
}

const SECOND_MS = 1000;

const SERIAL_BYTES = 16;

/** Makes a serial number that is not zero, and has a fixed length. */
function serialNumber(random: (bytes: number) => Uint8Array): Uint8Array {
  const serial = Buffer.from(random(SERIAL_BYTES));
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}
