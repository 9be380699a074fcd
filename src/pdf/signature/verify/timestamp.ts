// Timestamps (RFC 3161): which bytes somebody had at which time, by whose clock. It must never take a token for a proof
// before its authority was found to be trusted.
import { digestOf, type HashName, hashOf, isWeakHash } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import { type Chain, type ChainQuestion, chainOf } from './chain.ts';
import { type Cms, CONTENT, checkCms, type DigestOfSigned, readCms } from './cms.ts';
import { octetsOf, readDer, sequence, timeOf } from './der.ts';
import type { Fault } from './findings.ts';

/** What a token says, before anything of it is believed. */
export type Token = { cms: Cms; hash: HashName; imprint: Buffer; time: number };

export function readToken(bytes: Buffer): Token | undefined {
  const cms = readCms(bytes);
  const info = cms?.content && sequence(readDer(cms.content));
  if (!cms || !info) return undefined;
  const [, , imprint, , begin] = info;
  const [algorithm, digest] = sequence(imprint) ?? [];
  const [hash, bytesOfDigest, time] = [hashOf(algorithm), octetsOf(digest), timeOf(begin)];
  if (!hash || !bytesOfDigest || time === undefined) return undefined;
  return { cms, hash, imprint: bytesOfDigest, time };
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
  const authority = others.find(cms.isSigner);
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
  if (time > question.latest) faults.push({ code: 'timestamp_future', facts: { at: String(time) } });
  if (authority && time < authority.notBefore)
    faults.push({
      code: 'certificate_not_yet_valid',
      facts: { name: authority.name, at: String(authority.notBefore) },
    });
  const chain = authority && chainOf({ ...question, certificate: authority, others, purpose: 'timestamp' });
  return { time, authority, chain, faults: [...faults, ...(chain?.faults ?? [])] };
}
