// A CMS signature (RFC 5652) as it stands in a PDF or in a timestamp: what it says, and whether the mathematics is right.
// It must never decide which certificates are trusted.

import type { KeyObject } from 'node:crypto';
import { VERIFY_LIMITS } from '../limits.ts';
import { type AlgorithmPolicy, weakAlgorithm, weakHash, weakKey } from '../sign/algorithm-policy.ts';
import {
  digestOf,
  type HashName,
  hashOf,
  isForgeableKey,
  isSignedBy,
  rsaWith,
  type SignatureAlgorithm,
  signatureAlgorithmOf,
} from '../sign/algorithms.ts';
import { type Certificate, readCertificate } from '../sign/certificate.ts';
import { isSameName } from '../sign/certificate-names.ts';
import {
  childrenOf,
  contentOf,
  contextTag,
  type Der,
  encoded,
  explicit,
  hexOf,
  isDistinguished,
  isShortestOid,
  listOf,
  numberOf,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  setOf,
  TAG,
  timeOf,
} from '../sign/read-der.ts';
import { BYTES_OF_A_CHECK, type Checks, isIssuedBy, spend } from '../sign/signed-by.ts';
import { readCrl } from './crl.ts';
import { type Fault, weaknessFacts } from './findings.ts';

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timestamp: '1.2.840.113549.1.9.16.2.14',
  algorithmProtection: '1.2.840.113549.1.9.52',
  ocspResponse: '1.3.6.1.5.5.7.16.2',
  adobeRevocation: '1.2.840.113583.1.1.8',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
} as const;

export const CONTENT = { data: '1.2.840.113549.1.7.1', timestamp: '1.2.840.113549.1.9.16.1.4' } as const;

export type Cms = {
  contentType: string;
  /** What is signed, where it lies inside the signature. */
  content: Buffer | undefined;
  certificates: Certificate[];
  crls: Buffer[];
  ocsps: Buffer[];
  isDer: boolean;
  /** How many have signed; only the first is looked at. */
  signers: number;
  hash: HashName | undefined;
  algorithm: SignatureAlgorithm | undefined;
  signature: Buffer;
  isSigner(certificate: Certificate): boolean;
  /** Whether the algorithms are those that were signed along, where they were (RFC 6211). */
  areAlgorithmsProtected: boolean;
  /** Whether attributes are signed, and not the content itself. */
  hasAttributes: boolean;
  /** The attributes that are signed, with the tag they are signed with. */
  signedBytes: Buffer | undefined;
  attributes: Map<string, Der[][]>;
  unsigned: Map<string, Der[][]>;
  /** Where it ends in the bytes that were given. */
  end: number;
};

/** Undefined for bytes that are no signature. */
export function readCms(bytes: Buffer): Cms | undefined {
  const whole = readDer(bytes);
  const [type, body, ...more] = sequenceOf(whole) ?? [];
  if (!whole || more.length > 0 || oidOf(type) !== OID.signedData || body?.tag !== contextTag(0))
    return undefined;
  const parts = sequenceOf(explicit(body));
  const [version, digests, encapsulated] = parts ?? [];
  const infos = setOf(parts?.at(-1));
  const [contentType, contentPart, ...behind] = sequenceOf(encapsulated) ?? [];
  const octets = contentPart?.tag === contextTag(0) ? octetsOf(explicit(contentPart)) : undefined;
  // What is there and cannot be read is something else for other readers.
  if ((contentPart && !octets) || behind.length > 0) return undefined;
  // Some programs write a content without bytes where none is meant.
  const content = octets?.length === 0 ? undefined : octets;
  const signer = infos?.[0] && readSigner(infos[0]);
  const contentOid = oidOf(contentType);
  if (!parts || !infos || !signer || contentOid === undefined) return undefined;
  const isNamed = setOf(digests)?.some((one) => hashOf(one) !== undefined && hashOf(one) === signer.hash);
  const versions = contentOid === CONTENT.data ? VERSIONS : VERSIONS_OF_OTHERS;
  const stored = listOfPart(parts, contextTag(0));
  const lists = listOfPart(parts, contextTag(1));
  if (
    !versions.has(versionOf(version)) ||
    !isNamed ||
    !stored ||
    !lists ||
    !hasOnlyLists(parts) ||
    !lists.every(isList)
  )
    return undefined;
  const certificates = plainCertificates(stored);
  if (!certificates || certificates.length > VERIFY_LIMITS.certificates) return undefined;
  const archived = archivedRevocations(signer);
  return {
    contentType: contentOid,
    content,
    certificates,
    crls: [...lists.map(encoded), ...archived.crls],
    ocsps: [...archived.ocsps, ...lists.flatMap(ocspAmongLists)],
    isDer: isDistinguished(whole),
    signers: infos.length,
    ...signer,
    end: whole.end,
  };
}

/** By what else there is (RFC 5652, 5.1). */
const VERSIONS = new Set<number | undefined>([1, 3, 4, 5]);
const VERSIONS_OF_OTHERS = new Set<number | undefined>([3, 4, 5]);

const versionOf = (der: Der | undefined): number | undefined =>
  der?.tag === TAG.integer ? numberOf(der) : undefined;

/** Certificates and revocation lists may stand before the signers. */
const hasOnlyLists = (parts: Der[]): boolean =>
  parts.slice(3, -1).every(({ tag }) => tag === contextTag(0) || tag === contextTag(1));

/** Other kinds of revocation data are [1] (RFC 5652, 10.2.1). */
const isList = (der: Der): boolean => der.tag === contextTag(1) || readCrl(encoded(der)) !== undefined;

/** What stands in an optional part, nothing where it is absent; undefined where it cannot be read. */
function listOfPart(parts: Der[], tag: number): Der[] | undefined {
  const part = parts.slice(3).find((one) => one.tag === tag);
  return part ? childrenOf(part) : [];
}

/** Omits certificates of other kinds, which are [1] to [3] (RFC 5652, 10.2.2). */
function plainCertificates(stored: Der[]): Certificate[] | undefined {
  const certificates: Certificate[] = [];
  for (const one of stored) {
    if (one.tag >= contextTag(1) && one.tag <= contextTag(3)) continue;
    const certificate = one.tag === TAG.sequence ? readCertificate(encoded(one)) : undefined;
    if (!certificate) return undefined;
    certificates.push(certificate);
  }
  return certificates;
}

function readSigner(info: Der) {
  const parts = sequenceOf(info);
  const [version, id, hashPart] = parts ?? [];
  // A signer is named by its issuer in version 1, and by its key in version 3 (RFC 5652, 5.3).
  const named = id?.tag === TAG.sequence ? 1 : 3;
  if (!parts || !id || !hashPart || versionOf(version) !== named) return undefined;
  const attributes = parts[3]?.tag === contextTag(0) ? parts[3] : undefined;
  const [algorithm, signature, unsigned, ...behind] = parts.slice(attributes ? 4 : 3);
  const hash = hashOf(hashPart);
  const bytes = octetsOf(signature);
  // What other readers may take for an attribute, or for none.
  if (attributes && !childrenOf(attributes)?.every(isAttribute)) return undefined;
  if (!bytes || (unsigned && unsigned.tag !== contextTag(1)) || behind.length > 0) return undefined;
  return {
    hash,
    algorithm: signatureAlgorithmOf(algorithm, hash),
    signature: bytes,
    isSigner: signerIs(id),
    areAlgorithmsProtected: isProtectedBy(
      only(attributesOf(attributes), OID.algorithmProtection),
      hashPart,
      algorithm,
    ),
    hasAttributes: attributes !== undefined,
    // Signed as a SET OF in DER, stored as [0] (RFC 5652, 5.4).
    signedBytes: attributes && signedBytesOf(attributes),
    attributes: attributesOf(attributes),
    unsigned: attributesOf(unsigned),
  };
}

/** The DER of attributes, whose list may have a length without an end. What is in it must be DER. */
function signedBytesOf(attributes: Der): Buffer | undefined {
  if (!attributes.isIndefinite)
    return Buffer.concat([Buffer.from([TAG.set]), encoded(attributes).subarray(1)]);
  const content = contentOf(attributes);
  if (!childrenOf(attributes)?.every((one) => isDistinguished(one))) return undefined;
  return Buffer.concat([Buffer.from([TAG.set]), lengthInDer(content.length), content]);
}

function lengthInDer(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function isProtectedBy(value: Der | undefined, hash: Der, algorithm: Der | undefined): boolean {
  if (!value) return true;
  const [digest, signature] = sequenceOf(value) ?? [];
  const isHash = digest && encoded(digest).equals(encoded(hash));
  const isAlgorithm =
    signature?.tag === contextTag(1) && algorithm && contentOf(signature).equals(contentOf(algorithm));
  return isHash === true && isAlgorithm === true;
}

/** By issuer and serial number, or by the key. */
function signerIs(id: Der): (certificate: Certificate) => boolean {
  if (id.tag === contextTag(0, false)) return ({ keyId }) => keyId?.equals(contentOf(id)) === true;
  const [issuer, serial] = sequenceOf(id) ?? [];
  if (!issuer || serial?.tag !== TAG.integer) return () => false;
  const name = encoded(issuer);
  return (certificate) => certificate.serial === hexOf(serial) && isSameName(certificate.issuer, name);
}

/** Exactly a type and a set of values. */
function isAttribute(der: Der): boolean {
  const [type, values, ...more] = sequenceOf(der) ?? [];
  return isShortestOid(type) && setOf(values) !== undefined && more.length === 0;
}

/** Each with its sets of values: one that stands twice comes twice. */
function attributesOf(der: Der | undefined): Map<string, Der[][]> {
  const found = new Map<string, Der[][]>();
  for (const attribute of listOf(der)) {
    const [type, values] = sequenceOf(attribute) ?? [];
    const oid = oidOf(type);
    if (oid === undefined) continue;
    const known = found.get(oid);
    if (known) known.push(setOf(values) ?? []);
    else found.set(oid, [setOf(values) ?? []]);
  }
  return found;
}

/** The value of an attribute that must stand once and have one value. */
export function only(attributes: Map<string, Der[][]>, oid: string): Der | undefined {
  const [values, ...more] = attributes.get(oid) ?? [];
  return more.length === 0 && values?.length === 1 ? values[0] : undefined;
}

/**
 * What Acrobat signs along with the rest (ISO 32000-2, 12.8.3.3.2), and what older formats keep beside a signature (RFC 5126, 6.3.4): [0]
 * lists, [1] answers. All of it is read, wherever it stands, because it may say that a certificate was revoked.
 */
function archivedRevocations({ attributes, unsigned }: Pick<Cms, 'attributes' | 'unsigned'>) {
  const values = [OID.adobeRevocation, OID.revocationValues].flatMap((oid) =>
    [attributes, unsigned].flatMap((all) => (all.get(oid) ?? []).flat()),
  );
  const list = (number: number) =>
    values.flatMap((value) =>
      listOf(explicit(sequenceOf(value)?.find(({ tag }) => tag === contextTag(number)))).map(encoded),
    );
  return { crls: list(0), ocsps: list(1) };
}

/** Answers among the lists of a signature (RFC 5940). */
function ocspAmongLists(list: Der): Buffer[] {
  const [format, response] = list.tag === contextTag(1) ? listOf(list) : [];
  return oidOf(format) === OID.ocspResponse && response ? [encoded(response)] : [];
}

export const timestampTokensOf = (cms: Cms): Buffer[] =>
  (cms.unsigned.get(OID.timestamp) ?? []).flatMap((values) => values.map(encoded));

/** What the signer's own clock said, where the signature tells. */
export const claimedTimeOf = (cms: Cms): number | undefined => timeOf(only(cms.attributes, OID.signingTime));

export const hasSigningTime = (cms: Cms): boolean => cms.attributes.has(OID.signingTime);
export const hasSigningCertificate = (cms: Cms): boolean =>
  cms.attributes.has(OID.signingCertificateV2) || cms.attributes.has(OID.signingCertificate);

/** What is signed, by its digest. */
export type DigestOfSigned = (hash: HashName) => Buffer;

/** What a signature is about: the bytes outside of it, or those that it has inside. */
export type SignedContent = {
  type: string;
  digest: DigestOfSigned;
  /** All of it. Only a signature without attributes is made over this, and not over its digest. */
  data(): Buffer;
};

type CmsQuestion = {
  signed: SignedContent;
  signer: Certificate | undefined;
  /** Certificates that are known, those of the signature among them. */
  others: readonly Certificate[];
  /** What is left for the file. */
  checks: Checks;
  policy: AlgorithmPolicy;
  /** When it existed: its algorithms are judged as of then. */
  time: number;
};

/** The hash and the mathematics, against what was signed. */
export function checkCms(cms: Cms, question: CmsQuestion): Fault[] {
  const { signed, signer, others, checks, policy, time } = question;
  const { hash, algorithm, signedBytes, attributes, signature } = cms;
  const budget = { left: VERIFY_LIMITS.issuersTried };
  if (cms.certificates.some((one) => isDamaged(one, others, budget, checks)))
    return [{ code: 'certificate_damaged' }];
  if (cms.signers !== 1) return [{ code: 'cms_signers', facts: { signers: String(cms.signers) } }];
  if (!hash || !algorithm || !cms.areAlgorithmsProtected) return [{ code: 'algorithm_unknown' }];
  if (!cms.hasAttributes) return checkWithoutAttributes(cms, [algorithm], question);
  const type = oidOf(only(attributes, OID.contentType));
  const digest = octetsOf(only(attributes, OID.messageDigest));
  if (!signedBytes || !digest || type !== signed.type || cms.contentType !== signed.type)
    return [{ code: 'attributes_wrong' }];
  const faults: Fault[] = [];
  const weak = weakHash(hash, time, policy) ?? weakAlgorithm(algorithm, time, policy);
  if (weak) faults.push({ code: 'algorithm_weak', facts: weaknessFacts(weak) });
  if (!signed.digest(hash).equals(digest)) faults.push({ code: 'digest_mismatch' });
  if (!signer) return [...faults, { code: 'signing_certificate_missing' }];
  if (!signer.key) return [...faults, { code: 'algorithm_unknown' }];
  faults.push(...keyFaults(signer.key, question));
  if (!spend(checks, 1) || !isSignedBy(signer.key, algorithm, signedBytes, signature))
    faults.push({ code: 'signature_wrong' });
  if (!namesCertificate(cms, signer)) faults.push({ code: 'signing_certificate_mismatch' });
  return faults;
}

function keyFaults(key: KeyObject, { time, policy }: CmsQuestion): Fault[] {
  if (isForgeableKey(key)) return [{ code: 'key_forgeable' }];
  const weak = weakKey(key, time, policy);
  return weak ? [{ code: 'key_weak', facts: weaknessFacts(weak) }] : [];
}

/**
 * A signature without attributes is made over the content itself, which only data may be (RFC 5652, 5.3).
 * @param algorithms of which one made it
 */
function checkWithoutAttributes(
  cms: Cms,
  algorithms: readonly SignatureAlgorithm[],
  question: CmsQuestion,
): Fault[] {
  const { signed, signer, checks, policy, time } = question;
  if (signed.type !== CONTENT.data || cms.contentType !== CONTENT.data) return [{ code: 'attributes_wrong' }];
  if (!signer) return [{ code: 'signing_certificate_missing' }];
  const { key } = signer;
  if (!key) return [{ code: 'algorithm_unknown' }];
  const data = signed.data();
  const algorithm = algorithms.find(
    (one) =>
      spend(checks, 1 + Math.floor(data.length / BYTES_OF_A_CHECK)) &&
      isSignedBy(key, one, data, cms.signature),
  );
  if (!algorithm) return [{ code: 'signature_wrong', facts: { isOverContent: 'yes' } }];
  const weak = weakAlgorithm(algorithm, time, policy);
  const faults = keyFaults(key, question);
  return weak ? [{ code: 'algorithm_weak', facts: weaknessFacts(weak) }, ...faults] : faults;
}

/** Hashes that `adbe.x509.rsa_sha1` may have in spite of its name (ISO 32000-2, table 260). It does not say which. */
const BARE_HASHES = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

/**
 * A signature of the format `adbe.x509.rsa_sha1`: the number that RSA makes, whose certificates stand beside it.
 * @param certificates the first one is that of the signer
 */
export function readBareRsa(bytes: Buffer, certificates: readonly Certificate[]): Cms | undefined {
  const value = readDer(bytes);
  const signature = value?.tag === TAG.octetString ? octetsOf(value) : undefined;
  const [signer] = certificates;
  if (!value || !signature || !signer) return undefined;
  return {
    contentType: CONTENT.data,
    content: undefined,
    certificates: [...certificates],
    crls: [],
    ocsps: [],
    isDer: true,
    signers: 1,
    hash: undefined,
    algorithm: undefined,
    signature,
    isSigner: ({ sha256 }) => sha256 === signer.sha256,
    areAlgorithmsProtected: true,
    hasAttributes: false,
    signedBytes: undefined,
    attributes: new Map(),
    unsigned: new Map(),
    end: value.end,
  };
}

export function checkBareRsa(cms: Cms, question: CmsQuestion): Fault[] {
  const algorithms = BARE_HASHES.map(rsaWith);
  return checkWithoutAttributes(cms, algorithms, question);
}

/**
 * Certificates beside a signature are not signed with it. One that its issuer did not sign as it is, or a copy of which says
 * something else, was changed afterwards. So is one for which more issuers have to be tried than there are honestly.
 */
function isDamaged(
  certificate: Certificate,
  others: readonly Certificate[],
  budget: { left: number },
  checks: Checks,
): boolean {
  const issuers = others.filter(({ subject }) => subject.equals(certificate.issuer));
  if (issuers.some((issuer) => budget.left-- > 0 && isIssuedBy(certificate, issuer, checks))) return false;
  const isCopy = ({ serial, keyBits, sha256 }: Certificate) =>
    sha256 !== certificate.sha256 && serial === certificate.serial && keyBits.equals(certificate.keyBits);
  return issuers.length > 0 || others.some(isCopy);
}

/** The certificate that made the signature. Of several for one key, which a key id names all, the one that the signature names. */
export function findSigner(cms: Cms, certificates: readonly Certificate[]): Certificate | undefined {
  const named = certificates.filter(cms.isSigner);
  return named.find((one) => namesCertificate(cms, one)) ?? named[0];
}

/** The signature names the certificate it was made with, so that another one for the same key cannot take its place. */
function namesCertificate({ attributes }: Cms, signer: Certificate): boolean {
  for (const [oid, isSecond] of [
    [OID.signingCertificateV2, true],
    [OID.signingCertificate, false],
  ] as const) {
    if (!attributes.has(oid)) continue;
    const [first] = sequenceOf(sequenceOf(only(attributes, oid))?.[0]) ?? [];
    const parts = sequenceOf(first) ?? [];
    const named =
      isSecond && parts[0]?.tag === TAG.sequence ? hashOf(parts[0]) : isSecond ? 'sha256' : 'sha1';
    const digest = octetsOf(parts.find(({ tag }) => tag === TAG.octetString));
    if (!named || !digest?.equals(digestOf(named, signer.der))) return false;
    const issuerSerial = parts.slice(1).findLast(({ tag }) => tag === TAG.sequence);
    if (issuerSerial && !isOfIssuer(issuerSerial, signer)) return false;
  }
  return true;
}

/** Whether an IssuerSerial is that of the certificate (RFC 5035, 5.4.1.1). */
function isOfIssuer(issuerSerial: Der, { issuer, serial }: Certificate): boolean {
  const [names, number] = sequenceOf(issuerSerial) ?? [];
  const name = explicit(sequenceOf(names)?.find(({ tag }) => tag === contextTag(4)));
  return (
    number?.tag === TAG.integer &&
    hexOf(number) === serial &&
    name !== undefined &&
    isSameName(encoded(name), issuer)
  );
}
