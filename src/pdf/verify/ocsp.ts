// Reads answers of OCSP (RFC 6960): what each says, and who is said to have signed it. It must never decide whether that is so.

import { VERIFY_LIMITS } from '../limits.ts';
import { digestOf, type HashName, hashOf, signatureAlgorithmOf } from '../sign/algorithms.ts';
import { type Certificate, readCertificate } from '../sign/certificate.ts';
import {
  bitsOf,
  contextTag,
  type Der,
  encoded,
  explicit,
  hexOf,
  listOf,
  numberOf,
  octetsOf,
  readDer,
  sequenceOf,
  TAG,
  timeOf,
} from '../sign/read-der.ts';
import { type Checks, exhaust, type SignedStructure } from '../sign/signed-by.ts';
import { ON_HOLD } from './crl.ts';
import { extensionsOf, readItems } from './extensions.ts';

export type Ocsp = SignedStructure & {
  /** By which its signer is found: its name, or the hash of its key. */
  responder: ResponderId;
  /** Zero where it cannot be read. */
  producedAt: number;
  /** Whether it has no critical extension that is not known (RFC 6960, 4.4). */
  isUnderstood: boolean;
  /** By the serial numbers of certificates. Read when they are first asked for, as the entries of a list are. */
  answers(checks: Checks): ReadonlyMap<string, readonly Answer[]>;
  certificates: Certificate[];
};

export type ResponderId = { name: Buffer } | { keyHash: Buffer };

export type Answer = {
  isAbout: (issuer: Certificate) => boolean;
  serial: string;
  status: 'good' | 'revoked' | 'unknown';
  revokedAt: number | undefined;
  /** It was revoked for a while (certificateHold). */
  isOnHold: boolean;
  thisUpdate: number;
  nextUpdate: number | undefined;
  isUnderstood: boolean;
};

/** Those of RFC 6960, 4.4: none changes the status. */
const OCSP_EXTENSIONS = '1.3.6.1.5.5.7.48.1.';

const areOcspExtensionsKnown = (parts: readonly Der[]): boolean =>
  extensionsOf(parts.find(({ tag }) => tag === contextTag(1))).areKnown((oid) =>
    oid.startsWith(OCSP_EXTENSIONS),
  );

/** With the envelope that a server sends, or without. */
export function readOcsp(bytes: Buffer): Ocsp | undefined {
  const parts = sequenceOf(readDer(bytes));
  if (parts?.[0]?.tag === TAG.sequence) return readBasic(parts);
  const [, octets] = sequenceOf(explicit(parts?.[1])) ?? [];
  const basic = numberOf(parts?.[0]) === 0 ? octetsOf(octets) : undefined;
  return basic && readBasic(sequenceOf(readDer(basic)));
}

function readBasic(parts: Der[] | undefined): Ocsp | undefined {
  const [signed, algorithm, signature, certificates] = parts ?? [];
  const data = sequenceOf(signed);
  const bits = bitsOf(signature);
  if (!signed || !data || !bits) return undefined;
  const [id, produced, answers, ...rest] = data[0]?.tag === contextTag(0) ? data.slice(1) : data;
  const responder = id && responderOf(id);
  const producedAt = timeOf(produced);
  if (!responder) return undefined;
  let read: Map<string, Answer[]> | undefined;
  return {
    responder,
    producedAt: producedAt ?? 0,
    isUnderstood: producedAt !== undefined && areOcspExtensionsKnown(rest),
    answers: (checks) => {
      read ??= readAnswers(answers, producedAt !== undefined, checks);
      return read;
    },
    certificates: listOf(explicit(certificates)).flatMap((der) => readCertificate(encoded(der)) ?? []),
    signed: encoded(signed),
    algorithm: signatureAlgorithmOf(algorithm),
    signature: bits,
  };
}

/** By name [1], or by the hash of its key [2]. */
function responderOf(id: Der): ResponderId | undefined {
  const value = explicit(id);
  if (!value) return undefined;
  if (id.tag === contextTag(1)) return { name: encoded(value) };
  const keyHash = octetsOf(value);
  return id.tag === contextTag(2) && keyHash ? { keyHash } : undefined;
}

function readAnswers(list: Der | undefined, isTimed: boolean, checks: Checks): Map<string, Answer[]> {
  const { parts, areAll } = readItems(list, checks);
  const bySerial = new Map<string, Answer[]>();
  // Of more than any server says, what was revoked.
  const isUsual = isTimed && areAll && parts.length <= VERIFY_LIMITS.answers;
  const said = isUsual ? parts : parts.filter(isRevocation);
  if (said.length > VERIFY_LIMITS.revocations) exhaust(checks);
  for (const answer of said.slice(0, VERIFY_LIMITS.revocations).flatMap(answerOf)) {
    const known = bySerial.get(answer.serial);
    if (known) known.push(answer);
    else bySerial.set(answer.serial, [answer]);
  }
  return bySerial;
}

/** Whether the status is `revoked`, also in the form of a value without parts. */
const isRevocation = (answer: Der): boolean => {
  const status = sequenceOf(answer)?.[1];
  return status?.tag === contextTag(1) || status?.tag === contextTag(1, false);
};

function answerOf(der: Der): Answer[] {
  const [id, status, begin, ...rest] = sequenceOf(der) ?? [];
  const [algorithm, nameHash, keyHash, serial] = sequenceOf(id) ?? [];
  const hash = hashOf(algorithm);
  const thisUpdate = timeOf(begin);
  const [name, key] = [octetsOf(nameHash), octetsOf(keyHash)];
  if (!status || serial?.tag !== TAG.integer) return [];
  const isRevoked = isRevocation(der);
  const isWhole = hash !== undefined && thisUpdate !== undefined && name !== undefined && key !== undefined;
  if (!isWhole && !isRevoked) return [];
  return [
    {
      serial: hexOf(serial),
      // What revokes by a hash or at a time that cannot be read is about a certificate of the issuer that signed it.
      isAbout: (issuer) =>
        !isWhole ||
        (hashOfPart(issuer, 'subject', hash).equals(name) && hashOfPart(issuer, 'keyBits', hash).equals(key)),
      status: isRevoked ? 'revoked' : status.tag === contextTag(0, false) ? 'good' : 'unknown',
      revokedAt: isRevoked ? timeOf(listOf(status)[0]) : undefined,
      isOnHold: isRevoked && numberOf(explicit(listOf(status)[1])) === ON_HOLD,
      thisUpdate: isWhole ? thisUpdate : 0,
      nextUpdate: isWhole ? timeOf(explicit(rest.find(({ tag }) => tag === contextTag(0)))) : undefined,
      isUnderstood: isWhole && areOcspExtensionsKnown(rest),
    },
  ];
}

const hashes = new WeakMap<Certificate, Map<string, Buffer>>();

/** Many answers may ask about one issuer. */
export function hashOfPart(issuer: Certificate, part: 'subject' | 'keyBits', hash: HashName): Buffer {
  const known = hashes.get(issuer) ?? new Map<string, Buffer>();
  hashes.set(issuer, known);
  const digest = known.get(`${part} ${hash}`) ?? digestOf(hash, issuer[part]);
  known.set(`${part} ${hash}`, digest);
  return digest;
}
