// Verifies timestamps (RFC 3161): which bytes existed at which time, by whose clock. It must never accept a token as proof
// before its authority is found to be trusted.

import { VERIFY_LIMITS } from '../limits.ts';
import { type AlgorithmPolicy, weakHash } from '../sign/algorithm-policy.ts';
import { digestOf, type HashName, hashOf } from '../sign/algorithms.ts';
import type { Certificate } from '../sign/certificate.ts';
import {
  contentOf,
  contextTag,
  type Der,
  encoded,
  listOf,
  numberOf,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  TAG,
  timeOf,
} from '../sign/read-der.ts';
import type { Checks } from '../sign/signed-by.ts';
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
import { type Fault, weaknessFacts } from './findings.ts';

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
    // The flag says FALSE where it stands in full, which DER leaves out.
    sequenceOf(extension)?.some((part) => part.tag === TAG.boolean && contentOf(part)[0] !== 0),
  );

/** A clock that is off by more says so, and proves a later time than it tells. */
const USUAL_SECONDS = 60;

/** What may follow the time, in this order: the accuracy, `ordering`, the nonce, the authority's name, extensions (RFC 3161, 2.4.2). */
const BEHIND_TIME: readonly number[] = [TAG.sequence, TAG.boolean, TAG.integer, contextTag(0), contextTag(1)];

/** Seconds, milliseconds and microseconds. */
const PARTS_OF_ACCURACY: readonly number[] = [TAG.integer, contextTag(0, false), contextTag(1, false)];

/** Whether the tags of the parts are among these, in the same order and each once. */
const areInOrder = (parts: Der[], tags: readonly number[]): boolean =>
  parts.every(({ tag }, index) => {
    const before = parts[index - 1];
    return tags.includes(tag) && (!before || tags.indexOf(before.tag) < tags.indexOf(tag));
  });

/** In milliseconds; nothing for what is usual, and undefined where it cannot be read. */
function inaccuracyOf(parts: Der[]): number | undefined {
  if (!areInOrder(parts, BEHIND_TIME)) return undefined;
  const accuracy = parts.find(({ tag }) => tag === TAG.sequence);
  if (!accuracy) return 0;
  const said = sequenceOf(accuracy);
  if (!said || !areInOrder(said, PARTS_OF_ACCURACY)) return undefined;
  const [seconds, ...fractions] = said[0]?.tag === TAG.integer ? said : [undefined, ...said];
  const count = seconds ? numberOf(seconds) : 0;
  if (count === undefined || count < 0 || !fractions.every((part) => part && isFraction(part)))
    return undefined;
  return count <= USUAL_SECONDS ? 0 : count * 1000;
}

/** From 0 to 999. */
function isFraction(part: Der): boolean {
  const bytes = contentOf(part);
  return (
    bytes.length > 0 &&
    bytes.length <= 2 &&
    bytes.readIntBE(0, bytes.length) >= 0 &&
    bytes.readIntBE(0, bytes.length) < 1000
  );
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
  { checks, policy, time }: { checks: Checks; policy: AlgorithmPolicy; time: number },
): Fault[] {
  const content = cms.content ?? Buffer.alloc(0);
  const signed = {
    type: CONTENT.timestamp,
    digest: (name: HashName) => digestOf(name, content),
    data: () => content,
  };
  const faults = checkCms(cms, { signed, signer: authority, others, checks, policy, time });
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
  const { checks, policy } = question.revocations;
  const weak = weakHash(hash, question.time, policy);
  if (weak) faults.push({ code: 'algorithm_weak', facts: weaknessFacts(weak) });
  if (!signed(hash).equals(imprint)) faults.push({ code: 'timestamp_mismatch' });
  faults.push(...checkTokenSignature(token, authority, others, { checks, policy, time: question.time }));
  // It was made before the one that proves that it existed.
  const newest = Math.min(question.latest, question.time + VERIFY_LIMITS.clockDifferenceMs);
  if (time > newest) faults.push({ code: 'timestamp_future', facts: { at: String(time) } });
  // Its own clock contradicts its certificate, which proves neither.
  if (authority && time < authority.notBefore)
    faults.push({
      code: 'timestamp_before_issuance',
      facts: { name: authority.name, at: String(authority.notBefore) },
    });
  const chain = authority && chainOf({ ...question, certificate: authority, others, purpose: 'timestamp' });
  return { time, authority, chain, faults: [...faults, ...(chain?.faults ?? [])] };
}
