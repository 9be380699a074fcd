// Verifies timestamps (RFC 3161): which bytes existed at which time, by whose clock. It must never accept a token as proof
// before its authority is found to be trusted.
import { VERIFY_LIMITS } from '../../limits.ts';
import { digestOf, type HashName, hashOf, isWeakHash } from './algorithms.ts';
import { type Certificate, listOf } from './certificate.ts';
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
import { context, type Der, numberOf, octetsOf, readDer, sequence, TAG, timeOf } from './der.ts';
import type { Fault } from './findings.ts';

/** What a token says, before anything of it is believed. */
export type Token = { cms: Cms; hash: HashName; imprint: Buffer; time: number };

export function readToken(bytes: Buffer): Token | undefined {
  const cms = readCms(bytes);
  const whole = cms?.content && readDer(cms.content);
  const info = sequence(whole);
  if (!cms || !info || whole?.end !== cms.content?.length) return undefined;
  const [version, , imprint, , begin, ...rest] = info;
  if (numberOf(version) !== 1 || begin?.tag !== TAG.generalizedTime || hasCriticalExtension(rest))
    return undefined;
  const [algorithm, digest] = sequence(imprint) ?? [];
  const [hash, bytesOfDigest, time] = [hashOf(algorithm), octetsOf(digest), timeOf(begin)];
  const inaccuracy = inaccuracyOf(rest);
  if (!hash || !bytesOfDigest || time === undefined || inaccuracy === undefined) return undefined;
  return { cms, hash, imprint: bytesOfDigest, time: time + inaccuracy };
}

/** None is known that would have to be understood. */
const hasCriticalExtension = (parts: Der[]): boolean =>
  listOf(parts.find(({ tag }) => tag === context(1))).some((extension) =>
    sequence(extension)?.some(({ tag }) => tag === TAG.boolean),
  );

/** A clock that is off by more says so, and proves a later time than it tells. */
const USUAL_SECONDS = 60;

/** In milliseconds (RFC 3161, 2.4.2); nothing for what is usual. */
function inaccuracyOf(parts: Der[]): number | undefined {
  const [seconds] = sequence(parts.find(({ tag }) => tag === TAG.sequence)) ?? [];
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
  faults.push(
    ...checkCms(
      cms,
      (name) => digestOf(name, cms.content ?? Buffer.alloc(0)),
      authority,
      CONTENT.timestamp,
      others,
    ),
  );
  // Which certificate made it is signed along (RFC 3161, 2.4.2).
  if (!hasSigningCertificate(cms)) faults.push({ code: 'attributes_missing' });
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
