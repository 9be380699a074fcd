// Creates keys and issues their certificates, in the form in which the store keeps them. authority.ts and loopback.ts decide
// which there are.

import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { addMs, epochMsOf, type Instant } from '../../common/instant.ts';
import { readCertificate } from '../../pdf/sign/certificate.ts';
import {
  type CertificatePurpose,
  type Issuer,
  makeCertificate,
  type Name,
} from '../../pdf/sign/make-certificates.ts';
import { signingKeyOf } from '../../pdf/sign/signing-key.ts';

/** A certificate in DER and its key in PKCS #8, both as base64. */
export type Holder = { certificate: string; key: string };

export type AuthorityFacts = { now: Instant; random: (bytes: number) => Uint8Array };

export const DAY_MS = 24 * 60 * 60 * 1000;
export const YEAR_MS = 365.25 * DAY_MS;

/**
 * How long before it is issued a certificate begins to be valid. The clock may be ahead at that moment, or be set back
 * later, and what the store keeps has to be usable then as well. Programs limit the whole life of a server's certificate.
 */
export const BACKDATED_MS = { kept: 10 * YEAR_MS, server: 30 * DAY_MS };

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

export type Issue = {
  key: KeyObject;
  subject: Name;
  purpose: CertificatePurpose;
  issuer: Issuer;
  /** From now on. */
  validMs: number;
  /** Before now; without it, as for certificates in the store. */
  backdatedMs?: number;
};

export const issue = (
  { key, validMs, backdatedMs = BACKDATED_MS.kept, ...plan }: Issue,
  { now, random }: AuthorityFacts,
): Promise<Uint8Array> =>
  makeCertificate({
    ...plan,
    serial: serialNumber(random),
    publicKey: createPublicKey(key),
    validFrom: addMs(now, -backdatedMs),
    validTo: addMs(now, validMs),
  });

/** Whether the certificate is valid now, and still is when `forMs` have passed. */
export function isValidNow({ certificate }: Holder, now: Instant, forMs = 0): boolean {
  const read = readCertificate(certificateBytesOf(certificate));
  const begin = epochMsOf(now);
  // The last second counts as a whole: certificates state times without fractions.
  return read !== undefined && read.notBefore <= begin && begin + forMs < read.notAfter + SECOND_MS;
}

const SECOND_MS = 1000;

const SERIAL_BYTES = 16;

/** Not zero, and of a fixed length. */
export function serialNumber(random: (bytes: number) => Uint8Array): Uint8Array {
  const serial = Buffer.from(random(SERIAL_BYTES));
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}
