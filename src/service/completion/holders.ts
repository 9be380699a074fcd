// Keys and their certificates, as the store keeps them, and how one is issued. Which ones there are is known to authority.ts
// and loopback.ts.
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type Instant, later } from '../../api/contract/instant.ts';
import {
  type CertificatePurpose,
  type Issuer,
  makeCertificate,
  type Name,
} from '../../pdf/signature/certificates.ts';
import { signingKeyOf } from '../../pdf/signature/signing-key.ts';

/** A certificate in DER and its key in PKCS #8, both as base64. */
export type Holder = { certificate: string; key: string };

export type AuthorityFacts = { now: Instant; random: (bytes: number) => Uint8Array };

/** Clocks of other machines may be behind. */
export const BACKDATED_MS = 24 * 60 * 60 * 1000;

export const newKey = async (): Promise<KeyObject> =>
  (await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })).privateKey;

export const holderOf = (key: KeyObject, certificate: Uint8Array): Holder => ({
  certificate: Buffer.from(certificate).toString('base64'),
  key: key.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
});

export const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

export const keyOf = ({ key }: Holder): KeyObject =>
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
  validMs: number;
};

export const issue = (
  { key, validMs, ...plan }: Issue,
  { now, random }: AuthorityFacts,
): Promise<Uint8Array> =>
  makeCertificate({
    ...plan,
    serial: serialNumber(random),
    publicKey: createPublicKey(key),
    validFrom: later(now, -BACKDATED_MS),
    validTo: later(now, validMs),
  });

const SERIAL_BYTES = 16;

/** Not zero, and of a fixed length. */
export function serialNumber(random: (bytes: number) => Uint8Array): Uint8Array {
  const serial = Buffer.from(random(SERIAL_BYTES));
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}
