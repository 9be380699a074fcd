// Revocation lists (RFC 5280, 5) and answers of OCSP (RFC 6960) that a document contains: the status of a certificate
// at a time. It must never accept a list or an answer that neither the issuer of the certificate nor its delegate signed.
import {
  digestOf,
  hashOf,
  isWeakHash,
  isWeakKey,
  type SignatureAlgorithm,
  signatureAlgorithmOf,
} from './algorithms.ts';
import {
  type Certificate,
  isIssuedBy,
  isSignedWith,
  listOf,
  PURPOSE,
  readCertificate,
} from './certificate.ts';
import {
  bitsOf,
  contentOf,
  context,
  type Der,
  encoded,
  explicit,
  hexOf,
  numberOf,
  octetsOf,
  oidOf,
  readDer,
  sequence,
  TAG,
  timeOf,
} from './der.ts';

export type Crl = {
  issuer: Buffer;
  thisUpdate: number;
  nextUpdate: number | undefined;
  /** When each certificate was revoked, by its serial number. */
  revoked: Map<string, { at: number; reason: number | undefined }>;
  /** The part of all certificates that the list is for. */
  point: { names: Buffer | undefined; isForUsers: boolean; isForCas: boolean } | undefined;
  isUnderstood: boolean;
  signed: Buffer;
  algorithm: SignatureAlgorithm | undefined;
  signature: Buffer;
};

const EXTENSION = { delta: '2.5.29.27', point: '2.5.29.28', reason: '2.5.29.21' } as const;
/** Numbers and key ids change nothing of what a list says. */
const HARMLESS = new Set<string>(['2.5.29.20', '2.5.29.35', '2.5.29.60', EXTENSION.point]);

export function readCrl(bytes: Buffer): Crl | undefined {
  const [signed, algorithm, signature] = sequence(readDer(bytes)) ?? [];
  const parts = sequence(signed);
  const bits = bitsOf(signature);
  if (!signed || !parts || !bits) return undefined;
  const [, issuer, thisUpdate, ...rest] = parts[0]?.tag === TAG.integer ? parts.slice(1) : parts;
  const begin = timeOf(thisUpdate);
  if (!issuer || begin === undefined) return undefined;
  const extensions = extensionsOf(explicit(rest.find(({ tag }) => tag === context(0))));
  const revoked = (sequence(rest.find(({ tag }) => tag === TAG.sequence)) ?? []).map(entryOf);
  const point = extensions.get(EXTENSION.point);
  return {
    issuer: encoded(issuer),
    thisUpdate: begin,
    nextUpdate: timeOf(rest[0]),
    revoked: new Map(revoked.filter((entry) => entry !== undefined)),
    point: point && pointOf(point.value),
    isUnderstood:
      [...extensions].every(([oid, { isCritical }]) => !isCritical || HARMLESS.has(oid)) &&
      !isIndirect(point?.value) &&
      // A list of what is new says nothing of the rest.
      !extensions.has(EXTENSION.delta) &&
      !revoked.includes(undefined),
    signed: encoded(signed),
    algorithm: signatureAlgorithmOf(algorithm),
    signature: bits,
  };
}

type Extension = { isCritical: boolean; value: Der };

function extensionsOf(list: Der | undefined): Map<string, Extension> {
  const found = new Map<string, Extension>();
  for (const extension of sequence(list) ?? []) {
    const [id, ...rest] = sequence(extension) ?? [];
    const octets = octetsOf(rest.at(-1));
    const value = octets && readDer(octets);
    const isCritical = rest[0]?.tag === TAG.boolean && contentOf(rest[0])[0] !== 0;
    if (value) found.set(oidOf(id) ?? '', { isCritical, value });
  }
  return found;
}

function entryOf(entry: Der): [string, { at: number; reason: number | undefined }] | undefined {
  const [serial, date, extensions] = sequence(entry) ?? [];
  const at = timeOf(date);
  if (serial?.tag !== TAG.integer || at === undefined) return undefined;
  const reason = extensions && extensionsOf(extensions).get(EXTENSION.reason);
  return [hexOf(serial), { at, reason: numberOf(reason?.value) }];
}

function pointOf(value: Der): Crl['point'] {
  const parts = sequence(value) ?? [];
  const isSet = (number: number) =>
    parts.some((part) => part.tag === context(number, false) && contentOf(part)[0] !== 0);
  const names = parts.find(({ tag }) => tag === context(0));
  // Lists of attribute certificates (5) are for neither.
  return {
    names: names && contentOf(names),
    isForUsers: !isSet(2) && !isSet(5),
    isForCas: !isSet(1) && !isSet(5),
  };
}

/** Lists of several issuers (4), and lists for some reasons only (3), say less than they seem to. */
const isIndirect = (point: Der | undefined): boolean =>
  (sequence(point) ?? []).some(
    ({ tag, bytes, content }) =>
      tag === context(3, false) || (tag === context(4, false) && bytes[content] !== 0),
  );

// ── OCSP ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Ocsp = {
  responder: (certificate: Certificate) => boolean;
  producedAt: number;
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
};

/** With the envelope that a server sends, or without. */
export function readOcsp(bytes: Buffer): Ocsp | undefined {
  const parts = sequence(readDer(bytes));
  if (parts?.[0]?.tag === TAG.sequence) return readBasic(parts);
  const [, octets] = sequence(explicit(parts?.[1])) ?? [];
  const basic = numberOf(parts?.[0]) === 0 ? octetsOf(octets) : undefined;
  return basic && readBasic(sequence(readDer(basic)));
}

function readBasic(parts: Der[] | undefined): Ocsp | undefined {
  const [signed, algorithm, signature, certificates] = parts ?? [];
  const data = sequence(signed);
  const bits = bitsOf(signature);
  if (!signed || !data || !bits) return undefined;
  const [id, produced, answers] = data[0]?.tag === context(0) ? data.slice(1) : data;
  const responder = id && responderOf(id);
  const producedAt = timeOf(produced);
  if (!responder || producedAt === undefined) return undefined;
  return {
    responder,
    producedAt,
    answers: (sequence(answers) ?? []).flatMap(answerOf),
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
  if (id.tag === context(1)) return ({ subject }) => subject.equals(encoded(value));
  const hash = octetsOf(value);
  if (id.tag !== context(2) || !hash) return undefined;
  return ({ keyBits }) => digestOf('sha1', keyBits).equals(hash);
}

function answerOf(der: Der): Answer[] {
  const [id, status, begin, ...rest] = sequence(der) ?? [];
  const [algorithm, nameHash, keyHash, serial] = sequence(id) ?? [];
  const hash = hashOf(algorithm);
  const thisUpdate = timeOf(begin);
  const [name, key] = [octetsOf(nameHash), octetsOf(keyHash)];
  if (!status || !hash || thisUpdate === undefined || !name || !key || serial?.tag !== TAG.integer) return [];
  const isRevoked = status.tag === context(1);
  return [
    {
      isAbout: (certificate, issuer) =>
        certificate.serial === hexOf(serial) &&
        digestOf(hash, issuer.subject).equals(name) &&
        digestOf(hash, issuer.keyBits).equals(key),
      status: isRevoked ? 'revoked' : status.tag === context(0, false) ? 'good' : 'unknown',
      revokedAt: isRevoked ? timeOf(listOf(status)[0]) : undefined,
      thisUpdate,
      nextUpdate: timeOf(explicit(rest.find(({ tag }) => tag === context(0)))),
    },
  ];
}

// ── what they say of a certificate ──────────────────────────────────────────────────────────────────────────────

export type Revocations = { crls: readonly Crl[]; ocsps: readonly Ocsp[] };

/** `at` is when it was revoked. */
export type RevocationStatus = { is: 'good' | 'unknown' } | { is: 'revoked'; at: number };

/**
 * What is known of a certificate.
 * @param time what is asked is whether it was good then
 * @param latest nothing that claims to be younger than this counts
 */
export function statusOf(
  certificate: Certificate,
  issuer: Certificate,
  { crls, ocsps }: Revocations,
  time: number,
  latest: number,
): RevocationStatus {
  const reports = [
    ...crls.map((crl) => reportOfCrl(crl, certificate, issuer)),
    ...ocsps.flatMap((ocsp) => reportOfOcsp(ocsp, certificate, issuer, crls)),
  ].filter((report) => report !== undefined);
  const current = reports.filter(({ thisUpdate }) => thisUpdate <= latest);
  const revoked = current.flatMap(({ revokedAt }) => revokedAt ?? []);
  if (revoked.some((at) => at <= time)) return { is: 'revoked', at: Math.min(...revoked) };
  const isGood = current.some(
    (report) =>
      report.isKnown &&
      (report.thisUpdate >= time ? report.thisUpdate <= certificate.notAfter : time <= report.nextUpdate),
  );
  return { is: isGood ? 'good' : 'unknown' };
}

type Report = { isKnown: boolean; revokedAt: number | undefined; thisUpdate: number; nextUpdate: number };

function reportOfCrl(crl: Crl, certificate: Certificate, issuer: Certificate): Report | undefined {
  if (!crl.isUnderstood || !crl.issuer.equals(certificate.issuer) || !isForIt(crl, certificate))
    return undefined;
  if (issuer.keyUsage && !issuer.keyUsage.crlSign) return undefined;
  if (!isSignedWith(crl, issuer)) return undefined;
  return {
    isKnown: isStrong(crl),
    revokedAt: crl.revoked.get(certificate.serial)?.at,
    thisUpdate: crl.thisUpdate,
    nextUpdate: crl.nextUpdate ?? crl.thisUpdate,
  };
}

/** Another list or answer with the same SHA-1 can be made: a weak one does not say that a certificate is good. */
const isStrong = ({ algorithm }: { algorithm: SignatureAlgorithm | undefined }): boolean =>
  !(algorithm?.hash && isWeakHash(algorithm.hash));

function isForIt({ point }: Crl, certificate: Certificate): boolean {
  if (!point) return true;
  if (certificate.isCa ? !point.isForCas : !point.isForUsers) return false;
  return !point.names || certificate.crlPoints?.includes(point.names) === true;
}

function reportOfOcsp(
  ocsp: Ocsp,
  certificate: Certificate,
  issuer: Certificate,
  crls: readonly Crl[],
): Report[] {
  const answers = ocsp.answers.filter(({ isAbout }) => isAbout(certificate, issuer));
  if (answers.length === 0) return [];
  const isFrom = (one: Certificate) => ocsp.responder(one) && isSignedWith(ocsp, one);
  const responder = isFrom(issuer)
    ? issuer
    : ocsp.certificates.find((one) => isResponder(one, issuer, ocsp.producedAt, crls) && isFrom(one));
  if (!responder) return [];
  return answers.map(({ status, revokedAt, thisUpdate, nextUpdate }) => ({
    isKnown: status !== 'unknown' && isStrong(ocsp),
    revokedAt: status === 'revoked' ? (revokedAt ?? thisUpdate) : undefined,
    thisUpdate,
    // A responder speaks of no time after its own.
    nextUpdate: Math.min(nextUpdate ?? thisUpdate, responder.notAfter),
  }));
}

/** Whether the issuer named a responder for it, which was in force when it answered and was not revoked itself. */
function isResponder(responder: Certificate, issuer: Certificate, at: number, crls: readonly Crl[]): boolean {
  const { purposes, keyUsage, unknownCritical, notBefore, notAfter, key } = responder;
  const isNamed = purposes?.includes(PURPOSE.ocsp) === true && keyUsage?.digitalSignature !== false;
  const isSound = unknownCritical.length === 0 && key !== undefined && !isWeakKey(key) && isStrong(responder);
  if (!isNamed || !isSound || at < notBefore || at > notAfter || !isIssuedBy(responder, issuer)) return false;
  return !crls.some((crl) => reportOfCrl(crl, responder, issuer)?.revokedAt !== undefined);
}
