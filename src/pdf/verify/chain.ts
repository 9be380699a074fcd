// Builds the path from a certificate up to a trust anchor at a time (RFC 5280, 6). Certificates of the document are never trusted: they only complete the path to
// an anchor of the caller.

import { VERIFY_LIMITS } from '../limits.ts';
import { weakAlgorithm, weakHash, weakKey, weaknessDetails } from '../sign/algorithm-policy.ts';
import { isForgeableKey } from '../sign/algorithms.ts';
import {
  type Certificate,
  maySign,
  mayTimestamp,
  NAME_CONSTRAINTS,
  PURPOSE,
  plainName,
} from '../sign/certificate.ts';
import { type DigestOfSigned, findSigner } from '../sign/cms.ts';
import { type Revocations, statusesOf } from '../sign/revocation-status.ts';
import { isIssuedBy } from '../sign/signed-by.ts';
import { checkTokenSignature, type Token } from '../sign/timestamp.ts';
import type { Fault, FaultCode } from './findings.ts';

/** The caller trusts the certificate for a reason, which is part of the answer. */
export type TrustAnchor = { certificate: Certificate; why: string };

export type ChainPurpose = 'sign' | 'timestamp';

export type ChainQuestion = {
  certificate: Certificate;
  /** These may stand between it and an anchor. */
  others: readonly Certificate[];
  trust: Trust;
  revocations: Revocations;
  purpose: ChainPurpose;
  /** The certificate must have been valid then. */
  time: number;
  /** Nothing that claims to be younger than the time of verifying counts. */
  latest: number;
  /** They are proven bounds of the time at which its key signed; absent where that does not matter. */
  signingBounds?: { before: number | undefined; after: number | undefined };
};

export type Chain = {
  /** The signer comes first, and the anchor last where there is one. */
  certificates: Certificate[];
  anchor: TrustAnchor | undefined;
  faults: Fault[];
  /** Nothing says whether these certificates below the anchor were revoked. */
  unchecked: Certificate[];
};

/** The caller's roots come first. The system's store is large, so it is read only where they do not suffice. */
export type Trust = { anchors: readonly TrustAnchor[]; ofSystem?: () => readonly TrustAnchor[] };

export function chainOf(question: ChainQuestion): Chain {
  const { trust } = question;
  const chain = chainTo(question, trust.anchors);
  if (chain.anchor || !trust.ofSystem) return chain;
  const ofSystem = chainTo(question, [...trust.anchors, ...trust.ofSystem()]);
  return ofSystem.anchor ? ofSystem : chain;
}

/** Chooses the first way to an anchor that is sound; where none is, the first one, or as far as it goes. */
function chainTo(question: ChainQuestion, anchors: readonly TrustAnchor[]): Chain {
  let first: Chain | undefined;
  const isSound = (certificates: Certificate[], anchor: TrustAnchor): boolean => {
    const chain = judged(question, certificates, anchor);
    if (!first || chain.faults.length === 0) first = chain;
    return chain.faults.length === 0;
  };
  const longest = climbTo(question, anchors, isSound);
  return first ?? judged(question, longest, undefined);
}

function judged(
  question: ChainQuestion,
  certificates: Certificate[],
  anchor: TrustAnchor | undefined,
): Chain {
  const faults = certificates.flatMap((_, index) => faultsOf(certificates, index, question, anchor));
  const demanding = certificates.find(
    (candidate, index) =>
      demandsPolicy(candidate, certificates.slice(0, index)) && !haveCommonPolicy(certificates, anchor),
  );
  if (demanding) faults.push({ code: 'certificate_usage', details: { name: demanding.name } });
  if (!anchor) faults.push({ code: 'untrusted', details: untrustedDetails(certificates) });
  const unchecked: Certificate[] = [];
  for (const [index, status] of statusesOf(certificates, question.revocations, question).entries()) {
    const certificate = certificates[index]!;
    const details = { name: certificate.name, at: String(status.goodUntil ?? status.revokedAt) };
    if (status.is === 'unknown' || status.is === 'outdated') unchecked.push(certificate);
    // That of a timestamp authority is asked for as of today, for which no document has data.
    if (status.is === 'outdated' && question.purpose === 'sign')
      faults.push({ code: 'revocation_outdated', details });
    if (status.is === 'on_hold') faults.push({ code: 'certificate_on_hold', details });
    if (status.is === 'revoked')
      faults.push({
        code: index > 0 ? 'authority_revoked' : revocationFault(status.revokedAt, question),
        details,
      });
  }
  return { certificates, anchor, faults, unchecked };
}

/** Who signed before the certificate was revoked may have signed rightly: nothing else proves that the signature is wrong. */
const revocationFault = (revokedAt: number | undefined, { signingBounds }: ChainQuestion): FaultCode =>
  signingBounds?.after !== undefined && revokedAt !== undefined && revokedAt <= signingBounds.after
    ? 'signed_after_revocation'
    : 'certificate_revoked';

const untrustedDetails = (certificates: Certificate[]) => {
  const top = certificates.at(-1);
  return { name: certificates[0]?.name ?? '', top: top?.issuerName ?? '' };
};

/**
 * Finds ways that end at an anchor, until one of them is what is wanted.
 * @returns the longest way, which leads to no anchor where none was found
 */
function climbTo(
  { certificate, others, time, revocations: { checks } }: ChainQuestion,
  anchors: readonly TrustAnchor[],
  isWanted: (way: Certificate[], anchor: TrustAnchor) => boolean,
): Certificate[] {
  const anchorOf = new Map(anchors.map((anchor) => [anchor.certificate.sha256, anchor]));
  const candidates = [...anchors.map((anchor) => anchor.certificate), ...others];
  const bySubject = new Map<string, Certificate[]>();
  for (const candidate of candidates) {
    const name = plainName(candidate.subject);
    const ofName = bySubject.get(name) ?? [];
    if (!ofName.some(({ sha256 }) => sha256 === candidate.sha256))
      bySubject.set(name, [...ofName, candidate]);
  }
  // Of an authority that was certified again, the certificate counts that was in force.
  const isOutOfForce = (candidate: Certificate) =>
    !anchorOf.has(candidate.sha256) && (time < candidate.notBefore || time > candidate.notAfter);
  const issuersOf = ({ issuer }: Certificate) =>
    [...(bySubject.get(plainName(issuer)) ?? [])].sort(
      (candidate, other) => Number(isOutOfForce(candidate)) - Number(isOutOfForce(other)),
    );
  // Certificates of the same name for many keys would make the number of ways grow without an end.
  let remaining: number = VERIFY_LIMITS.chainSignatures;
  let longest: Certificate[] = [certificate];
  const climb = (way: Certificate[]): boolean => {
    if (way.length > longest.length) longest = way;
    const top = way.at(-1)!;
    const anchor = anchorOf.get(top.sha256);
    if (anchor) return isWanted(way, anchor);
    if (way.length >= VERIFY_LIMITS.chain) return false;
    return issuersOf(top).some((issuer) => {
      if (way.some(({ sha256 }) => sha256 === issuer.sha256) || remaining-- <= 0) return false;
      return isIssuedBy(top, issuer, checks) && climb([...way, issuer]);
    });
  };
  climb([certificate]);
  return longest;
}

function faultsOf(
  certificates: readonly Certificate[],
  index: number,
  { purpose, time, signingBounds, revocations: { policy } }: ChainQuestion,
  anchor: TrustAnchor | undefined,
): Fault[] {
  const certificate = certificates[index]!;
  const faults: Fault[] = [];
  const details = { name: certificate.name };
  const isAnchor = certificate === anchor?.certificate;
  if (index === 0 ? !isFor(certificate, purpose) : !mayIssue(certificate, certificates.slice(0, index)))
    faults.push({ code: 'certificate_usage', details });
  const unknown = certificate.unknownCritical.filter(
    (oid) => oid !== NAME_CONSTRAINTS || restrictsNames(certificate, certificates.slice(0, index)),
  );
  if (unknown.length > 0)
    faults.push({
      code: 'certificate_unknown_extension',
      details: { ...details, extension: unknown.join(' ') },
    });
  // An anchor is trusted by decision, not by its dates, its purposes or its own signature.
  if (isAnchor && index > 0) return faults;
  if (index > 0 && !mayBeAbove(certificate, purpose)) faults.push({ code: 'certificate_usage', details });
  const { notBefore, notAfter } = certificate;
  if (time < notBefore) {
    const isProven = index === 0 && signingBounds?.before !== undefined && signingBounds.before < notBefore;
    const code = isProven ? 'signed_before_issuance' : 'certificate_not_yet_valid';
    faults.push({ code, details: { ...details, at: String(notBefore) } });
  }
  if (time > notAfter) {
    const isProven = index === 0 && signingBounds?.after !== undefined && signingBounds.after > notAfter;
    const code = isProven ? 'signed_after_expiry' : 'certificate_expired';
    faults.push({ code, details: { ...details, at: String(notAfter) } });
  }
  const { algorithm, key } = certificate;
  const weak = [
    ...(isAnchor || !algorithm ? [] : [weakAlgorithm(algorithm, time, policy)]),
    ...(index > 0 && key ? [weakKey(key, time, policy)] : []),
  ].find((candidate) => candidate !== undefined);
  if (weak) faults.push({ code: 'certificate_weak', details: { ...details, ...weaknessDetails(weak) } });
  if (index > 0 && key && isForgeableKey(key)) faults.push({ code: 'key_forgeable', details });
  return faults;
}

/** Tells whether a certificate below has a name of a restricted form. Constraints say nothing of other forms (RFC 5280, 4.2.1.10). */
const restrictsNames = ({ restrictedForms }: Certificate, below: readonly Certificate[]): boolean =>
  below.some(({ nameForms }) => [...nameForms].some((form) => restrictedForms.has(form)));

/** `below` are those that it certifies, of which the first is no authority. One that an authority issued to itself is not counted. */
function mayIssue({ isCa, keyUsage, pathLength }: Certificate, below: readonly Certificate[]): boolean {
  if (!isCa || keyUsage?.keyCertSign === false) return false;
  return pathLength === undefined || countedIn(below.slice(1)) <= pathLength;
}

const countedIn = (certificates: readonly Certificate[]): number =>
  certificates.filter(({ subject, issuer }) => !subject.equals(issuer)).length;

/** Tells whether the policies of the way count because of this certificate (RFC 5280, 6.1.4 (h) and 6.1.5 (a), (b)). */
const demandsPolicy = ({ policyNeededAfter }: Certificate, below: readonly Certificate[]): boolean =>
  policyNeededAfter !== undefined &&
  policyNeededAfter <= countedIn(below.slice(1)) + Math.min(1, below.length);

const ANY_POLICY = '2.5.29.32.0';

/**
 * Tells whether one policy stands in all certificates below the anchor, by the same number: less than the standard allows, which lets authorities call
 * it by other numbers.
 */
function haveCommonPolicy(certificates: readonly Certificate[], anchor: TrustAnchor | undefined): boolean {
  const counted = certificates.filter((candidate) => candidate !== anchor?.certificate);
  const renamed = new Set(counted.flatMap(({ renamedPolicies }) => renamedPolicies));
  const isAnyPlain = counted.some(({ inhibitsAnyPolicy }) => inhibitsAnyPolicy);
  const isAny = (candidate: Certificate) => !isAnyPlain && candidate.policies.includes(ANY_POLICY);
  const [first, ...others] = counted.filter((candidate) => !isAny(candidate));
  if (!first) return true;
  // Each list is read once: a certificate may name thousands, and so may those below it (RFC 9618).
  let common = new Set(first.policies.filter((policy) => policy !== ANY_POLICY && !renamed.has(policy)));
  for (const { policies } of others) common = new Set(policies.filter((policy) => common.has(policy)));
  return common.size > 0;
}

const SIGNING: ReadonlySet<string> = new Set([
  PURPOSE.any,
  PURPOSE.email,
  PURPOSE.document,
  PURPOSE.microsoftDocument,
  PURPOSE.adobeDocument,
]);

/** Purposes of an authority are those of all that it certifies. */
const mayBeAbove = ({ purposes }: Certificate, purpose: ChainPurpose): boolean =>
  !purposes ||
  purposes.some((candidate) =>
    purpose === 'sign'
      ? SIGNING.has(candidate)
      : candidate === PURPOSE.any || candidate === PURPOSE.timestamp,
  );

function isFor(certificate: Certificate, purpose: ChainPurpose): boolean {
  if (purpose === 'timestamp') return mayTimestamp(certificate);
  const { purposes } = certificate;
  return maySign(certificate) && (!purposes || purposes.some((candidate) => SIGNING.has(candidate)));
}

// ── timestamps ──────────────────────────────────────────────────────────────────────────────────────────────────

export type CheckedToken = {
  time: number;
  authority: Certificate | undefined;
  chain: Chain | undefined;
  faults: Fault[];
};

/** Checks that the token is about `signed`, rightly signed, and by an authority that is trusted at `question.time`. */
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
  if (weak) faults.push({ code: 'algorithm_weak', details: weaknessDetails(weak) });
  if (!signed(hash).equals(imprint)) faults.push({ code: 'timestamp_mismatch' });
  faults.push(...checkTokenSignature(token, authority, others, { checks, policy, time: question.time }));
  // A timestamp was made before the one that proves that it existed.
  const newest = Math.min(question.latest, question.time + VERIFY_LIMITS.clockDifferenceMs);
  if (time > newest) faults.push({ code: 'timestamp_future', details: { at: String(time) } });
  // Its own clock contradicts its certificate, which proves neither.
  if (authority && time < authority.notBefore)
    faults.push({
      code: 'timestamp_before_issuance',
      details: { name: authority.name, at: String(authority.notBefore) },
    });
  const chain = authority && chainOf({ ...question, certificate: authority, others, purpose: 'timestamp' });
  return { time, authority, chain, faults: [...faults, ...(chain?.faults ?? [])] };
}
