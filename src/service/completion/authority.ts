// The authority that a store brings along: a root, an issuing authority below it, and one for timestamps. It issues the
// certificates that documents are sealed with and works offline. It must never give a private key to anybody but the store.
import type { KeyObject } from 'node:crypto';
import { type Instant, later } from '../../api/contract/instant.ts';
import { readCertificate } from '../../pdf/signature/certificate-facts.ts';
import {
  type CertificatePurpose,
  type Issuer,
  makeRevocationList,
  type Name,
} from '../../pdf/signature/certificates.ts';
import { OID } from '../../pdf/signature/object-identifiers.ts';
import type { Signer, TimestampAuthority } from '../../pdf/signature/seal.ts';
import { signingKeyOf } from '../../pdf/signature/signing-key.ts';
import { issueTimestamp } from '../../pdf/signature/timestamp.ts';
import {
  type AuthorityFacts,
  bytesOf,
  type Holder,
  holderOf,
  issue,
  issuerOf,
  keyOf,
  newKey,
  serialNumber,
} from './holders.ts';

/** As the store keeps it. */
export type Authority = { root: Holder; issuing: Holder; timestamps: Holder };

const DAY_MS = 24 * 60 * 60 * 1000;
const YEAR_MS = 365.25 * DAY_MS;

// Documents are kept for decades, and what sealed them cannot be renewed where nobody is online. Each ends before its issuer.
const VALID_MS = {
  root: 30 * YEAR_MS,
  issuing: 29 * YEAR_MS,
  timestamps: 28 * YEAR_MS,
  signer: 10 * YEAR_MS,
};

/** Nothing is ever revoked: a list is made for each seal and is good as long as the authority. */
const LIST_MS = 10 * YEAR_MS;

const ORGANIZATION = 'esign sandbox';

const NAMES = {
  root: { organization: ORGANIZATION, common: 'esign sandbox root' },
  issuing: { organization: ORGANIZATION, common: 'esign sandbox authority' },
  timestamps: { organization: ORGANIZATION, common: 'esign sandbox timestamps' },
} as const satisfies Record<string, Name>;

export async function makeAuthority(facts: AuthorityFacts): Promise<Authority> {
  const [root, issuing, timestamps] = await Promise.all([newKey(), newKey(), newKey()]);
  const rootIssuer = issuerOf(NAMES.root, root);
  const issuingIssuer = issuerOf(NAMES.issuing, issuing);
  const certify = async (
    key: KeyObject,
    kind: keyof typeof NAMES,
    purpose: CertificatePurpose,
    issuer: Issuer,
  ) =>
    holderOf(
      key,
      await issue({ key, subject: NAMES[kind], purpose, issuer, validMs: VALID_MS[kind] }, facts),
    );
  return {
    root: await certify(root, 'root', { kind: 'authority', pathLength: 1 }, rootIssuer),
    issuing: await certify(issuing, 'issuing', { kind: 'authority', pathLength: 0 }, rootIssuer),
    timestamps: await certify(timestamps, 'timestamps', { kind: 'timestamps' }, issuingIssuer),
  };
}

/** The certificate that the documents of a company are sealed with. */
export async function issueSigner(
  authority: Authority,
  company: string,
  facts: AuthorityFacts,
): Promise<Holder> {
  const key = await newKey();
  const subject = { organization: company, unit: ORGANIZATION, common: company };
  const issuer = issuerOf(NAMES.issuing, keyOf(authority.issuing));
  const validMs = VALID_MS.signer;
  return holderOf(key, await issue({ key, subject, purpose: { kind: 'documents' }, issuer, validMs }, facts));
}

/** A certificate that ends soon is replaced: the seal must be good when it is made, the timestamps do the rest. */
export const isWornOut = ({ certificate }: Holder, now: Instant): boolean =>
  (readCertificate(bytesOf(certificate))?.validTo ?? '') < later(now, YEAR_MS);

export const signerOf = (authority: Authority, holder: Holder): Signer => ({
  certificates: [holder, authority.issuing, authority.root].map(({ certificate }) => bytesOf(certificate)),
  key: signingKeyOf(keyOf(holder)),
});

/** One list of each of the two authorities. */
export async function revocationListsOf(authority: Authority, now: Instant): Promise<Uint8Array[]> {
  const of = (kind: 'root' | 'issuing') =>
    makeRevocationList({
      issuer: issuerOf(NAMES[kind], keyOf(authority[kind])),
      thisUpdate: now,
      nextUpdate: later(now, LIST_MS),
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
    bytesOf(certificate),
  );
  const certificate = readCertificate(bytesOf(authority.timestamps.certificate))!;
  const signer = {
    certificate,
    certificates: certificates.slice(0, 2),
    key: signingKeyOf(keyOf(authority.timestamps)),
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
