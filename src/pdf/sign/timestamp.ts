// Issues timestamps by RFC 3161 with a key that is here, asks for them elsewhere, and reads what a token says. An answer from elsewhere is hostile until it
// has been checked. Whether an authority is trusted is decided by the verifier.

import { type AlgorithmPolicy, ENDLESS_POLICY } from './algorithm-policy.ts';
import { digestOf, type HashName, hashOf } from './algorithms.ts';
import { type Certificate, mayTimestamp } from './certificate.ts';
import { type Cms, type CmsFault, checkCms, findSigner, hasSigningCertificate, readCms } from './cms.ts';
import {
  contentOf,
  contextTag,
  type Der,
  derInteger,
  encoded,
  generalizedTime,
  listOf,
  numberOf,
  OID,
  octets,
  octetsOf,
  oid,
  oidOf,
  readDer,
  sequence,
  sequenceOf,
  TAG,
  TRUE,
  timeOf,
} from './der.ts';
import { type Checks, checksOfFile } from './signed-by.ts';
import { type DigestName, digestAlgorithm } from './signing-key.ts';
import { type CmsSigner, signCms } from './write-cms.ts';

export type TimestampInput = {
  digest: DigestName;
  imprint: Uint8Array;
  serial: Uint8Array;
  policy: string;
  /** The real clock says the time: `2026-11-21T18:00:00.000Z`. */
  at: string;
  accuracySeconds: number;
  nonce?: Uint8Array;
};

/** @returns the token in DER */
export function issueTimestamp(signer: CmsSigner, input: TimestampInput): Promise<Uint8Array> {
  const info = sequence(
    derInteger(1),
    oid(input.policy),
    sequence(digestAlgorithm(input.digest), octets(input.imprint)),
    derInteger(input.serial),
    generalizedTime(input.at),
    sequence(derInteger(input.accuracySeconds)),
    ...(input.nonce === undefined ? [] : [derInteger(input.nonce)]),
  );
  const content = { type: OID.timestampInfo, bytes: info };
  return signCms(signer, { digest: digestOf(signer.key.digest, info), content });
}

// --- Asking elsewhere ---

export type TimestampRequest = {
  digest: DigestName;
  imprint: Uint8Array;
  nonce: Uint8Array;
  policy?: string;
};

/** Writes a TimeStampReq. It asks for the certificate as well: without that the token cannot be verified later. */
export const writeTimestampRequest = ({ digest, imprint, nonce, policy }: TimestampRequest): Uint8Array =>
  sequence(
    derInteger(1),
    sequence(digestAlgorithm(digest), octets(imprint)),
    ...(policy === undefined ? [] : [oid(policy)]),
    derInteger(nonce),
    TRUE,
  );

type TimestampResponse =
  /** `time` counts milliseconds since 1970. */
  | { ok: true; token: Uint8Array; time: number }
  /** `why` completes a sentence. */
  | { ok: false; why: string };

const no = (why: string): { ok: false; why: string } => ({ ok: false, why });

/** Checks everything that RFC 3161 §2.4.2 requires of a response, except whether its authority is trusted. */
export function readTimestampResponse(der: Uint8Array, request: TimestampRequest): TimestampResponse {
  const [status, token] = sequenceOf(readDer(Buffer.from(der))) ?? [];
  const [value, texts] = sequenceOf(status) ?? [];
  const code = numberOf(value);
  if (code === undefined) return no('its response is not a valid RFC 3161 response');
  // 0 is granted, 1 granted with changes.
  if (code !== 0 && code !== 1) return no(`it rejected the request (status ${code}${textIn(texts)})`);
  if (!token) return no('its response contains no timestamp');
  return checkResponse(encoded(token), request);
}

/** The text of an authority may be printed on a terminal, so only letters, digits and some punctuation are kept. */
function textIn(texts: Der | undefined): string {
  const [text] = sequenceOf(texts) ?? [];
  const plain =
    text &&
    contentOf(text)
      .toString('utf8')
      .replace(/[^\p{L}\p{N} .,:;()/-]/gu, '')
      .slice(0, 200);
  return plain ? `: ${plain}` : '';
}

function checkResponse(der: Buffer, request: TimestampRequest): TimestampResponse {
  const cms = readCms(der);
  if (!cms) return no('its timestamp cannot be read');
  if (cms.contentType !== OID.timestampInfo) return no('its response does not contain a valid timestamp');
  const token = readToken(der);
  if (!token) return no('its timestamp cannot be read');
  const { hash, imprint, nonce, policy, time } = token;
  if (hash !== request.digest || !imprint.equals(request.imprint))
    return no('its timestamp is for other data');
  if (!nonce?.equals(derInteger(request.nonce))) return no('its timestamp answers another request');
  if (request.policy !== undefined && policy !== request.policy)
    return no(`its timestamp has the policy ${policy} instead of ${request.policy}`);
  const certificate = findSigner(cms, cms.certificates);
  if (!certificate) return no('its timestamp does not contain the signing certificate');
  if (!mayTimestamp(certificate)) return no('its certificate is not intended for timestamps');
  if (time < certificate.notBefore || time > certificate.notAfter)
    return no('its certificate was not valid at the time of the timestamp');
  if (
    checkTokenSignature(token, certificate, cms.certificates, {
      checks: checksOfFile(),
      policy: ENDLESS_POLICY,
      time,
    }).length > 0
  )
    return no('the signature of its timestamp is invalid');
  return { ok: true, token: der, time };
}

/** Finds the certificate of the authority in a token, and those that come with it. */
export function signerOfToken(
  token: Uint8Array,
): { signer: Certificate; certificates: readonly Certificate[] } | undefined {
  const cms = readCms(Buffer.from(token));
  const signer = cms && findSigner(cms, cms.certificates);
  return signer && { signer, certificates: cms.certificates };
}

// ── what a token says ───────────────────────────────────────────────────────────────────────────────────────────

/** Nothing of a token is believed before its signature and its authority are checked. */
export type Token = {
  cms: Cms;
  hash: HashName;
  imprint: Buffer;
  /** Where the stated accuracy is unusual, this is the latest time that it allows, in milliseconds since 1970. */
  time: number;
  policy: string;
  /** The nonce is an integer in DER. */
  nonce: Buffer | undefined;
};

export function readToken(bytes: Buffer): Token | undefined {
  const cms = readCms(bytes);
  const whole = cms?.content && readDer(cms.content);
  const info = sequenceOf(whole);
  if (!cms || !info || whole?.end !== cms.content?.length) return undefined;
  const [version, policyId, imprint, , begin, ...rest] = info;
  if (numberOf(version) !== 1 || begin?.tag !== TAG.generalizedTime || hasCriticalExtension(rest))
    return undefined;
  const [algorithm, digest] = sequenceOf(imprint) ?? [];
  const [hash, bytesOfDigest, time] = [hashOf(algorithm), octetsOf(digest), timeOf(begin)];
  const inaccuracy = inaccuracyOf(rest);
  const policy = oidOf(policyId);
  if (!hash || !bytesOfDigest || policy === undefined || time === undefined || inaccuracy === undefined)
    return undefined;
  const number = rest.find(({ tag }) => tag === TAG.integer);
  const nonce = number && encoded(number);
  return { cms, hash, imprint: bytesOfDigest, time: time + inaccuracy, policy, nonce };
}

/** No critical extension of a timestamp is known here. */
const hasCriticalExtension = (elements: Der[]): boolean =>
  listOf(elements.find(({ tag }) => tag === contextTag(1))).some((extension) =>
    // The flag says FALSE where it stands in full, which DER leaves out.
    sequenceOf(extension)?.some((part) => part.tag === TAG.boolean && contentOf(part)[0] !== 0),
  );

/** A clock that is off by more says so, and proves a later time than it tells. */
const USUAL_SECONDS = 60;

/** These may follow the time, in this order: the accuracy, `ordering`, the nonce, the authority's name, extensions (RFC 3161, 2.4.2). */
const BEHIND_TIME: readonly number[] = [TAG.sequence, TAG.boolean, TAG.integer, contextTag(0), contextTag(1)];

/** An accuracy has seconds, milliseconds and microseconds. */
const PARTS_OF_ACCURACY: readonly number[] = [TAG.integer, contextTag(0, false), contextTag(1, false)];

/** Tells whether the tags of the parts are among these, in the same order and each once. */
const areInOrder = (elements: Der[], tags: readonly number[]): boolean =>
  elements.every(({ tag }, index) => {
    const before = elements[index - 1];
    return tags.includes(tag) && (!before || tags.indexOf(before.tag) < tags.indexOf(tag));
  });

/** Returns milliseconds: 0 for an accuracy that is usual, and undefined for one that cannot be read. */
function inaccuracyOf(elements: Der[]): number | undefined {
  if (!areInOrder(elements, BEHIND_TIME)) return undefined;
  const accuracy = elements.find(({ tag }) => tag === TAG.sequence);
  if (!accuracy) return 0;
  const stated = sequenceOf(accuracy);
  if (!stated || !areInOrder(stated, PARTS_OF_ACCURACY)) return undefined;
  const [seconds, ...fractions] = stated[0]?.tag === TAG.integer ? stated : [undefined, ...stated];
  const count = seconds ? numberOf(seconds) : 0;
  if (count === undefined || count < 0 || !fractions.every((part) => part && isFraction(part)))
    return undefined;
  return count <= USUAL_SECONDS ? 0 : count * 1000;
}

/** A fraction is a number from 0 to 999. */
function isFraction(part: Der): boolean {
  const bytes = contentOf(part);
  if (bytes.length === 0 || bytes.length > 2) return false;
  const value = bytes.readIntBE(0, bytes.length);
  return value >= 0 && value < 1000;
}

/** Checks that the authority signed the token as it is. */
export function checkTokenSignature(
  { cms }: Token,
  authority: Certificate | undefined,
  others: readonly Certificate[],
  { checks, policy, time }: { checks: Checks; policy: AlgorithmPolicy; time: number },
): CmsFault[] {
  const content = cms.content ?? Buffer.alloc(0);
  const signed = {
    type: OID.timestampInfo,
    digest: (name: HashName) => digestOf(name, content),
    data: () => content,
  };
  const faults = checkCms(cms, { signed, signer: authority, others, checks, policy, time });
  // Which certificate made it is signed along (RFC 3161, 2.4.2).
  return hasSigningCertificate(cms) ? faults : [...faults, { code: 'attributes_missing' }];
}
