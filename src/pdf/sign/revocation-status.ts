// Finds the status of a certificate at a time, by the revocation lists and the answers of OCSP that a document contains. Only those count that the issuer of
// the certificate or its delegate signed.

import { VERIFY_LIMITS } from '../limits.ts';
import { type AlgorithmPolicy, weakAlgorithm, weakKey } from './algorithm-policy.ts';
import { isForgeableKey, type SignatureAlgorithm } from './algorithms.ts';
import { type Certificate, isSameName, PURPOSE, plainName } from './certificate.ts';
import {
  type Answer,
  type Crl,
  type CrlEntry,
  hashOfPart,
  type Ocsp,
  type ResponderId,
} from './revocation-data.ts';
import { type Checks, isIssuedBy, isSignedWith } from './signed-by.ts';

export type Revocations = {
  crls: readonly Crl[];
  ocsps: readonly Ocsp[];
  /** They stand beside those of the answers, in which the certificate of a responder may be. */
  certificates: readonly Certificate[];
  /** All questions about one file share it. */
  checks: Checks;
  /** It says until when algorithms and keys may be relied on. */
  policy: AlgorithmPolicy;
};

/**
 * `revokedAt` is when it was revoked or put on hold, also where it was good at the time that was asked for. An `outdated` status says that
 * it was good until `goodUntil`, before that time, and its issuer still says whether it is.
 */
export type RevocationStatus = {
  is: 'good' | 'unknown' | 'outdated' | 'on_hold' | 'revoked';
  revokedAt: number | undefined;
  goodUntil?: number;
};

type RevocationQuestion = {
  /** The question is whether it was good then. */
  time: number;
  /** Nothing that claims to be younger than this counts. */
  latest: number;
};

/** They may say that a certificate was revoked. */
type Authorities = {
  issuer: Certificate;
  /** The issuer is among them, with the certificate that it was certified with. */
  certifiers: readonly Certificate[];
  /** They have the issuer's name for other keys, which it has or had (RFC 5280, 6.3.3 (f)). */
  twins: readonly Certificate[];
};

/** Finds the status of each certificate of a chain but the last. What an authority says counts until it was revoked itself. */
export function statusesOf(
  certificates: readonly Certificate[],
  revocations: Revocations,
  question: RevocationQuestion,
): RevocationStatus[] {
  const statuses: RevocationStatus[] = [];
  for (let index = certificates.length - 2; index >= 0; index -= 1) {
    const [certificate, issuer] = [certificates[index]!, certificates[index + 1]!];
    const authorities = authoritiesOf(issuer, certificates[index + 2], revocations);
    const issuerRevokedAt = statuses[0]?.revokedAt ?? Number.POSITIVE_INFINITY;
    statuses.unshift(statusOf(certificate, authorities, revocations, { ...question, issuerRevokedAt }));
  }
  return statuses;
}

function authoritiesOf(
  issuer: Certificate,
  above: Certificate | undefined,
  revocations: Revocations,
): Authorities {
  const certifiers = above ? [issuer, above] : [issuer];
  const named = certificatesNamed(issuer.subject, revocations).filter(
    ({ sha256 }) => sha256 !== issuer.sha256,
  );
  return {
    issuer,
    certifiers,
    twins: named.filter((candidate) => isCertifiedBy(certifiers, candidate, revocations)),
  };
}

const isCertifiedBy = (
  authorities: readonly Certificate[],
  candidate: Certificate,
  { checks }: Revocations,
) => authorities.some((authority) => isIssuedBy(candidate, authority, checks));

/** Finds the status of a certificate. From `issuerRevokedAt` on, others may have the key of the issuer and say that a certificate is good. */
function statusOf(
  certificate: Certificate,
  authorities: Authorities,
  revocations: Revocations,
  { time, latest, issuerRevokedAt }: RevocationQuestion & { issuerRevokedAt: number },
): RevocationStatus {
  // Nothing is found out any more, and the file is refused.
  if (revocations.checks.remaining < 0) return { is: 'unknown', revokedAt: undefined };
  const reports = [
    ...revocations.crls.flatMap(
      (crl) => reportOfCrl(crl, certificate, authorities, revocations, latest) ?? [],
    ),
    ...revocations.ocsps.flatMap((ocsp) =>
      reportsOfOcsp(ocsp, certificate, authorities, revocations, { time, latest }),
    ),
  ];
  const current = reports.filter(({ madeAt }) => madeAt <= latest);
  const revokedAt = earliestOf(current.flatMap(({ revokedAt }) => revokedAt ?? []));
  if (revokedAt !== undefined && revokedAt <= time) return { is: 'revoked', revokedAt };
  // A certificate that its issuer calls good later counts as never on hold (RFC 5280, 5.3.1). Lists drop what has expired, so those of
  // after its expiry release nothing.
  const releasedAt = latestOf(
    current.flatMap((report) =>
      isAllGood(report) && report.madeAt < issuerRevokedAt && report.thisUpdate <= certificate.notAfter
        ? [report.thisUpdate]
        : [],
    ),
  );
  // What was made at a time that cannot be read may be the last word.
  const heldAt = earliestOf(
    current.flatMap(({ heldAt, madeAt }) => (madeAt > 0 && madeAt < releasedAt ? [] : (heldAt ?? []))),
  );
  const endedAt = earliestOf([revokedAt, heldAt].flatMap((at) => at ?? []));
  // What was on hold until it was revoked counts as revoked since it was on hold.
  if (heldAt !== undefined && heldAt <= time)
    return { is: revokedAt === undefined ? 'on_hold' : 'revoked', revokedAt: endedAt };
  const relied = current.filter(
    (report) =>
      report.isKnown && report.madeAt < issuerRevokedAt && (report.heldAt ?? Number.POSITIVE_INFINITY) > time,
  );
  const isGood = relied.some(({ thisUpdate, nextUpdate }) =>
    thisUpdate >= time ? thisUpdate <= certificate.notAfter : time <= nextUpdate,
  );
  if (isGood) return { is: 'good', revokedAt: endedAt };
  const goodUntil = latestOf(
    relied.flatMap(({ thisUpdate, nextUpdate }) => (thisUpdate < time ? [nextUpdate] : [])),
  );
  // Issuers say nothing new of certificates that have expired. Data that was fetched while a signature was made is not old.
  const isOutdated =
    goodUntil + VERIFY_LIMITS.clockDifferenceMs < time &&
    goodUntil > Number.NEGATIVE_INFINITY &&
    certificate.notAfter >= latest;
  return { is: isOutdated ? 'outdated' : 'unknown', revokedAt: endedAt, ...(isOutdated && { goodUntil }) };
}

const isAllGood = ({ isKnown, revokedAt, heldAt }: Report): boolean =>
  isKnown && revokedAt === undefined && heldAt === undefined;

/** Returns the latest time; without any, the result is earlier than all times. */
const latestOf = (times: readonly number[]): number =>
  times.reduce((latest, time) => Math.max(latest, time), Number.NEGATIVE_INFINITY);

const earliestOf = (times: readonly number[]): number | undefined =>
  times.length === 0 ? undefined : times.reduce((earliest, time) => Math.min(earliest, time));

type Report = {
  isKnown: boolean;
  revokedAt: number | undefined;
  heldAt: number | undefined;
  thisUpdate: number;
  nextUpdate: number;
  /** It says itself that it was signed then. */
  madeAt: number;
};

// ── certificates by what they are looked for ────────────────────────────────────────────────────────────────────

type CertificateIndex = {
  /** Certificates are found by names as they are read. */
  named: Map<string, Certificate[]>;
  /** Answers name their responders by names, or by the hashes of keys. */
  responders: Map<string, Certificate[]>;
  /** Tells whether a responder was revoked, by itself and its issuer. */
  revoked: Map<string, boolean>;
};

const indexes = new WeakMap<Revocations, CertificateIndex>();

/** There may be a thousand of each, so that not every list and answer can be compared with every certificate. */
function indexOf(revocations: Revocations): CertificateIndex {
  const before = indexes.get(revocations);
  if (before) return before;
  const index: CertificateIndex = { named: new Map(), responders: new Map(), revoked: new Map() };
  const add = (to: Map<string, Certificate[]>, key: string, candidate: Certificate) => {
    const there = to.get(key);
    if (there) there.push(candidate);
    else to.set(key, [candidate]);
  };
  for (const candidate of new Map(revocations.certificates.map((each) => [each.sha256, each])).values()) {
    add(index.named, plainName(candidate.subject), candidate);
    add(index.responders, plainName(candidate.subject), candidate);
    add(index.responders, hashOfPart(candidate, 'keyBits', 'sha1').toString('latin1'), candidate);
  }
  indexes.set(revocations, index);
  return index;
}

const certificatesNamed = (name: Buffer, revocations: Revocations): readonly Certificate[] =>
  indexOf(revocations).named.get(plainName(name)) ?? [];

// ── lists ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Tells whether a list says of a certificate that it is good or revoked, rightly signed by the issuer. */
export const isListFor = (
  crl: Crl,
  certificate: Certificate,
  issuer: Certificate,
  revocations: Revocations,
): boolean =>
  reportOfCrl(crl, certificate, { issuer, certifiers: [], twins: [] }, revocations, crl.thisUpdate)
    ?.isKnown === true;

/** Only a list that the issuer itself signed says that a certificate is good. */
function reportOfCrl(
  crl: Crl,
  certificate: Certificate,
  authorities: Authorities,
  revocations: Revocations,
  at: number,
): Report | undefined {
  const { issuer } = authorities;
  const isOwn = isSameName(crl.issuer, certificate.issuer) && isSignedWith(crl, issuer, revocations.checks);
  if (!isOwn && !isOfAnother(crl, certificate, authorities, revocations)) return undefined;
  const { bySerial, areUnderstood } = crl.entries(revocations.checks);
  const [revokedAt, heldAt] = [false, true].map((isOnHold) =>
    endedAtIn(bySerial.get(certificate.serial), crl, certificate, isOnHold),
  );
  const isAboutAll = isOwn && crl.isUnderstood && areUnderstood && isForIt(crl, certificate);
  if (!isAboutAll && revokedAt === undefined && heldAt === undefined) return undefined;
  return {
    isKnown: isAboutAll && issuer.keyUsage?.crlSign !== false && isStrong(crl, at, revocations),
    revokedAt,
    heldAt,
    thisUpdate: crl.thisUpdate,
    nextUpdate: crl.nextUpdate ?? crl.thisUpdate,
    madeAt: crl.thisUpdate,
  };
}

/** Tells whether it is signed with another key of the issuer, or by who makes the lists of the certificate, certified by the issuer or with it. */
function isOfAnother(
  crl: Crl,
  { issuer, crlPoints }: Certificate,
  { certifiers, twins }: Authorities,
  revocations: Revocations,
): boolean {
  const isSigner = (candidate: Certificate) => isSignedWith(crl, candidate, revocations.checks);
  if (isSameName(crl.issuer, issuer) && twins.some(isSigner)) return true;
  const isNamed = crlPoints.some(({ crlIssuers }) => crlIssuers.some((name) => isSameName(name, crl.issuer)));
  return (
    isNamed &&
    certificatesNamed(crl.issuer, revocations).some(
      (candidate) => isCertifiedBy(certifiers, candidate, revocations) && isSigner(candidate),
    )
  );
}

/**
 * Returns the earliest time of the entries for the issuer of the certificate, either that it is on hold or the others. One whose issuer
 * cannot be read may be for it.
 */
function endedAtIn(
  first: CrlEntry | undefined,
  crl: Crl,
  { issuer }: Certificate,
  isOnHold: boolean,
): number | undefined {
  const times: number[] = [];
  for (let entry = first; entry; entry = entry.next) {
    if (entry.isOnHold !== isOnHold) continue;
    const names = entry.issuers ?? [crl.issuer];
    if (names.length === 0 || names.some((name) => isSameName(name, issuer))) times.push(entry.at);
  }
  return earliestOf(times);
}

/** Another list or answer with the same SHA-1 can be made today: a weak one does not say that a certificate is good. */
const isStrong = (
  { algorithm }: { algorithm: SignatureAlgorithm | undefined },
  at: number,
  { policy }: Revocations,
): boolean => !(algorithm && weakAlgorithm(algorithm, at, policy));

/** A place whose lists are for some reasons only does not say of a certificate that it is good. */
function isForIt({ point, issuer }: Crl, { isCa, crlPoints }: Certificate): boolean {
  if (!point) return true;
  if (isCa ? !point.isForCas : !point.isForUsers) return false;
  const { names: places } = point;
  if (!places) return true;
  return crlPoints.some(
    ({ names, hasReasons, crlIssuers }) =>
      !hasReasons &&
      (crlIssuers.length === 0 || crlIssuers.some((name) => isSameName(name, issuer))) &&
      names.some((name) => places.has(name)),
  );
}

// ── answers ─────────────────────────────────────────────────────────────────────────────────────────────────────

function reportsOfOcsp(
  ocsp: Ocsp,
  certificate: Certificate,
  authorities: Authorities,
  revocations: Revocations,
  { time, latest }: RevocationQuestion,
): Report[] {
  const signed = responderFor(ocsp, certificate, authorities, revocations);
  if (!signed) return [];
  const answers = ocsp.answers(revocations.checks).get(certificate.serial) ?? [];
  return answers
    .filter(({ isAbout, status }) => isAbout(authorities.issuer) && (signed.isSound || status === 'revoked'))
    .map((answer) => {
      const report = reportOfAnswer(ocsp, answer, certificate, signed);
      const isRelied =
        isStrong(ocsp, latest, revocations) &&
        isStrongResponder(signed.certificate, Math.max(time, report.madeAt), revocations);
      return { ...report, isKnown: report.isKnown && isRelied };
    });
}

/** `isSound` says that it also tells that a certificate is good. Any responder that the issuer named may say that one was revoked. */
type Responder = { certificate: Certificate; isSound: boolean };

function responderFor(
  ocsp: Ocsp,
  certificate: Certificate,
  authorities: Authorities,
  revocations: Revocations,
): Responder | undefined {
  const { issuer, twins } = authorities;
  if (isNamedBy(ocsp.responder, issuer) && isSignedWith(ocsp, issuer, revocations.checks))
    return { certificate: issuer, isSound: true };
  const named = [
    ...ocsp.certificates.filter((candidate) => isNamedBy(ocsp.responder, candidate)),
    ...responders(ocsp, revocations),
  ];
  const signers = named.filter(
    (candidate) => isSignedWith(ocsp, candidate, revocations.checks) && !isForgeable(candidate),
  );
  // Nothing vouches for itself.
  const sound = signers.find(
    (candidate) =>
      !candidate.keyBits.equals(certificate.keyBits) &&
      isResponder(candidate, authorities, ocsp.producedAt, revocations),
  );
  if (sound) return { certificate: sound, isSound: true };
  const isDelegate = (candidate: Certificate) =>
    candidate.purposes?.includes(PURPOSE.ocsp) === true &&
    isCertifiedBy([issuer, ...twins], candidate, revocations);
  const other = signers.find((candidate) => isDelegate(candidate) || isAmong(twins, candidate));
  return other && { certificate: other, isSound: false };
}

const isAmong = (all: readonly Certificate[], candidate: Certificate): boolean =>
  all.some(({ sha256 }) => sha256 === candidate.sha256);

const isNamedBy = (id: ResponderId, candidate: Certificate): boolean =>
  'name' in id
    ? isSameName(candidate.subject, id.name)
    : hashOfPart(candidate, 'keyBits', 'sha1').equals(id.keyHash);

const responders = ({ responder }: Ocsp, revocations: Revocations): readonly Certificate[] =>
  indexOf(revocations).responders.get(
    'name' in responder ? plainName(responder.name) : responder.keyHash.toString('latin1'),
  ) ?? [];

/** Keys of responders must be longer than others, from the day of the table on. */
const isStrongResponder = ({ key }: Certificate, at: number, { policy }: Revocations): boolean =>
  key !== undefined && weakKey(key, at, policy, true) === undefined;

const isForgeable = ({ key }: Certificate): boolean => key !== undefined && isForgeableKey(key);

function reportOfAnswer(
  ocsp: Ocsp,
  { status, revokedAt, isOnHold, thisUpdate, nextUpdate, isUnderstood }: Answer,
  { notBefore }: Certificate,
  { certificate: responder, isSound }: Responder,
): Report {
  return {
    isKnown: isSound && status !== 'unknown' && isUnderstood && ocsp.isUnderstood,
    // Where the time cannot be read, it was never good.
    revokedAt: status === 'revoked' && !isOnHold ? (revokedAt ?? notBefore) : undefined,
    heldAt: isOnHold ? (revokedAt ?? notBefore) : undefined,
    thisUpdate,
    // A responder speaks of no time after its own.
    nextUpdate: Math.min(nextUpdate ?? thisUpdate, responder.notAfter),
    madeAt: Math.max(thisUpdate, ocsp.producedAt),
  };
}

/** Tells whether the issuer named a responder for it, which was in force when it answered and was not revoked itself. */
function isResponder(
  responder: Certificate,
  authorities: Authorities,
  at: number,
  revocations: Revocations,
): boolean {
  const { purposes, keyUsage, unknownCritical, notBefore, notAfter, key } = responder;
  const isNamed = purposes?.includes(PURPOSE.ocsp) === true && keyUsage?.digitalSignature !== false;
  const isSound =
    unknownCritical.length === 0 &&
    key !== undefined &&
    !isForgeableKey(key) &&
    isStrong(responder, at, revocations);
  if (!isNamed || !isSound || at < notBefore || at > notAfter) return false;
  return (
    isIssuedBy(responder, authorities.issuer, revocations.checks) &&
    !isRevokedResponder(responder, authorities, revocations)
  );
}

function isRevokedResponder(
  responder: Certificate,
  authorities: Authorities,
  revocations: Revocations,
): boolean {
  const { issuer } = authorities;
  const { revoked } = indexOf(revocations);
  const key = `${responder.sha256} ${issuer.sha256}`;
  const before = revoked.get(key);
  if (before !== undefined) return before;
  const { crls, ocsps, checks } = revocations;
  // Answers of the issuer itself, because those of other responders would ask for their responders without an end.
  const isAnswered = (ocsp: Ocsp) =>
    isNamedBy(ocsp.responder, issuer) &&
    isSignedWith(ocsp, issuer, checks) &&
    ocsp
      .answers(checks)
      .get(responder.serial)
      ?.some(({ status, isAbout }) => status === 'revoked' && isAbout(issuer)) === true;
  const isListed = (crl: Crl) => {
    const report = reportOfCrl(crl, responder, authorities, revocations, 0);
    return report?.revokedAt !== undefined || report?.heldAt !== undefined;
  };
  const isRevoked = ocsps.some(isAnswered) || crls.some(isListed);
  revoked.set(key, isRevoked);
  return isRevoked;
}
