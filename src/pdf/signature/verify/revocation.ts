// Revocation lists (RFC 5280, 5) and answers of OCSP (RFC 6960) that a document contains: the status of a certificate
// at a time. It must never accept a list or an answer that neither the issuer of the certificate nor its delegate signed.
import { VERIFY_LIMITS } from '../../limits.ts';
import {
  digestOf,
  type HashName,
  hashOf,
  isWeakHash,
  isWeakKey,
  type SignatureAlgorithm,
  signatureAlgorithmOf,
} from '../algorithms.ts';
import {
  type Certificate,
  isIssuedBy,
  isSignedWith,
  listOf,
  nameInWords,
  PURPOSE,
  readCertificate,
} from '../certificate.ts';
import {
  bitsOf,
  contentOf,
  contextTag,
  type Der,
  encoded,
  explicit,
  hexOf,
  numberOf,
  octetsOf,
  oidOf,
  readDer,
  sequenceOf,
  TAG,
  timeOf,
} from '../read-der.ts';

export type Crl = {
  /** Without bytes that follow it. */
  der: Buffer;
  issuer: Buffer;
  thisUpdate: number;
  nextUpdate: number | undefined;
  /** When each certificate of the issuer was revoked, by its serial number. */
  revoked: Map<string, number>;
  /** The part of all certificates that the list is for. */
  point: Scope | undefined;
  /** Whether it says which certificates are good. Certificates that it names are revoked in any case. */
  isUnderstood: boolean;
  signed: Buffer;
  algorithm: SignatureAlgorithm | undefined;
  signature: Buffer;
};

/** `names`: of the place where the list is, in any of which a certificate may name it. */
type Scope = { names: Buffer[] | undefined; isForUsers: boolean; isForCas: boolean };

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

export function readCrl(bytes: Buffer): Crl | undefined {
  const whole = readDer(bytes);
  const [signed, algorithm, signature] = sequenceOf(whole) ?? [];
  const parts = sequenceOf(signed);
  const bits = bitsOf(signature);
  if (!whole || !signed || !parts || !bits) return undefined;
  const [, issuer, thisUpdate, ...rest] = parts[0]?.tag === TAG.integer ? parts.slice(1) : parts;
  const begin = timeOf(thisUpdate);
  if (!issuer || begin === undefined) return undefined;
  const extensions = extensionsOf(explicit(rest.find(({ tag }) => tag === contextTag(0))));
  const listed = rest.find(({ tag }) => tag === TAG.sequence);
  const entries = listed ? sequenceOf(listed)?.map(entryOf) : [];
  const point = extensions.get(EXTENSION.point);
  const scope = point && scopeOf(point.value);
  return {
    der: encoded(whole),
    issuer: encoded(issuer),
    thisUpdate: begin,
    nextUpdate: timeOf(rest[0]),
    revoked: revokedIn(entries ?? [], encoded(issuer)),
    point: scope,
    isUnderstood:
      [...extensions].every(([oid, { isCritical }]) => !isCritical || HARMLESS.has(oid)) &&
      (point === undefined || scope !== undefined) &&
      // A list of what is new says nothing of the rest.
      !extensions.has(EXTENSION.delta) &&
      entries?.every((entry) => entry?.isUnderstood) === true,
    signed: encoded(signed),
    algorithm: signatureAlgorithmOf(algorithm),
    signature: bits,
  };
}

/** Without a value where it cannot be read. */
type Extension = { isCritical: boolean; value: Der | undefined };

function extensionsOf(list: Der | undefined): Map<string, Extension> {
  const found = new Map<string, Extension>();
  for (const extension of sequenceOf(list) ?? []) {
    const [id, ...rest] = sequenceOf(extension) ?? [];
    const octets = octetsOf(rest.at(-1));
    const value = octets && readDer(octets);
    const isCritical = rest[0]?.tag === TAG.boolean && contentOf(rest[0])[0] !== 0;
    found.set(oidOf(id) ?? '', { isCritical, value });
  }
  return found;
}

type CrlEntry = {
  serial: string;
  at: number;
  isRemoved: boolean;
  /** The names of its issuer, which hold for the following entries as well; undefined where it names none (RFC 5280, 5.3.3). */
  issuers: Buffer[] | undefined;
  isUnderstood: boolean;
};

function entryOf(entry: Der): CrlEntry | undefined {
  const [serial, date, listed] = sequenceOf(entry) ?? [];
  if (serial?.tag !== TAG.integer) return undefined;
  const at = timeOf(date);
  const extensions = extensionsOf(listed);
  const issuer = extensions.get(EXTENSION.entryIssuer);
  return {
    serial: hexOf(serial),
    // Where the time cannot be read, it was never good.
    at: at ?? 0,
    isRemoved: numberOf(extensions.get(EXTENSION.reason)?.value) === REMOVED,
    issuers: issuer && (sequenceOf(issuer.value) ?? []).flatMap((name) => listOf(name).map(encoded)),
    isUnderstood:
      at !== undefined &&
      [...extensions].every(([oid, { isCritical }]) => !isCritical || OF_ENTRIES.has(oid)),
  };
}

/** Of a certificate that is listed twice, the earlier time counts. */
function revokedIn(entries: readonly (CrlEntry | undefined)[], issuer: Buffer): Crl['revoked'] {
  const revoked: Crl['revoked'] = new Map();
  let isOfAnother = false;
  for (const entry of entries) {
    if (entry?.issuers) isOfAnother = !entry.issuers.some((name) => isSameName(name, issuer));
    if (!entry || entry.isRemoved || isOfAnother) continue;
    revoked.set(entry.serial, Math.min(entry.at, revoked.get(entry.serial) ?? entry.at));
  }
  return revoked;
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
    names: names && listOf(explicit(names)).map(encoded),
    isForUsers: !isSet(2) && !isSet(5),
    isForCas: !isSet(1) && !isSet(5),
  };
}

// ── OCSP ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Ocsp = {
  responder: (certificate: Certificate) => boolean;
  producedAt: number;
  /** Whether it has no critical extension that is not known (RFC 6960, 4.4). */
  isUnderstood: boolean;
  answers: Answer[];
  certificates: Certificate[];
  signed: Buffer;
  algorithm: SignatureAlgorithm | undefined;
  signature: Buffer;
};

type Answer = {
  isAbout: (certificate: Certificate, issuer: Certificate) => boolean;
  status: 'good' | 'revoked' | 'unknown';
  revokedAt: number | undefined;
  thisUpdate: number;
  nextUpdate: number | undefined;
  isUnderstood: boolean;
};

/** Those of RFC 6960, 4.4: none changes the status. */
const OCSP_EXTENSIONS = '1.3.6.1.5.5.7.48.1.';

const areOcspExtensionsKnown = (parts: readonly Der[]): boolean =>
  [...extensionsOf(explicit(parts.find(({ tag }) => tag === contextTag(1))))].every(
    ([oid, { isCritical }]) => !isCritical || oid.startsWith(OCSP_EXTENSIONS),
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
  const said = sequenceOf(answers) ?? [];
  const isUsual = producedAt !== undefined && said.length <= VERIFY_LIMITS.answers;
  return {
    responder,
    producedAt: producedAt ?? 0,
    isUnderstood: isUsual && areOcspExtensionsKnown(rest),
    // Of more than any server says, what was revoked.
    answers: (isUsual ? said : said.filter(isRevocation).slice(0, VERIFY_LIMITS.revocations)).flatMap(
      answerOf,
    ),
    certificates: listOf(explicit(certificates)).flatMap((der) => readCertificate(encoded(der)) ?? []),
    signed: encoded(signed),
    algorithm: signatureAlgorithmOf(algorithm),
    signature: bits,
  };
}

/** By name [1], or by the hash of its key [2]. */
function responderOf(id: Der): Ocsp['responder'] | undefined {
  const value = explicit(id);
  if (!value) return undefined;
  if (id.tag === contextTag(1)) return ({ subject }) => subject.equals(encoded(value));
  const hash = octetsOf(value);
  if (id.tag !== contextTag(2) || !hash) return undefined;
  return ({ keyBits }) => digestOf('sha1', keyBits).equals(hash);
}

const isRevocation = (answer: Der): boolean => sequenceOf(answer)?.[1]?.tag === contextTag(1);

/** What revokes by a hash or at a time that cannot be read, of a certificate of the issuer that signed it. */
const revocationOf = (serial: Der, status: Der): Answer => ({
  isAbout: (certificate) => certificate.serial === hexOf(serial),
  status: 'revoked',
  revokedAt: timeOf(listOf(status)[0]),
  thisUpdate: 0,
  nextUpdate: undefined,
  isUnderstood: false,
});

function answerOf(der: Der): Answer[] {
  const [id, status, begin, ...rest] = sequenceOf(der) ?? [];
  const [algorithm, nameHash, keyHash, serial] = sequenceOf(id) ?? [];
  const hash = hashOf(algorithm);
  const thisUpdate = timeOf(begin);
  const [name, key] = [octetsOf(nameHash), octetsOf(keyHash)];
  if (!status || serial?.tag !== TAG.integer) return [];
  const isRevoked = isRevocation(der);
  if (!hash || thisUpdate === undefined || !name || !key)
    return isRevoked ? [revocationOf(serial, status)] : [];
  return [
    {
      isAbout: (certificate, issuer) =>
        certificate.serial === hexOf(serial) &&
        hashOfPart(issuer, 'subject', hash).equals(name) &&
        hashOfPart(issuer, 'keyBits', hash).equals(key),
      status: isRevoked ? 'revoked' : status.tag === contextTag(0, false) ? 'good' : 'unknown',
      revokedAt: isRevoked ? timeOf(listOf(status)[0]) : undefined,
      thisUpdate,
      nextUpdate: timeOf(explicit(rest.find(({ tag }) => tag === contextTag(0)))),
      isUnderstood: areOcspExtensionsKnown(rest),
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
};

/** `revokedAt` is when it was revoked, also where it was good at the time that was asked for. */
export type RevocationStatus = { is: 'good' | 'unknown' | 'revoked'; revokedAt: number | undefined };

type RevocationQuestion = {
  /** What is asked is whether it was good then. */
  time: number;
  /** Nothing that claims to be younger than this counts. */
  latest: number;
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
    const issuerRevokedAt = statuses[0]?.revokedAt ?? Number.POSITIVE_INFINITY;
    statuses.unshift(statusOf(certificate, issuer, revocations, { ...question, issuerRevokedAt }));
  }
  return statuses;
}

/** Of one certificate. From `issuerRevokedAt` on, others may have the key of the issuer and say that a certificate is good. */
function statusOf(
  certificate: Certificate,
  issuer: Certificate,
  known: Revocations,
  { time, latest, issuerRevokedAt }: RevocationQuestion & { issuerRevokedAt: number },
): RevocationStatus {
  const reports = [
    ...known.crls.map((crl) => reportOfCrl(crl, certificate, issuer)),
    ...known.ocsps.flatMap((ocsp) => reportOfOcsp(ocsp, certificate, issuer, known)),
  ].filter((report) => report !== undefined);
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

/** Whether a list says of a certificate that it is good or revoked, rightly signed by the issuer. */
export const isListFor = (crl: Crl, certificate: Certificate, issuer: Certificate): boolean =>
  reportOfCrl(crl, certificate, issuer)?.isKnown === true;

function reportOfCrl(crl: Crl, certificate: Certificate, issuer: Certificate): Report | undefined {
  const isAboutAll = crl.isUnderstood && isForIt(crl, certificate);
  const revokedAt = crl.revoked.get(certificate.serial);
  if (!isSameName(crl.issuer, certificate.issuer) || (!isAboutAll && revokedAt === undefined))
    return undefined;
  const maySign = issuer.keyUsage?.crlSign !== false;
  if (!isSignedWith(crl, issuer)) return undefined;
  return {
    isKnown: isAboutAll && maySign && isStrong(crl),
    revokedAt,
    thisUpdate: crl.thisUpdate,
    nextUpdate: crl.nextUpdate ?? crl.thisUpdate,
    madeAt: crl.thisUpdate,
  };
}

/** Names are compared as they are read: in any type of string, and without regard to case and blanks (RFC 5280, 7.1). */
function isSameName(one: Buffer, other: Buffer): boolean {
  return one.equals(other) || plainName(one) === plainName(other);
}

function plainName(name: Buffer): string {
  const read = readDer(name);
  return read ? nameInWords(read).toLowerCase().replace(/\s+/g, ' ').trim() : '';
}

/** Another list or answer with the same SHA-1 can be made: a weak one does not say that a certificate is good. */
const isStrong = ({ algorithm }: { algorithm: SignatureAlgorithm | undefined }): boolean =>
  !(algorithm?.hash && isWeakHash(algorithm.hash));

function isForIt({ point }: Crl, certificate: Certificate): boolean {
  if (!point) return true;
  if (certificate.isCa ? !point.isForCas : !point.isForUsers) return false;
  return !point.names || point.names.some((name) => certificate.crlPoints?.includes(name));
}

function reportOfOcsp(
  ocsp: Ocsp,
  certificate: Certificate,
  issuer: Certificate,
  known: Revocations,
): Report[] {
  const answers = ocsp.answers.filter(({ isAbout }) => isAbout(certificate, issuer));
  if (answers.length === 0) return [];
  const responder = isFrom(ocsp, issuer)
    ? issuer
    : [...ocsp.certificates, ...known.certificates].find(
        (one) => isFrom(ocsp, one) && isResponder(one, issuer, ocsp.producedAt, known),
      );
  if (!responder) return [];
  return answers.map((answer) => reportOfAnswer(ocsp, answer, certificate, responder));
}

const isFrom = (ocsp: Ocsp, responder: Certificate): boolean =>
  ocsp.responder(responder) && isSignedWith(ocsp, responder);

function reportOfAnswer(
  ocsp: Ocsp,
  { status, revokedAt, thisUpdate, nextUpdate, isUnderstood }: Answer,
  { notBefore }: Certificate,
  responder: Certificate,
): Report {
  return {
    isKnown: status !== 'unknown' && isUnderstood && ocsp.isUnderstood && isStrong(ocsp),
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
  issuer: Certificate,
  at: number,
  { crls, ocsps }: Revocations,
): boolean {
  const { purposes, keyUsage, unknownCritical, notBefore, notAfter, key } = responder;
  const isNamed = purposes?.includes(PURPOSE.ocsp) === true && keyUsage?.digitalSignature !== false;
  const isSound = unknownCritical.length === 0 && key !== undefined && !isWeakKey(key) && isStrong(responder);
  if (!isNamed || !isSound || at < notBefore || at > notAfter || !isIssuedBy(responder, issuer)) return false;
  // Answers of the issuer itself, because those of other responders would ask for their responders without an end.
  const answers = ocsps.filter((ocsp) => isFrom(ocsp, issuer)).flatMap((ocsp) => ocsp.answers);
  const isRevoked = ({ status, isAbout }: Answer) => status === 'revoked' && isAbout(responder, issuer);
  return (
    !answers.some(isRevoked) &&
    !crls.some((crl) => reportOfCrl(crl, responder, issuer)?.revokedAt !== undefined)
  );
}
