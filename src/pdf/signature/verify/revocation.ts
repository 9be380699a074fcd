// Revocation lists (RFC 5280, 5) and answers of OCSP (RFC 6960) that a document contains: the status of a certificate
// at a time. It must never accept a list or an answer that neither the issuer of the certificate nor its delegate signed.
import { VERIFY_LIMITS } from '../../limits.ts';
import {
  digestOf,
  type HashName,
  hashOf,
  isForgeableKey,
  isWeakHash,
  isWeakKey,
  type SignatureAlgorithm,
  signatureAlgorithmOf,
} from '../algorithms.ts';
import {
  type Certificate,
  type Checks,
  directoryNamesIn,
  exhaust,
  isIssuedBy,
  isSignedWith,
  listOf,
  nameInWords,
  PURPOSE,
  readCertificate,
  type SignedStructure,
  spend,
} from '../certificate.ts';
import {
  bitsOf,
  contentOf,
  contextTag,
  type Der,
  encoded,
  explicit,
  hexOf,
  MOST_CHILDREN,
  numberOf,
  octetsOf,
  oidOf,
  readableIn,
  readDer,
  sequenceOf,
  TAG,
  timeOf,
} from '../read-der.ts';

export type Crl = SignedStructure & {
  /** Without bytes that follow it. */
  der: Buffer;
  issuer: Buffer;
  /** Zero where it cannot be read. */
  thisUpdate: number;
  nextUpdate: number | undefined;
  /** The part of all certificates that the list is for. */
  point: Scope | undefined;
  /** Whether it says which certificates are good, its entries aside. Certificates that it names are revoked in any case. */
  isUnderstood: boolean;
  /** Read when they are first asked for, which is to be done when the signature is right: there may be a million. */
  entries(checks: Checks): CrlEntries;
};

/** `names`: of the place where the list is, in any of which a certificate may name it; as encoded, in characters of one byte each. */
type Scope = { names: ReadonlySet<string> | undefined; isForUsers: boolean; isForCas: boolean };

const EXTENSION = {
  delta: '2.5.29.27',
  point: '2.5.29.28',
  reason: '2.5.29.21',
  invalidityDate: '2.5.29.24',
  entryIssuer: '2.5.29.29',
} as const;
/** Numbers and key ids change nothing of what a list says. */
const HARMLESS = new Set<string>(['2.5.29.20', '2.5.29.35', '2.5.29.60', EXTENSION.point]);
const OF_ENTRIES = new Set<string>([EXTENSION.reason, EXTENSION.invalidityDate, EXTENSION.entryIssuer]);
/** A delta list removes a certificate from the list that it completes (RFC 5280, 5.3.1). */
const REMOVED = 8;
/** So many entries take as long to read as a signature takes to check. */
const ENTRIES_OF_A_CHECK = 1000;

export function readCrl(bytes: Buffer): Crl | undefined {
  const whole = readDer(bytes);
  const [signed, algorithm, signature] = sequenceOf(whole) ?? [];
  const parts = sequenceOf(signed);
  const bits = bitsOf(signature);
  if (!whole || !signed || !parts || !bits) return undefined;
  const [, issuer, thisUpdate, ...rest] = parts[0]?.tag === TAG.integer ? parts.slice(1) : parts;
  // A time that cannot be read is still one value: where others have several, it is no list.
  if (issuer?.tag !== TAG.sequence || !thisUpdate || listOf(thisUpdate).length > 0) return undefined;
  const begin = timeOf(thisUpdate);
  const { byId, areKnown } = extensionsOf(rest.find(({ tag }) => tag === contextTag(0)));
  const listed = rest.find(({ tag }) => tag === TAG.sequence);
  const point = byId.get(EXTENSION.point);
  const scope = point && scopeOf(point.value);
  let read: CrlEntries | undefined;
  return {
    der: encoded(whole),
    issuer: encoded(issuer),
    thisUpdate: begin ?? 0,
    nextUpdate: timeOf(rest[0]),
    point: scope,
    isUnderstood:
      begin !== undefined &&
      areKnown((oid) => HARMLESS.has(oid)) &&
      (point === undefined || scope !== undefined) &&
      // A list of what is new says nothing of the rest.
      !byId.has(EXTENSION.delta),
    entries: (checks) => {
      read ??= readEntries(listed, checks);
      return read;
    },
    signed: encoded(signed),
    algorithm: signatureAlgorithmOf(algorithm),
    signature: bits,
  };
}

/** Without a value where it cannot be read. */
type Extension = { isCritical: boolean; value: Der | undefined };

type Extensions = {
  byId: Map<string, Extension>;
  /** Whether all can be read, each stands once (RFC 5280, 4.2), and those that are critical are known. */
  areKnown(isKnown: (oid: string) => boolean): boolean;
};

/** @param part what has the list in it, where there is one */
function extensionsOf(part: Der | undefined): Extensions {
  return part ? extensionsIn(explicit(part)) : NO_EXTENSIONS;
}

const NO_EXTENSIONS: Extensions = { byId: new Map(), areKnown: () => true };

function extensionsIn(list: Der | undefined): Extensions {
  const byId = new Map<string, Extension>();
  const { parts, areAll } = readableIn(list);
  for (const extension of parts) {
    const [id, ...rest] = sequenceOf(extension) ?? [];
    const octets = octetsOf(rest.at(-1));
    const value = octets && readDer(octets);
    const isCritical = rest[0]?.tag === TAG.boolean && contentOf(rest[0])[0] !== 0;
    const oid = oidOf(id) ?? '';
    // Of one that stands twice, the first is taken, and the list is not understood.
    if (!byId.has(oid)) byId.set(oid, { isCritical, value });
  }
  const isEachOnce = list?.tag === TAG.sequence && areAll && byId.size === parts.length;
  return {
    byId,
    areKnown: (isKnown) =>
      isEachOnce && [...byId].every(([oid, { isCritical }]) => !isCritical || isKnown(oid)),
  };
}

export type CrlEntries = {
  /** By serial number. */
  bySerial: ReadonlyMap<string, CrlEntry>;
  areUnderstood: boolean;
};

type CrlEntry = {
  at: number;
  /** The names of the issuer of the certificate; none where they cannot be read. Undefined for the issuer of the list. */
  issuers: readonly Buffer[] | undefined;
  /** For the same number of another issuer. */
  next: CrlEntry | undefined;
};

/** The entries of a list, or the answers of a response: none where they are more than is left for the file. */
function readItems(list: Der | undefined, checks: Checks): ReturnType<typeof readableIn> {
  const { parts, areAll } = readableIn(list);
  if (parts.length >= MOST_CHILDREN) exhaust(checks);
  const isEnough = spend(checks, Math.floor(parts.length / ENTRIES_OF_A_CHECK));
  return isEnough ? { parts, areAll } : { parts: [], areAll: false };
}

function readEntries(list: Der | undefined, checks: Checks): CrlEntries {
  const bySerial = new Map<string, CrlEntry>();
  if (!list) return { bySerial, areUnderstood: true };
  const { parts, areAll } = readItems(list, checks);
  let areUnderstood = areAll;
  // An entry that names an issuer does so for the entries that follow (RFC 5280, 5.3.3).
  let issuers: CrlEntry['issuers'];
  for (const part of parts) {
    const entry = readEntry(part);
    if (entry.issuers) issuers = entry.issuers;
    if (!entry.isUnderstood) areUnderstood = false;
    if (entry.serial !== undefined && !entry.isRemoved) addEntry(bySerial, entry.serial, entry.at, issuers);
  }
  return { bySerial, areUnderstood };
}

/** Of a certificate that is listed twice, the earlier time counts. */
function addEntry(
  bySerial: Map<string, CrlEntry>,
  serial: string,
  at: number,
  issuers: CrlEntry['issuers'],
): void {
  const first = bySerial.get(serial);
  if (first && first.issuers === issuers) first.at = Math.min(first.at, at);
  else bySerial.set(serial, { at, issuers, next: first });
}

function readEntry(entry: Der) {
  const { parts, areAll } = readableIn(entry);
  const [serial, date, listed] = parts;
  const at = timeOf(date);
  const { byId, areKnown } = listed ? extensionsIn(listed) : NO_EXTENSIONS;
  const issuer = byId.get(EXTENSION.entryIssuer);
  const issuers = issuer && directoryNamesIn(issuer.value);
  return {
    serial: serial?.tag === TAG.integer ? hexOf(serial) : undefined,
    // Where the time cannot be read, it was never good.
    at: at ?? 0,
    isRemoved: numberOf(byId.get(EXTENSION.reason)?.value) === REMOVED,
    issuers,
    isUnderstood:
      entry.tag === TAG.sequence &&
      areAll &&
      serial?.tag === TAG.integer &&
      at !== undefined &&
      issuers?.length !== 0 &&
      areKnown((oid) => OF_ENTRIES.has(oid)),
  };
}

const SCOPES = new Set([contextTag(0), ...[1, 2, 4, 5].map((number) => contextTag(number, false))]);

/**
 * The part of all certificates that a list is for (RFC 5280, 5.2.5). Undefined for lists of several issuers (4) and for some reasons only (3),
 * which say less than they seem to, and for what cannot be read.
 */
function scopeOf(value: Der | undefined): Scope | undefined {
  const parts = sequenceOf(value);
  if (!parts?.every(({ tag }) => SCOPES.has(tag))) return undefined;
  const isSet = (number: number) =>
    parts.some((part) => part.tag === contextTag(number, false) && contentOf(part)[0] !== 0);
  if (isSet(4)) return undefined;
  const names = parts.find(({ tag }) => tag === contextTag(0));
  // Lists of attribute certificates (5) are for neither.
  return {
    names: names && new Set(listOf(explicit(names)).map((name) => encoded(name).toString('latin1'))),
    isForUsers: !isSet(2) && !isSet(5),
    isForCas: !isSet(1) && !isSet(5),
  };
}

// ── OCSP ────────────────────────────────────────────────────────────────────────────────────────────────────────

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

type ResponderId = { name: Buffer } | { keyHash: Buffer };

type Answer = {
  isAbout: (issuer: Certificate) => boolean;
  serial: string;
  status: 'good' | 'revoked' | 'unknown';
  revokedAt: number | undefined;
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
      thisUpdate: isWhole ? thisUpdate : 0,
      nextUpdate: isWhole ? timeOf(explicit(rest.find(({ tag }) => tag === contextTag(0)))) : undefined,
      isUnderstood: isWhole && areOcspExtensionsKnown(rest),
    },
  ];
}

const hashes = new WeakMap<Certificate, Map<string, Buffer>>();

/** Many answers may ask about one issuer. */
function hashOfPart(issuer: Certificate, part: 'subject' | 'keyBits', hash: HashName): Buffer {
  const known = hashes.get(issuer) ?? new Map<string, Buffer>();
  hashes.set(issuer, known);
  const digest = known.get(`${part} ${hash}`) ?? digestOf(hash, issuer[part]);
  known.set(`${part} ${hash}`, digest);
  return digest;
}

// ── what they say of a certificate ──────────────────────────────────────────────────────────────────────────────

export type Revocations = {
  crls: readonly Crl[];
  ocsps: readonly Ocsp[];
  /** Beside those of the answers, in which the certificate of a responder may be. */
  certificates: readonly Certificate[];
  /** Shared by all that is asked about one file. */
  checks: Checks;
};

/** `revokedAt` is when it was revoked, also where it was good at the time that was asked for. */
export type RevocationStatus = { is: 'good' | 'unknown' | 'revoked'; revokedAt: number | undefined };

type RevocationQuestion = {
  /** What is asked is whether it was good then. */
  time: number;
  /** Nothing that claims to be younger than this counts. */
  latest: number;
};

/** Who may say that a certificate was revoked. */
type Authorities = {
  issuer: Certificate;
  /** What the issuer was certified with, where that is known, and the issuer itself. */
  certifiers: readonly Certificate[];
  /** Certificates of the issuer's name for other keys, which it has or had (RFC 5280, 6.3.3 (f)). */
  twins: readonly Certificate[];
};

/** What is known of each certificate of a chain but the last one. What an authority says counts until it was revoked itself. */
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

function authoritiesOf(issuer: Certificate, above: Certificate | undefined, known: Revocations): Authorities {
  const certifiers = above ? [issuer, above] : [issuer];
  const named = certificatesNamed(issuer.subject, known).filter(({ sha256 }) => sha256 !== issuer.sha256);
  return { issuer, certifiers, twins: named.filter((one) => isCertifiedBy(certifiers, one, known)) };
}

const isCertifiedBy = (authorities: readonly Certificate[], one: Certificate, { checks }: Revocations) =>
  authorities.some((authority) => isIssuedBy(one, authority, checks));

/** Of one certificate. From `issuerRevokedAt` on, others may have the key of the issuer and say that a certificate is good. */
function statusOf(
  certificate: Certificate,
  authorities: Authorities,
  known: Revocations,
  { time, latest, issuerRevokedAt }: RevocationQuestion & { issuerRevokedAt: number },
): RevocationStatus {
  // Nothing is found out any more, and the file is refused.
  if (known.checks.left < 0) return { is: 'unknown', revokedAt: undefined };
  const reports = [
    ...known.crls.flatMap((crl) => reportOfCrl(crl, certificate, authorities, known) ?? []),
    ...known.ocsps.flatMap((ocsp) => reportsOfOcsp(ocsp, certificate, authorities, known)),
  ];
  const current = reports.filter(({ madeAt }) => madeAt <= latest);
  const revokedAt = earliestOf(current.flatMap(({ revokedAt }) => revokedAt ?? []));
  if (revokedAt !== undefined && revokedAt <= time) return { is: 'revoked', revokedAt };
  const isGood = current.some(
    (report) =>
      report.isKnown &&
      report.madeAt < issuerRevokedAt &&
      (report.thisUpdate >= time ? report.thisUpdate <= certificate.notAfter : time <= report.nextUpdate),
  );
  return { is: isGood ? 'good' : 'unknown', revokedAt };
}

const earliestOf = (times: readonly number[]): number | undefined =>
  times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other));

type Report = {
  isKnown: boolean;
  revokedAt: number | undefined;
  thisUpdate: number;
  nextUpdate: number;
  /** When it was signed, as it says. */
  madeAt: number;
};

// ── certificates by what they are looked for ────────────────────────────────────────────────────────────────────

type CertificateIndex = {
  /** By names as they are read. */
  named: Map<string, Certificate[]>;
  /** By names as they are encoded, and by the hashes of keys, as answers name their responders. */
  responders: Map<string, Certificate[]>;
  /** Whether a responder was revoked, by itself and its issuer. */
  revoked: Map<string, boolean>;
};

const indexes = new WeakMap<Revocations, CertificateIndex>();

/** There may be a thousand of each, so that not every list and answer can be compared with every certificate. */
function indexOf(known: Revocations): CertificateIndex {
  const before = indexes.get(known);
  if (before) return before;
  const made: CertificateIndex = { named: new Map(), responders: new Map(), revoked: new Map() };
  const add = (to: Map<string, Certificate[]>, key: string, one: Certificate) => {
    const there = to.get(key);
    if (there) there.push(one);
    else to.set(key, [one]);
  };
  for (const one of new Map(known.certificates.map((each) => [each.sha256, each])).values()) {
    add(made.named, plainName(one.subject), one);
    add(made.responders, one.subject.toString('latin1'), one);
    add(made.responders, hashOfPart(one, 'keyBits', 'sha1').toString('latin1'), one);
  }
  indexes.set(known, made);
  return made;
}

const certificatesNamed = (name: Buffer, known: Revocations): readonly Certificate[] =>
  indexOf(known).named.get(plainName(name)) ?? [];

/** Names are compared as they are read: in any type of string, and without regard to case and blanks (RFC 5280, 7.1). */
const isSameName = (one: Buffer, other: Buffer): boolean =>
  one.equals(other) || plainName(one) === plainName(other);

const plainNames = new WeakMap<Buffer, string>();

function plainName(name: Buffer): string {
  const before = plainNames.get(name);
  if (before !== undefined) return before;
  const read = readDer(name);
  const plain = read ? nameInWords(read).toLowerCase().replace(/\s+/g, ' ').trim() : '';
  plainNames.set(name, plain);
  return plain;
}

// ── lists ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whether a list says of a certificate that it is good or revoked, rightly signed by the issuer. */
export const isListFor = (crl: Crl, certificate: Certificate, issuer: Certificate, checks: Checks): boolean =>
  reportOfCrl(
    crl,
    certificate,
    { issuer, certifiers: [], twins: [] },
    { crls: [], ocsps: [], certificates: [], checks },
  )?.isKnown === true;

/** Only a list that the issuer itself signed says that a certificate is good. */
function reportOfCrl(
  crl: Crl,
  certificate: Certificate,
  authorities: Authorities,
  known: Revocations,
): Report | undefined {
  const { issuer } = authorities;
  const isOwn = isSameName(crl.issuer, certificate.issuer) && isSignedWith(crl, issuer, known.checks);
  if (!isOwn && !isOfAnother(crl, certificate, authorities, known)) return undefined;
  const { bySerial, areUnderstood } = crl.entries(known.checks);
  const revokedAt = revokedAtIn(bySerial.get(certificate.serial), crl, certificate);
  const isAboutAll = isOwn && crl.isUnderstood && areUnderstood && isForIt(crl, certificate);
  if (!isAboutAll && revokedAt === undefined) return undefined;
  return {
    isKnown: isAboutAll && issuer.keyUsage?.crlSign !== false && isStrong(crl),
    revokedAt,
    thisUpdate: crl.thisUpdate,
    nextUpdate: crl.nextUpdate ?? crl.thisUpdate,
    madeAt: crl.thisUpdate,
  };
}

/** Whether it is signed with another key of the issuer, or by who makes the lists of the certificate, certified by the issuer or with it. */
function isOfAnother(
  crl: Crl,
  { issuer, crlPoints }: Certificate,
  { certifiers, twins }: Authorities,
  known: Revocations,
): boolean {
  const isSigner = (one: Certificate) => isSignedWith(crl, one, known.checks);
  if (isSameName(crl.issuer, issuer) && twins.some(isSigner)) return true;
  const isNamed = crlPoints.some(({ crlIssuers }) => crlIssuers.some((name) => isSameName(name, crl.issuer)));
  return (
    isNamed &&
    certificatesNamed(crl.issuer, known).some((one) => isCertifiedBy(certifiers, one, known) && isSigner(one))
  );
}

/** The earliest time of the entries for the issuer of the certificate. One whose issuer cannot be read may be for it. */
function revokedAtIn(first: CrlEntry | undefined, crl: Crl, { issuer }: Certificate): number | undefined {
  const times: number[] = [];
  for (let entry = first; entry; entry = entry.next) {
    const names = entry.issuers ?? [crl.issuer];
    if (names.length === 0 || names.some((name) => isSameName(name, issuer))) times.push(entry.at);
  }
  return earliestOf(times);
}

/** Another list or answer with the same SHA-1 can be made: a weak one does not say that a certificate is good. */
const isStrong = ({ algorithm }: { algorithm: SignatureAlgorithm | undefined }): boolean =>
  !(algorithm?.hash && isWeakHash(algorithm.hash));

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
  known: Revocations,
): Report[] {
  const signed = responderFor(ocsp, certificate, authorities, known);
  if (!signed) return [];
  const answers = ocsp.answers(known.checks).get(certificate.serial) ?? [];
  return answers
    .filter(({ isAbout, status }) => isAbout(authorities.issuer) && (signed.isSound || status === 'revoked'))
    .map((answer) => reportOfAnswer(ocsp, answer, certificate, signed));
}

/** `isSound`: whether it also says that a certificate is good. Any responder that the issuer named may say that one was revoked. */
type Responder = { certificate: Certificate; isSound: boolean };

function responderFor(
  ocsp: Ocsp,
  certificate: Certificate,
  authorities: Authorities,
  known: Revocations,
): Responder | undefined {
  const { issuer, twins } = authorities;
  if (isNamedBy(ocsp.responder, issuer) && isSignedWith(ocsp, issuer, known.checks))
    return { certificate: issuer, isSound: true };
  const named = [
    ...ocsp.certificates.filter((one) => isNamedBy(ocsp.responder, one)),
    ...responders(ocsp, known),
  ];
  const signers = named.filter((one) => isSignedWith(ocsp, one, known.checks) && !isForgeable(one));
  // Nothing vouches for itself.
  const sound = signers.find(
    (one) =>
      !one.keyBits.equals(certificate.keyBits) && isResponder(one, authorities, ocsp.producedAt, known),
  );
  if (sound) return { certificate: sound, isSound: true };
  const isDelegate = (one: Certificate) =>
    one.purposes?.includes(PURPOSE.ocsp) === true && isCertifiedBy([issuer, ...twins], one, known);
  const other = signers.find((one) => isDelegate(one) || isAmong(twins, one));
  return other && { certificate: other, isSound: false };
}

const isAmong = (all: readonly Certificate[], one: Certificate): boolean =>
  all.some(({ sha256 }) => sha256 === one.sha256);

const isNamedBy = (id: ResponderId, one: Certificate): boolean =>
  'name' in id ? one.subject.equals(id.name) : hashOfPart(one, 'keyBits', 'sha1').equals(id.keyHash);

const responders = ({ responder }: Ocsp, known: Revocations): readonly Certificate[] =>
  indexOf(known).responders.get(
    ('name' in responder ? responder.name : responder.keyHash).toString('latin1'),
  ) ?? [];

const isForgeable = ({ key }: Certificate): boolean => key !== undefined && isForgeableKey(key);

function reportOfAnswer(
  ocsp: Ocsp,
  { status, revokedAt, thisUpdate, nextUpdate, isUnderstood }: Answer,
  { notBefore }: Certificate,
  { certificate: responder, isSound }: Responder,
): Report {
  return {
    isKnown: isSound && status !== 'unknown' && isUnderstood && ocsp.isUnderstood && isStrong(ocsp),
    // Where the time cannot be read, it was never good.
    revokedAt: status === 'revoked' ? (revokedAt ?? notBefore) : undefined,
    thisUpdate,
    // A responder speaks of no time after its own.
    nextUpdate: Math.min(nextUpdate ?? thisUpdate, responder.notAfter),
    madeAt: Math.max(thisUpdate, ocsp.producedAt),
  };
}

/** Whether the issuer named a responder for it, which was in force when it answered and was not revoked itself. */
function isResponder(
  responder: Certificate,
  authorities: Authorities,
  at: number,
  known: Revocations,
): boolean {
  const { purposes, keyUsage, unknownCritical, notBefore, notAfter, key } = responder;
  const isNamed = purposes?.includes(PURPOSE.ocsp) === true && keyUsage?.digitalSignature !== false;
  const isSound = unknownCritical.length === 0 && key !== undefined && !isWeakKey(key) && isStrong(responder);
  if (!isNamed || !isSound || at < notBefore || at > notAfter) return false;
  return (
    isIssuedBy(responder, authorities.issuer, known.checks) &&
    !isRevokedResponder(responder, authorities, known)
  );
}

function isRevokedResponder(responder: Certificate, authorities: Authorities, known: Revocations): boolean {
  const { issuer } = authorities;
  const { revoked } = indexOf(known);
  const key = `${responder.sha256} ${issuer.sha256}`;
  const before = revoked.get(key);
  if (before !== undefined) return before;
  const { crls, ocsps, checks } = known;
  // Answers of the issuer itself, because those of other responders would ask for their responders without an end.
  const isAnswered = (ocsp: Ocsp) =>
    isNamedBy(ocsp.responder, issuer) &&
    isSignedWith(ocsp, issuer, checks) &&
    ocsp
      .answers(checks)
      .get(responder.serial)
      ?.some(({ status, isAbout }) => status === 'revoked' && isAbout(issuer)) === true;
  const isRevoked =
    ocsps.some(isAnswered) ||
    crls.some((crl) => reportOfCrl(crl, responder, authorities, known)?.revokedAt !== undefined);
  revoked.set(key, isRevoked);
  return isRevoked;
}
