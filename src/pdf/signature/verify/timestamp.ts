// Verifies timestamps (RFC 3161): which bytes existed at which time, by whose clock. It must never accept a token as proof
// before its authority is found to be trusted.
import { VERIFY_LIMITS } from '../../limits.ts';
import { digestOf, type HashName, hashOf, isWeakHash } from '../algorithms.ts';
import { type Certificate, listOf } from '../certificate.ts';
import {
  contextTag,
  type Der,
  encoded,
  numberOf,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  TAG,
  timeOf,
} from '../read-der.ts';
import { type Chain, type ChainQuestion, chainOf } from './chain.ts';
import {
  type Cms,
  CONTENT,
  checkCms,
  type DigestOfSigned,
  findSigner,
  hasSigningCertificate,
  readCms,
} from './cms.ts';
import type { Fault } from './findings.ts';

/** What a token says, before anything of it is believed. */
export type Token = {
  cms: Cms;
  hash: HashName;
  imprint: Buffer;
  /** Milliseconds since 1970: the latest time that the stated accuracy allows, where that is unusual. */
  time: number;
  policy: string;
  /** An integer in DER; undefined where there is none. */
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
  const nonce = rest.find(({ tag }) => tag === TAG.integer);
  return {
    cms,
    hash,
    imprint: bytesOfDigest,
    time: time + inaccuracy,
    policy,
    nonce: nonce && encoded(nonce),
  };
}

/** None is known that would have to be understood. */
const hasCriticalExtension = (parts: Der[]): boolean =>
  listOf(parts.find(({ tag }) => tag === contextTag(1))).some((extension) =>
    sequenceOf(extension)?.some(({ tag }) => tag === TAG.boolean),
  );

/** A clock that is off by more says so, and proves a later time than it tells. */
const USUAL_SECONDS = 60;

/** In milliseconds (RFC 3161, 2.4.2); nothing for what is usual. */
function inaccuracyOf(parts: Der[]): number | undefined {
  const [seconds] = sequenceOf(parts.find(({ tag }) => tag === TAG.sequence)) ?? [];
  if (seconds?.tag !== TAG.integer) return 0;
  const count = numberOf(seconds);
  if (count === undefined || count < 0) return undefined;
  return count <= USUAL_SECONDS ? 0 : count * 1000;
}

export type CheckedToken = {
  time: number;
  /** The certificate of the authority. */
  authority: Certificate | undefined;
  chain: Chain | undefined;
  faults: Fault[];
};

/** Whether the authority signed the token as it is. Whether it is trusted is asked elsewhere. */
export function checkTokenSignature(
  { cms }: Token,
  authority: Certificate | undefined,
  others: readonly Certificate[],
): Fault[] {
  const digestOfContent = (name: HashName) => digestOf(name, cms.content ?? Buffer.alloc(0));
  const faults = checkCms(cms, digestOfContent, authority, CONTENT.timestamp, others);
  // Which certificate made it is signed along (RFC 3161, 2.4.2).
  return hasSigningCertificate(cms) ? faults : [...faults, { code: 'attributes_missing' }];
}

/** Whether the token is about `signed`, rightly signed, and by an authority that is trusted at `question.time`. */
export function checkToken(
  token: Token,
  signed: DigestOfSigned,
  question: Omit<ChainQuestion, 'certificate' | 'purpose'>,
): CheckedToken {
  const { cms, hash, imprint, time } = token;
  const others = [...cms.certificates, ...question.others];
  const authority = findSigner(cms, others);
  const faults: Fault[] = [];
  if (isWeakHash(hash)) faults.push({ code: 'algorithm_weak', facts: { algorithm: 'SHA-1' } });
  if (!signed(hash).equals(imprint)) faults.push({ code: 'timestamp_mismatch' });
  faults.push(...checkTokenSignature(token, authority, others));
  // It was made before the one that proves that it existed.
  const newest = Math.min(question.latest, question.time + VERIFY_LIMITS.clockDifferenceMs);
  if (time > newest) faults.push({ code: 'timestamp_future', facts: { at: String(time) } });
  if (authority && time < authority.notBefore)
    faults.push({
      code: 'certificate_not_yet_valid',
      facts: { name: authority.name, at: String(authority.notBefore) },
    });
  const chain = authority && chainOf({ ...question, certificate: authority, others, purpose: 'timestamp' });
  return { time, authority, chain, faults: [...faults, ...(chain?.faults ?? [])] };
}
