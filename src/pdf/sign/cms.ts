// Reads a CMS signature (RFC 5652) of a PDF or of a timestamp, and checks its mathematics. Which certificates are trusted is decided by the verifier.

import type { KeyObject } from 'node:crypto';
import { VERIFY_LIMITS } from '../limits.ts';
import {
  type AlgorithmPolicy,
  weakAlgorithm,
  weakHash,
  weakKey,
  weaknessDetails,
} from './algorithm-policy.ts';
import {
  digestOf,
  type HashName,
  hashOf,
  isForgeableKey,
  isSignedBy,
  rsaWith,
  type SignatureAlgorithm,
  signatureAlgorithmOf,
} from './algorithms.ts';
import { type Certificate, isSameName, readCertificate } from './certificate.ts';
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
  OID,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  setOf,
  TAG,
  tagged,
} from './der.ts';
import { readCrl } from './revocation-data.ts';
import { BYTES_OF_A_CHECK, type Checks, isIssuedBy, spend } from './signed-by.ts';

export type Cms = {
  contentType: string;
  /** It lies inside the signature. */
  content: Buffer | undefined;
  certificates: Certificate[];
  crls: Buffer[];
  ocsps: Buffer[];
  isDer: boolean;
  /** Only the first of so many signers is read. */
  signers: number;
  hash: HashName | undefined;
  algorithm: SignatureAlgorithm | undefined;
  signature: Buffer;
  isSigner(certificate: Certificate): boolean;
  /** It is false if other algorithms are signed along than those that are stated (RFC 6211). */
  areAlgorithmsProtected: boolean;
  /** It is true if attributes are signed, and not the content itself. */
  hasAttributes: boolean;
  /** They are the attributes that are signed, with the tag they are signed with. */
  signedBytes: Buffer | undefined;
  attributes: Map<string, Der[][]>;
  unsigned: Map<string, Der[][]>;
  /** What follows the signature fills its place up. */
  end: number;
};

/** Returns undefined for bytes that are no signature. */
export function readCms(bytes: Buffer): Cms | undefined {
  const whole = readDer(bytes);
  const [type, body, ...more] = sequenceOf(whole) ?? [];
  if (!whole || more.length > 0 || oidOf(type) !== OID.signedData || body?.tag !== contextTag(0))
    return undefined;
  const elements = sequenceOf(explicit(body));
  const [version, digests, encapsulated] = elements ?? [];
  const infos = setOf(elements?.at(-1));
  const [contentType, contentPart, ...behind] = sequenceOf(encapsulated) ?? [];
  const octets = contentPart?.tag === contextTag(0) ? octetsOf(explicit(contentPart)) : undefined;
  // What is there and cannot be read is something else for other readers.
  if ((contentPart && !octets) || behind.length > 0) return undefined;
  // Some programs write a content without bytes where none is meant.
  const content = octets?.length === 0 ? undefined : octets;
  const signer = infos?.[0] && readSigner(infos[0]);
  const contentOid = oidOf(contentType);
  if (!elements || !infos || !signer || contentOid === undefined) return undefined;
  const isNamed = setOf(digests)?.some(
    (digest) => hashOf(digest) !== undefined && hashOf(digest) === signer.hash,
  );
  const versions = contentOid === OID.data ? VERSIONS : VERSIONS_OF_OTHERS;
  const stored = listOfPart(elements, contextTag(0));
  const lists = listOfPart(elements, contextTag(1));
  if (
    !versions.has(versionOf(version)) ||
    !isNamed ||
    !stored ||
    !lists ||
    !hasOnlyLists(elements) ||
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

/** The version depends on what else the structure has (RFC 5652, 5.1). */
const VERSIONS = new Set<number | undefined>([1, 3, 4, 5]);
const VERSIONS_OF_OTHERS = new Set<number | undefined>([3, 4, 5]);

const versionOf = (der: Der | undefined): number | undefined =>
  der?.tag === TAG.integer ? numberOf(der) : undefined;

/** Certificates and revocation lists may stand before the signers. */
const hasOnlyLists = (elements: Der[]): boolean =>
  elements.slice(3, -1).every(({ tag }) => tag === contextTag(0) || tag === contextTag(1));

/** Other kinds of revocation data are [1] (RFC 5652, 10.2.1). */
const isList = (der: Der): boolean => der.tag === contextTag(1) || readCrl(encoded(der)) !== undefined;

/** Lists what stands in an optional part. @returns undefined where it cannot be read */
function listOfPart(elements: Der[], tag: number): Der[] | undefined {
  const part = elements.slice(3).find((candidate) => candidate.tag === tag);
  return part ? childrenOf(part) : [];
}

/** Omits certificates of other kinds, which are [1] to [3] (RFC 5652, 10.2.2). */
function plainCertificates(stored: Der[]): Certificate[] | undefined {
  const certificates: Certificate[] = [];
  for (const item of stored) {
    if (item.tag >= contextTag(1) && item.tag <= contextTag(3)) continue;
    const certificate = item.tag === TAG.sequence ? readCertificate(encoded(item)) : undefined;
    if (!certificate) return undefined;
    certificates.push(certificate);
  }
  return certificates;
}

function readSigner(info: Der) {
  const elements = sequenceOf(info);
  const [version, id, hashPart] = elements ?? [];
  // A signer is named by its issuer in version 1, and by its key in version 3 (RFC 5652, 5.3).
  const expected = id?.tag === TAG.sequence ? 1 : 3;
  if (!elements || !id || !hashPart || versionOf(version) !== expected) return undefined;
  const attributes = elements[3]?.tag === contextTag(0) ? elements[3] : undefined;
  const [algorithm, signature, unsigned, ...behind] = elements.slice(attributes ? 4 : 3);
  const hash = hashOf(hashPart);
  const bytes = octetsOf(signature);
  // Other readers may take such a value for an attribute, or for none.
  if (attributes && !childrenOf(attributes)?.every(isAttribute)) return undefined;
  if (!bytes || (unsigned && unsigned.tag !== contextTag(1)) || behind.length > 0) return undefined;
  const signedAttributes = attributesOf(attributes);
  return {
    hash,
    algorithm: signatureAlgorithmOf(algorithm, hash),
    signature: bytes,
    isSigner: signerIs(id),
    areAlgorithmsProtected: isProtectedBy(
      onlyValue(signedAttributes, OID.algorithmProtection),
      hashPart,
      algorithm,
    ),
    hasAttributes: attributes !== undefined,
    // Signed as a SET OF in DER, stored as [0] (RFC 5652, 5.4).
    signedBytes: attributes && signedBytesOf(attributes),
    attributes: signedAttributes,
    unsigned: attributesOf(unsigned),
  };
}

/** Writes the DER of attributes, whose list may have a length without an end. What is in it must be DER. */
function signedBytesOf(attributes: Der): Buffer | undefined {
  if (!attributes.isIndefinite)
    return Buffer.concat([Buffer.from([TAG.set]), encoded(attributes).subarray(1)]);
  const isDer = childrenOf(attributes)?.every((attribute) => isDistinguished(attribute));
  return isDer ? tagged(TAG.set, contentOf(attributes)) : undefined;
}

function isProtectedBy(value: Der | undefined, hash: Der, algorithm: Der | undefined): boolean {
  if (!value) return true;
  const [digest, signature] = sequenceOf(value) ?? [];
  const isHash = digest && encoded(digest).equals(encoded(hash));
  const isAlgorithm =
    signature?.tag === contextTag(1) && algorithm && contentOf(signature).equals(contentOf(algorithm));
  return isHash === true && isAlgorithm === true;
}

/** The signer is named by issuer and serial number, or by the key. */
function signerIs(id: Der): (certificate: Certificate) => boolean {
  if (id.tag === contextTag(0, false)) return ({ keyId }) => keyId?.equals(contentOf(id)) === true;
  const [issuer, serial] = sequenceOf(id) ?? [];
  if (!issuer || serial?.tag !== TAG.integer) return () => false;
  const name = encoded(issuer);
  return (certificate) => certificate.serial === hexOf(serial) && isSameName(certificate.issuer, name);
}

/** An attribute is exactly a type and a set of values. */
function isAttribute(der: Der): boolean {
  const [type, values, ...more] = sequenceOf(der) ?? [];
  return isShortestOid(type) && setOf(values) !== undefined && more.length === 0;
}

/** Collects the sets of values of each attribute: one that stands twice has two. */
function attributesOf(der: Der | undefined): Map<string, Der[][]> {
  const attributes = new Map<string, Der[][]>();
  for (const attribute of listOf(der)) {
    const [type, values] = sequenceOf(attribute) ?? [];
    const oid = oidOf(type);
    if (oid === undefined) continue;
    const sets = attributes.get(oid);
    if (sets) sets.push(setOf(values) ?? []);
    else attributes.set(oid, [setOf(values) ?? []]);
  }
  return attributes;
}

/** Returns the value of an attribute that must stand once and have one value. */
function onlyValue(attributes: Map<string, Der[][]>, oid: string): Der | undefined {
  const [values, ...more] = attributes.get(oid) ?? [];
  return more.length === 0 && values?.length === 1 ? values[0] : undefined;
}

/**
 * Collects what Acrobat signs along with the rest (ISO 32000-2, 12.8.3.3.2), and what older formats keep beside a signature (RFC 5126, 6.3.4): [0]
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

/** An answer may stand among the lists of a signature (RFC 5940). */
function ocspAmongLists(list: Der): Buffer[] {
  const [format, response] = list.tag === contextTag(1) ? listOf(list) : [];
  return oidOf(format) === OID.ocspResponse && response ? [encoded(response)] : [];
}

export const timestampTokensOf = (cms: Cms): Buffer[] =>
  (cms.unsigned.get(OID.signatureTimestamp) ?? []).flatMap((values) => values.map(encoded));

export const hasSigningTime = (cms: Cms): boolean => cms.attributes.has(OID.signingTime);
export const hasSigningCertificate = (cms: Cms): boolean =>
  cms.attributes.has(OID.signingCertificateV2) || cms.attributes.has(OID.signingCertificate);

export type DigestOfSigned = (hash: HashName) => Buffer;

/** A signature is about the bytes outside of it, or about those that it has inside. */
export type SignedContent = {
  type: string;
  digest: DigestOfSigned;
  /** Returns all of it. Only a signature without attributes is made over this, and not over its digest. */
  data(): Buffer;
};

type CmsQuestion = {
  signed: SignedContent;
  signer: Certificate | undefined;
  /** All certificates of the file may be used, those of the signature among them. */
  others: readonly Certificate[];
  checks: Checks;
  policy: AlgorithmPolicy;
  /** Its algorithms are judged as of this time, at which it existed. */
  time: number;
};

/** `facts` are texts for a sentence. The verifier says what each code makes of a signature. */
export type CmsFault = {
  code:
    | 'algorithm_unknown'
    | 'algorithm_weak'
    | 'attributes_missing'
    | 'attributes_wrong'
    | 'certificate_damaged'
    | 'cms_signers'
    | 'digest_mismatch'
    | 'key_forgeable'
    | 'key_weak'
    | 'signature_wrong'
    | 'signing_certificate_mismatch'
    | 'signing_certificate_missing';
  details?: Record<string, string>;
};

/** Checks the hash and the mathematics against what was signed. */
export function checkCms(cms: Cms, question: CmsQuestion): CmsFault[] {
  const { signed, signer, others, checks, policy, time } = question;
  const { hash, algorithm, signedBytes, attributes, signature } = cms;
  const budget = { remaining: VERIFY_LIMITS.issuersTried };
  if (cms.certificates.some((certificate) => isDamaged(certificate, others, budget, checks)))
    return [{ code: 'certificate_damaged' }];
  if (cms.signers !== 1) return [{ code: 'cms_signers', details: { signers: String(cms.signers) } }];
  if (!hash || !algorithm || !cms.areAlgorithmsProtected) return [{ code: 'algorithm_unknown' }];
  if (!cms.hasAttributes) return checkWithoutAttributes(cms, [algorithm], question);
  const type = oidOf(onlyValue(attributes, OID.contentType));
  const digest = octetsOf(onlyValue(attributes, OID.messageDigest));
  if (!signedBytes || !digest || type !== signed.type || cms.contentType !== signed.type)
    return [{ code: 'attributes_wrong' }];
  const faults: CmsFault[] = [];
  const weak = weakHash(hash, time, policy) ?? weakAlgorithm(algorithm, time, policy);
  if (weak) faults.push({ code: 'algorithm_weak', details: weaknessDetails(weak) });
  if (!signed.digest(hash).equals(digest)) faults.push({ code: 'digest_mismatch' });
  if (!signer) return [...faults, { code: 'signing_certificate_missing' }];
  if (!signer.key) return [...faults, { code: 'algorithm_unknown' }];
  faults.push(...keyFaults(signer.key, question));
  if (!spend(checks, 1) || !isSignedBy(signer.key, algorithm, signedBytes, signature))
    faults.push({ code: 'signature_wrong' });
  if (!namesCertificate(cms, signer)) faults.push({ code: 'signing_certificate_mismatch' });
  return faults;
}

function keyFaults(key: KeyObject, { time, policy }: CmsQuestion): CmsFault[] {
  if (isForgeableKey(key)) return [{ code: 'key_forgeable' }];
  const weak = weakKey(key, time, policy);
  return weak ? [{ code: 'key_weak', details: weaknessDetails(weak) }] : [];
}

/**
 * A signature without attributes is made over the content itself, which only data may be (RFC 5652, 5.3).
 * @param algorithms those of which one made it
 */
function checkWithoutAttributes(
  cms: Cms,
  algorithms: readonly SignatureAlgorithm[],
  question: CmsQuestion,
): CmsFault[] {
  const { signed, signer, checks, policy, time } = question;
  if (signed.type !== OID.data || cms.contentType !== OID.data) return [{ code: 'attributes_wrong' }];
  if (!signer) return [{ code: 'signing_certificate_missing' }];
  const { key } = signer;
  if (!key) return [{ code: 'algorithm_unknown' }];
  const data = signed.data();
  const algorithm = algorithms.find(
    (candidate) =>
      spend(checks, 1 + Math.floor(data.length / BYTES_OF_A_CHECK)) &&
      isSignedBy(key, candidate, data, cms.signature),
  );
  if (!algorithm) return [{ code: 'signature_wrong', details: { isOverContent: 'yes' } }];
  const weak = weakAlgorithm(algorithm, time, policy);
  const faults = keyFaults(key, question);
  return weak ? [{ code: 'algorithm_weak', details: weaknessDetails(weak) }, ...faults] : faults;
}

/** Hashes that `adbe.x509.rsa_sha1` may have in spite of its name (ISO 32000-2, table 260), which it does not state. */
const BARE_HASHES = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

/**
 * Reads a signature of the format `adbe.x509.rsa_sha1`: the number that RSA makes, whose certificates stand beside it.
 * @param certificates the first one is that of the signer
 */
export function readBareRsa(bytes: Buffer, certificates: readonly Certificate[]): Cms | undefined {
  const value = readDer(bytes);
  const signature = value?.tag === TAG.octetString ? octetsOf(value) : undefined;
  const [signer] = certificates;
  if (!value || !signature || !signer) return undefined;
  return {
    contentType: OID.data,
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

export const checkBareRsa = (cms: Cms, question: CmsQuestion): CmsFault[] =>
  checkWithoutAttributes(cms, BARE_HASHES.map(rsaWith), question);

/**
 * Certificates beside a signature are not signed with it. One that its issuer did not sign as it is, or a copy of which says
 * something else, was changed afterwards. So is one for which more issuers have to be tried than there are honestly.
 */
function isDamaged(
  certificate: Certificate,
  others: readonly Certificate[],
  budget: { remaining: number },
  checks: Checks,
): boolean {
  const issuers = others.filter(({ subject }) => subject.equals(certificate.issuer));
  if (issuers.some((issuer) => budget.remaining-- > 0 && isIssuedBy(certificate, issuer, checks)))
    return false;
  const isCopy = ({ serial, keyBits, sha256 }: Certificate) =>
    sha256 !== certificate.sha256 && serial === certificate.serial && keyBits.equals(certificate.keyBits);
  return issuers.length > 0 || others.some(isCopy);
}

/** Finds the certificate that made the signature. Where a key id names several for one key, the signature says which of them it is. */
export function findSigner(cms: Cms, certificates: readonly Certificate[]): Certificate | undefined {
  const candidates = certificates.filter(cms.isSigner);
  return candidates.find((certificate) => namesCertificate(cms, certificate)) ?? candidates[0];
}

/** The signature names the certificate it was made with, so that another one for the same key cannot take its place. */
function namesCertificate({ attributes }: Cms, signer: Certificate): boolean {
  for (const [oid, isSecond] of [
    [OID.signingCertificateV2, true],
    [OID.signingCertificate, false],
  ] as const) {
    if (!attributes.has(oid)) continue;
    const [first] = sequenceOf(sequenceOf(onlyValue(attributes, oid))?.[0]) ?? [];
    const elements = sequenceOf(first) ?? [];
    const hash =
      isSecond && elements[0]?.tag === TAG.sequence ? hashOf(elements[0]) : isSecond ? 'sha256' : 'sha1';
    const digest = octetsOf(elements.find(({ tag }) => tag === TAG.octetString));
    if (!hash || !digest?.equals(digestOf(hash, signer.der))) return false;
    const issuerSerial = elements.slice(1).findLast(({ tag }) => tag === TAG.sequence);
    if (issuerSerial && !isOfIssuer(issuerSerial, signer)) return false;
  }
  return true;
}

/** Compares an IssuerSerial with the certificate (RFC 5035, 5.4.1.1). */
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
