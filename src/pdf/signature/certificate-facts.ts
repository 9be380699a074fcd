// What a certificate or a revocation list says, as far as sealing has to know. It takes hostile input and never throws;
// whether a certificate is to be trusted is decided elsewhere.
import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { type Node, partsOf, readNode, readOid, readTime } from './der.ts';
import { OID } from './object-identifiers.ts';
import type { DigestName } from './signing-key.ts';

export type CertificateFacts = {
  der: Buffer;
  /** As integer in DER, as names in DER: they are compared, and written into signatures, as they stand there. */
  serial: Buffer;
  issuer: Buffer;
  subject: Buffer;
  /** `2026-11-21T18:00:00Z` */
  validFrom: string;
  validTo: string;
  /** Whether its key may sign documents: it says so, or does not say what it is for. */
  maySign: boolean;
  /** Undefined where it does not say. */
  extendedUses: readonly string[] | undefined;
  isExtendedUseCritical: boolean;
  /** Where its issuer publishes what is revoked. */
  listAddresses: readonly string[];
};

export const isSelfIssued = ({ issuer, subject }: CertificateFacts): boolean => issuer.equals(subject);

export function readCertificate(der: Uint8Array): CertificateFacts | undefined {
  const whole = readNode(der);
  const [body] = partsOf(whole);
  const parts = partsOf(body);
  // Certificates of version 1 do not state a version.
  const at = parts[0]?.tag === 0xa0 ? 1 : 0;
  const [serial, , issuer, validity, subject] = parts.slice(at);
  const [from, to] = partsOf(validity);
  const validFrom = readTime(from);
  const validTo = readTime(to);
  if (!whole || !serial || !issuer || !subject || !validFrom || !validTo) return undefined;
  const extensions = extensionsIn(parts.find(({ tag }) => tag === 0xa3));
  const uses = extensions.get(OID.extendedKeyUsage);
  return {
    der: whole.whole,
    serial: serial.whole,
    issuer: issuer.whole,
    subject: subject.whole,
    validFrom,
    validTo,
    maySign: maySign(extensions.get(OID.keyUsage)?.value),
    extendedUses: uses && partsOf(uses.value).flatMap((use) => readOid(use) ?? []),
    isExtendedUseCritical: uses?.isCritical ?? false,
    listAddresses: addressesIn(extensions.get(OID.crlDistributionPoints)?.value),
  };
}

/** The two highest bits: digital signatures, and content commitment. */
const maySign = (usage: Node | undefined): boolean =>
  usage === undefined || ((usage.content[1] ?? 0) & 0b1100_0000) !== 0;

type Extension = { isCritical: boolean; value: Node | undefined };

function extensionsIn(node: Node | undefined): Map<string, Extension> {
  const [list] = partsOf(node);
  return new Map(
    partsOf(list).flatMap((one): [string, Extension][] => {
      const parts = partsOf(one);
      const id = readOid(parts[0]);
      const content = parts.at(-1)?.content;
      if (id === undefined || content === undefined) return [];
      return [[id, { isCritical: parts.length > 2, value: readNode(content) }]];
    }),
  );
}

/** Those that are addresses on the web; GeneralName [6]. */
function addressesIn(points: Node | undefined): string[] {
  const names = (node: Node): Node[] =>
    node.tag === 0x86 ? [node] : node.tag >= 0xa0 || node.tag === 0x30 ? partsOf(node).flatMap(names) : [];
  return (points ? names(points) : [])
    .map(({ content }) => content.toString('latin1'))
    .filter((address) => /^https?:\/\//i.test(address));
}

// --- Revocation lists ---

export type RevocationListFacts = {
  der: Buffer;
  issuer: Buffer;
  thisUpdate: string;
  /** Undefined where it does not say when the next one comes. */
  nextUpdate: string | undefined;
  /** The serial numbers of what is revoked, as integers in DER. */
  revoked: readonly Buffer[];
};

export function readRevocationList(der: Uint8Array): RevocationListFacts | undefined {
  const whole = readNode(der);
  const [body] = partsOf(whole);
  const parts = partsOf(body);
  const at = parts[0]?.tag === 0x02 ? 1 : 0;
  const [, issuer, first, ...rest] = parts.slice(at);
  const thisUpdate = readTime(first);
  if (!whole || !issuer || !thisUpdate) return undefined;
  const list = rest.find(({ tag }) => tag === 0x30);
  return {
    der: whole.whole,
    issuer: issuer.whole,
    thisUpdate,
    nextUpdate: readTime(rest[0]),
    revoked: partsOf(list).flatMap((one) => partsOf(one)[0]?.whole ?? []),
  };
}

/** Whether the key of a certificate made the signature of a revocation list. */
export function isListOf(list: RevocationListFacts, issuer: CertificateFacts): boolean {
  if (!list.issuer.equals(issuer.subject)) return false;
  const [body, algorithm, signature] = partsOf(readNode(list.der));
  const digest = SIGNATURE_DIGESTS.get(readOid(partsOf(algorithm)[0]) ?? '');
  const key = publicKeyOf(issuer);
  if (!body || !signature || digest === undefined || !key) return false;
  return isSigned(digest, body.whole, key, signature.content.subarray(1));
}

/** By the identifier of the signature; null where the digest is a part of the algorithm. PSS says its digest elsewhere. */
export const SIGNATURE_DIGESTS: ReadonlyMap<string, DigestName | null> = new Map<string, DigestName | null>([
  [OID.rsaSha256, 'sha256'],
  [OID.rsaSha384, 'sha384'],
  [OID.rsaSha512, 'sha512'],
  [OID.ecdsaSha256, 'sha256'],
  [OID.ecdsaSha384, 'sha384'],
  [OID.ecdsaSha512, 'sha512'],
  [OID.ed25519, null],
]);

export function publicKeyOf({ der }: CertificateFacts): KeyObject | undefined {
  try {
    return new X509Certificate(der).publicKey;
  } catch {
    return undefined;
  }
}

/** Whether one certificate is signed with the key of another, which has its issuer's name. */
export function isIssuedBy(certificate: CertificateFacts, issuer: CertificateFacts): boolean {
  if (!certificate.issuer.equals(issuer.subject)) return false;
  const key = publicKeyOf(issuer);
  try {
    return key !== undefined && new X509Certificate(certificate.der).verify(key);
  } catch {
    return false;
  }
}

function isSigned(digest: string | null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(digest, data, key, signature);
  } catch {
    return false;
  }
}

/**
 * The certificate and its issuers, as far as they are among the others; up to one that issued itself.
 * @param others in any order, and more than the chain needs
 */
export function chainOf(first: CertificateFacts, others: readonly CertificateFacts[]): CertificateFacts[] {
  const chain = [first];
  for (let last = first; !isSelfIssued(last); ) {
    const issuer = others.find((one) => !chain.includes(one) && isIssuedBy(last, one));
    if (!issuer) break;
    chain.push(issuer);
    last = issuer;
  }
  return chain;
}
