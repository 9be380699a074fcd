// Timestamps by RFC 3161: issued by a key that is here, or asked for elsewhere. An answer from elsewhere is hostile until it
// has been checked.
import { constants, createHash, type KeyObject, verify } from 'node:crypto';
import {
  type CertificateFacts,
  publicKeyOf,
  readCertificate,
  SIGNATURE_DIGESTS,
} from './certificate-facts.ts';
import { type CmsSigner, signCms } from './cms.ts';
import {
  generalizedTime,
  integer,
  type Node,
  octets,
  oid,
  partsOf,
  readNode,
  readOid,
  readTime,
  sequence,
  TRUE,
} from './der.ts';
import { OID } from './object-identifiers.ts';
import { type DigestName, digestAlgorithm, digestOf } from './signing-key.ts';

export type TimestampFacts = {
  digest: DigestName;
  imprint: Uint8Array;
  serial: Uint8Array;
  policy: string;
  /** From the real clock: `2026-11-21T18:00:00.000Z`. */
  at: string;
  /** How far the clock may be off. */
  accuracySeconds: number;
  nonce?: Uint8Array;
};

/** @returns the token in DER */
export function issueTimestamp(signer: CmsSigner, facts: TimestampFacts): Promise<Uint8Array> {
  const info = sequence(
    integer(1),
    oid(facts.policy),
    sequence(digestAlgorithm(facts.digest), octets(facts.imprint)),
    integer(facts.serial),
    generalizedTime(facts.at),
    sequence(integer(facts.accuracySeconds)),
    ...(facts.nonce === undefined ? [] : [integer(facts.nonce)]),
  );
  const content = { type: OID.timestampInfo, bytes: info };
  return signCms(signer, { digest: digestOf(signer.key.digest, info), content });
}

// --- Asking elsewhere ---

export type TimestampQuestion = {
  digest: DigestName;
  imprint: Uint8Array;
  nonce: Uint8Array;
  policy?: string;
};

/** TimeStampReq. It asks for the certificate as well: without that the token cannot be verified later. */
export const writeQuestion = ({ digest, imprint, nonce, policy }: TimestampQuestion): Uint8Array =>
  sequence(
    integer(1),
    sequence(digestAlgorithm(digest), octets(imprint)),
    ...(policy === undefined ? [] : [oid(policy)]),
    integer(nonce),
    TRUE,
  );

export type TimestampAnswer =
  | { ok: true; token: Uint8Array; at: string; certificates: Uint8Array[] }
  /** Why the answer is none, as the end of a sentence. */
  | { ok: false; why: string };

const no = (why: string): { ok: false; why: string } => ({ ok: false, why });

/** Looks at everything an answer has to hold (RFC 3161 §2.4.2) but whether its authority is trusted. */
export function readAnswer(der: Uint8Array, question: TimestampQuestion): TimestampAnswer {
  const [status, token] = partsOf(readNode(der));
  const [value, texts] = partsOf(status);
  if (value?.tag !== 0x02) return no('its response is not a valid RFC 3161 response');
  const code = value.content.at(-1) ?? 2;
  // 0 is granted, 1 granted with changes.
  if (code > 1) return no(`it rejected the request (status ${code}${textIn(texts)})`);
  if (!token) return no('its response contains no timestamp');
  return readToken(token.whole, question);
}

/** What an authority says may end up on a terminal: letters, digits and a few signs of it. */
function textIn(texts: Node | undefined): string {
  const said = texts?.tag === 0x30 ? partsOf(texts)[0]?.content.toString('utf8') : undefined;
  const plain = said?.replace(/[^\p{L}\p{N} .,:;()/-]/gu, '').slice(0, 200);
  return plain ? `: ${plain}` : '';
}

function readToken(der: Buffer, question: TimestampQuestion): TimestampAnswer {
  const signed = readSignedData(der);
  if (!signed) return no('its timestamp cannot be read');
  if (signed.contentType !== OID.timestampInfo) return no('its response does not contain a valid timestamp');
  const info = readInfo(signed.content);
  if (!info) return no('its timestamp cannot be read');
  if (info.digestId !== OID[question.digest] || !info.imprint.equals(question.imprint))
    return no('its timestamp is for other data');
  if (!info.nonce?.equals(integer(question.nonce))) return no('its timestamp answers another request');
  if (question.policy !== undefined && info.policy !== question.policy)
    return no(`its timestamp has the policy ${info.policy} instead of ${question.policy}`);
  const certificate = certificateIn(signed);
  if (!certificate) return no('its timestamp does not contain the signing certificate');
  const [use, ...others] = certificate.extendedUses ?? [];
  if (use !== OID.timeStamping || others.length > 0 || !certificate.isExtendedUseCritical)
    return no('its certificate is not intended for timestamps');
  if (info.at < certificate.validFrom || info.at > certificate.validTo)
    return no('its certificate was not valid at the time of the timestamp');
  if (!isTokenSound(signed, certificate)) return no('the signature of its timestamp is invalid');
  return { ok: true, token: der, at: info.at, certificates: signed.certificates.map((one) => one.der) };
}

type Info = {
  policy: string;
  digestId: string;
  imprint: Buffer;
  at: string;
  nonce: Buffer | undefined;
};

function readInfo(content: Buffer): Info | undefined {
  const [, policyNode, imprintNode, , timeNode, ...rest] = partsOf(readNode(content));
  const [algorithm, imprint] = partsOf(imprintNode);
  const policy = readOid(policyNode);
  const digestId = readOid(partsOf(algorithm)[0]);
  const at = readTime(timeNode);
  if (!policy || !digestId || !imprint || !at) return undefined;
  return {
    policy,
    digestId,
    imprint: imprint.content,
    at,
    nonce: rest.find(({ tag }) => tag === 0x02)?.whole,
  };
}

/** The time that a token states, as an instant in ISO 8601. */
export function timeOfToken(token: Uint8Array): string | undefined {
  const signed = readSignedData(token);
  return signed && readInfo(signed.content)?.at;
}

/** Who signed a token, and what certificates it brings along. */
export function signerOfToken(
  token: Uint8Array,
): { signer: CertificateFacts; certificates: readonly CertificateFacts[] } | undefined {
  const signed = readSignedData(token);
  const signer = signed && certificateIn(signed);
  return signer && { signer, certificates: signed.certificates };
}

const certificateIn = ({ certificates, ...signed }: SignedData): CertificateFacts | undefined =>
  certificates.find(({ issuer, serial }) => issuer.equals(signed.issuer) && serial.equals(signed.serial));

// --- The signature of a token ---

type SignedData = {
  contentType: string;
  content: Buffer;
  certificates: CertificateFacts[];
  issuer: Buffer;
  serial: Buffer;
  digestId: string;
  attributes: Node;
  algorithm: Node;
  signature: Buffer;
};

function readSignedData(der: Uint8Array): SignedData | undefined {
  const [type, outer] = partsOf(readNode(der));
  if (readOid(type) !== OID.signedData) return undefined;
  const parts = partsOf(partsOf(outer)[0]);
  const [, , encapsulated] = parts;
  const [contentType, content] = partsOf(encapsulated);
  const bag = parts.find(({ tag }) => tag === 0xa0);
  const infos = partsOf(parts.at(-1));
  const [, identifier, digest, attributes, algorithm, signature] = partsOf(infos[0]);
  const [issuer, serial] = partsOf(identifier);
  const bytes = partsOf(content)[0]?.content;
  if (
    infos.length !== 1 ||
    attributes?.tag !== 0xa0 ||
    !issuer ||
    !serial ||
    !bytes ||
    !signature ||
    !algorithm
  )
    return undefined;
  return {
    contentType: readOid(contentType) ?? '',
    content: bytes,
    certificates: partsOf(bag).flatMap(({ whole }) => readCertificate(whole) ?? []),
    issuer: issuer.whole,
    serial: serial.whole,
    digestId: readOid(partsOf(digest)[0]) ?? '',
    attributes,
    algorithm,
    signature: signature.content,
  };
}

const attributeIn = (attributes: Node, type: string): Node | undefined =>
  partsOf(attributes)
    .map(partsOf)
    .filter(([id]) => readOid(id) === type)
    .map(([, values]) => partsOf(values)[0])[0];

function isTokenSound(signed: SignedData, certificate: CertificateFacts): boolean {
  const digest = digestNamed(signed.digestId);
  const key = publicKeyOf(certificate);
  if (!digest || !key) return false;
  const said = attributeIn(signed.attributes, OID.messageDigest)?.content;
  if (!said?.equals(digestOf(digest, signed.content))) return false;
  if (readOid(attributeIn(signed.attributes, OID.contentType)) !== signed.contentType) return false;
  if (!namesCertificate(signed.attributes, certificate)) return false;
  const data = Buffer.from(signed.attributes.whole);
  data[0] = SET;
  return isSignature(signed, digest, data, key);
}

const SET = 0x31;

const digestNamed = (id: string): DigestName | undefined =>
  (['sha256', 'sha384', 'sha512'] as const).find((name) => OID[name] === id);

/** RFC 5816: the signed attributes name the certificate by its digest. Older authorities do so with SHA-1. */
function namesCertificate(attributes: Node, { der }: CertificateFacts): boolean {
  const second = attributeIn(attributes, OID.signingCertificateV2);
  const named = second ?? attributeIn(attributes, OID.signingCertificate);
  const [first, other] = partsOf(partsOf(partsOf(named)[0])[0]);
  if (!second) return first?.content.equals(sha1(der)) ?? false;
  if (first?.tag === 0x04) return first.content.equals(digestOf('sha256', der));
  const digest = digestNamed(readOid(partsOf(first)[0]) ?? '');
  return digest !== undefined && (other?.content.equals(digestOf(digest, der)) ?? false);
}

function isSignature(
  { algorithm, signature }: SignedData,
  digest: DigestName,
  data: Buffer,
  key: KeyObject,
): boolean {
  const name = readOid(partsOf(algorithm)[0]) ?? '';
  // These two are named without the digest, which is that of the content.
  const isWithout = name === OID.rsa || name === OID.rsaPss;
  const named = isWithout ? digest : SIGNATURE_DIGESTS.get(name);
  if (named === undefined) return false;
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  try {
    return verify(named, data, name === OID.rsaPss ? pss : key, signature);
  } catch {
    return false;
  }
}

const sha1 = (bytes: Uint8Array): Buffer => createHash('sha1').update(bytes).digest();
