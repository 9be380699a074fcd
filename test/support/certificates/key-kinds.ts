// Makes keys of every kind and certificates for them, issued by an authority of the test: for cases that the service's own
// authority never makes.

import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type RSAPSSKeyPairKeyObjectOptions,
  randomBytes,
} from 'node:crypto';
import { type Certificate, readCertificate } from '../../../src/pdf/sign/certificate.ts';
import {
  type CertificatePurpose,
  type Issuer,
  makeCertificate,
  makeRevocationList,
} from '../../../src/pdf/sign/make-certificates.ts';
import type { Sealing, TimestampAuthority } from '../../../src/pdf/sign/seal.ts';
import { type DigestName, type SigningKey, signingKeyOf } from '../../../src/pdf/sign/signing-key.ts';
import { issueTimestamp } from '../../../src/pdf/sign/timestamp.ts';

export const KEY_KINDS = {
  'RSA 2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  'RSA-PSS': () =>
    generateKeyPairSync('rsa-pss', {
      modulusLength: 2048,
      hashAlgorithm: 'sha384',
      mgf1HashAlgorithm: 'sha384',
      saltLength: 48,
    } as unknown as RSAPSSKeyPairKeyObjectOptions).privateKey,
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  'P-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
  Ed25519: () => generateKeyPairSync('ed25519').privateKey,
} as const satisfies Record<string, () => KeyObject>;

export type KeyKind = keyof typeof KEY_KINDS;

/** The real time, because foreign programs compare with it. */
export const now = (): string => new Date().toISOString();
export const daysFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

export type IssuedCertificate = {
  key: KeyObject;
  signing: SigningKey;
  certificate: Uint8Array;
  facts: Certificate;
};
export type Validity = { from?: string; to?: string };

export class ConfigurableAuthority {
  readonly key: KeyObject;
  readonly issuer: Issuer;
  certificate: Uint8Array = new Uint8Array();

  private constructor(key: KeyObject, name: string) {
    this.key = key;
    this.issuer = { name: { common: name }, publicKey: createPublicKey(key), key: signingKeyOf(key) };
  }

  static async make(kind: KeyKind = 'P-256', name = 'Test root'): Promise<ConfigurableAuthority> {
    const authority = new ConfigurableAuthority(KEY_KINDS[kind](), name);
    authority.certificate = await authority.#certify(
      authority.key,
      name,
      { kind: 'authority', pathLength: 1 },
      {},
    );
    return authority;
  }

  async issue(
    name: string,
    purpose: CertificatePurpose,
    key: KeyObject = KEY_KINDS['P-256'](),
    validity: Validity = {},
  ): Promise<IssuedCertificate> {
    const certificate = await this.#certify(key, name, purpose, validity);
    return { key, signing: signingKeyOf(key), certificate, facts: readCertificate(certificate)! };
  }

  #certify(
    key: KeyObject,
    name: string,
    purpose: CertificatePurpose,
    { from, to }: Validity,
  ): Promise<Uint8Array> {
    return makeCertificate({
      serial: Buffer.from([0x55, ...randomBytes(8)]),
      subject: { common: name },
      publicKey: createPublicKey(key),
      purpose,
      validFrom: from ?? daysFromNow(-1),
      validTo: to ?? daysFromNow(365),
      issuer: this.issuer,
    });
  }

  list(revoked: readonly IssuedCertificate[] = [], validity: Validity = {}): Promise<Uint8Array> {
    return makeRevocationList({
      issuer: this.issuer,
      thisUpdate: validity.from ?? now(),
      nextUpdate: validity.to ?? daysFromNow(30),
      revoked: revoked.map(({ facts }) => ({
        serial: Buffer.from(facts.serial, 'hex'),
        at: daysFromNow(-1),
      })),
    });
  }

  /** @param sends the certificates that go along with a token */
  timestamps(
    stamper: IssuedCertificate,
    { digest = 'sha256' as DigestName, sends = [stamper.certificate, this.certificate], at = now } = {},
  ): TimestampAuthority {
    const signer = { certificate: stamper.facts, key: stamper.signing, certificates: sends };
    return {
      digest,
      certificates: [stamper.certificate, this.certificate],
      timestamp: (imprint) =>
        issueTimestamp(signer, {
          digest,
          imprint,
          serial: Buffer.from([0x01]),
          policy: '2.999.1',
          at: at(),
          accuracySeconds: 1,
        }),
    };
  }
}

/** Makes everything that level LTA needs, from one authority. */
export async function sealingWithKey(
  kind: KeyKind = 'P-256',
  root?: ConfigurableAuthority,
): Promise<Sealing & { root: ConfigurableAuthority }> {
  const authority = root ?? (await ConfigurableAuthority.make());
  const signer = await authority.issue('Grace', { kind: 'documents' }, KEY_KINDS[kind]());
  const stamper = await authority.issue('Stamps', { kind: 'timestamps' });
  return {
    root: authority,
    signer: { certificates: [signer.certificate, authority.certificate], key: signer.signing },
    timestamps: authority.timestamps(stamper),
    revocationLists: async () => [await authority.list()],
    level: 'LTA',
    clock: now,
  };
}
