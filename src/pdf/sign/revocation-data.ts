// Reads what documents and authorities have on revocation: lists (RFC 5280, 5) and answers of OCSP (RFC 6960). It tells what each says, and who is said to
// have signed it; whether that is so is decided in revocation-status.ts.

import { VERIFY_LIMITS } from '../limits.ts';
import { digestOf, type HashName, hashOf, signatureAlgorithmOf } from './algorithms.ts';
import { type Certificate, directoryNamesIn, readCertificate } from './certificate.ts';
import {
  bitsOf,
  contentOf,
  contextTag,
  type Der,
  encoded,
  explicit,
  hexOf,
  listOf,
  MOST_CHILDREN,
  numberOf,
  octetsOf,
  oidOf,
  readableIn,
  readDer,
  sequenceOf,
  TAG,
  timeOf,
} from './der.ts';
import { type Checks, exhaust, type SignedStructure, spend } from './signed-by.ts';

// ── lists ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Crl = SignedStructure & {
  /** It has no bytes that follow the list. */
  der: Buffer;
  issuer: Buffer;
  /** A time that cannot be read is zero. */
  thisUpdate: number;
  nextUpdate: number | undefined;
  /** The list may be for a part of all certificates. */
  point: Scope | undefined;
  /** It is false if it does not say which certificates are good. Certificates that it names are revoked in any case. */
  isUnderstood: boolean;
  /** Entries are read when they are first asked for, and only behind a signature that is right: there may be a million. */
  entries(checks: Checks): CrlEntries;
};

/** `names` are those of the place where the list is, any of which a certificate may use; as encoded, in characters of one byte each. */
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
/** A certificate may be on hold for a while (certificateHold). */
const ON_HOLD = 6;
/** A delta list removes a certificate from the list that it completes (RFC 5280, 5.3.1). */
const REMOVED = 8;

export function readCrl(bytes: Buffer): Crl | undefined {
  const whole = readDer(bytes);
  const [signed, algorithm, signature] = sequenceOf(whole) ?? [];
  const elements = sequenceOf(signed);
  const bits = bitsOf(signature);
  if (!whole || !signed || !elements || !bits) return undefined;
  const [, issuer, thisUpdate, ...rest] = elements[0]?.tag === TAG.integer ? elements.slice(1) : elements;
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

/** Certificates are named by their serial numbers. */
type CrlEntries = {
  bySerial: ReadonlyMap<string, CrlEntry>;
  areUnderstood: boolean;
};

export type CrlEntry = {
  at: number;
  isOnHold: boolean;
  /** They are the names of the issuer of the certificate; empty where they cannot be read, undefined for the issuer of the list. */
  issuers: readonly Buffer[] | undefined;
  /** Another issuer may have the same number. */
  next: CrlEntry | undefined;
};

function readEntries(list: Der | undefined, checks: Checks): CrlEntries {
  const bySerial = new Map<string, CrlEntry>();
  if (!list) return { bySerial, areUnderstood: true };
  const { elements, areAll } = readItems(list, checks);
  let areUnderstood = areAll;
  // An entry that names an issuer does so for the entries that follow (RFC 5280, 5.3.3).
  let issuers: CrlEntry['issuers'];
  for (const part of elements) {
    const entry = readEntry(part);
    if (entry.issuers) issuers = entry.issuers;
    if (!entry.isUnderstood) areUnderstood = false;
    if (entry.serial !== undefined && entry.reason !== REMOVED)
      addEntry(bySerial, entry.serial, { at: entry.at, isOnHold: entry.reason === ON_HOLD, issuers });
  }
  return { bySerial, areUnderstood };
}

/** Adds an entry. Where a certificate is listed twice, the earlier time counts. */
function addEntry(bySerial: Map<string, CrlEntry>, serial: string, entry: Omit<CrlEntry, 'next'>): void {
  const first = bySerial.get(serial);
  if (first && first.issuers === entry.issuers && first.isOnHold === entry.isOnHold)
    first.at = Math.min(first.at, entry.at);
  else bySerial.set(serial, { ...entry, next: first });
}

function readEntry(entry: Der) {
  const { elements, areAll } = readableIn(entry);
  const [serial, date, listed] = elements;
  const at = timeOf(date);
  const { byId, areKnown } = listed ? extensionsIn(listed) : NO_EXTENSIONS;
  const issuer = byId.get(EXTENSION.entryIssuer);
  const issuers = issuer && directoryNamesIn(issuer.value);
  return {
    serial: serial?.tag === TAG.integer ? hexOf(serial) : undefined,
    // Where the time cannot be read, it was never good.
    at: at ?? 0,
    reason: numberOf(byId.get(EXTENSION.reason)?.value),
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
 * Reads the part of all certificates that a list is for (RFC 5280, 5.2.5). Returns undefined for lists of several issuers (4) and for some
 * reasons only (3), which say less than they seem to, and for what cannot be read.
 */
function scopeOf(value: Der | undefined): Scope | undefined {
  const elements = sequenceOf(value);
  if (!elements?.every(({ tag }) => SCOPES.has(tag))) return undefined;
  const isSet = (number: number) =>
    elements.some((part) => part.tag === contextTag(number, false) && contentOf(part)[0] !== 0);
  if (isSet(4)) return undefined;
  const names = elements.find(({ tag }) => tag === contextTag(0));
  // Lists of attribute certificates (5) are for neither.
  return {
    names: names && new Set(listOf(explicit(names)).map((name) => encoded(name).toString('latin1'))),
    isForUsers: !isSet(2) && !isSet(5),
    isForCas: !isSet(1) && !isSet(5),
  };
}

// ── answers of OCSP ─────────────────────────────────────────────────────────────────────────────────────────────────

export type Ocsp = SignedStructure & {
  /** The signer is found by its name, or by the hash of its key. */
  responder: ResponderId;
  /** A time that cannot be read is zero. */
  producedAt: number;
  /** It is false if it has a critical extension that is not known (RFC 6960, 4.4). */
  isUnderstood: boolean;
  /** Answers are found by serial numbers of certificates, and read when they are first asked for, as the entries of a list are. */
  answers(checks: Checks): ReadonlyMap<string, readonly Answer[]>;
  certificates: Certificate[];
};

export type ResponderId = { name: Buffer } | { keyHash: Buffer };

export type Answer = {
  isAbout: (issuer: Certificate) => boolean;
  serial: string;
  status: 'good' | 'revoked' | 'unknown';
  revokedAt: number | undefined;
  /** It is true if the certificate was revoked for a while (certificateHold). */
  isOnHold: boolean;
  thisUpdate: number;
  nextUpdate: number | undefined;
  isUnderstood: boolean;
};

/** None of the extensions of RFC 6960, 4.4, changes the status. */
const OCSP_EXTENSIONS = '1.3.6.1.5.5.7.48.1.';

const areOcspExtensionsKnown = (elements: readonly Der[]): boolean =>
  extensionsOf(elements.find(({ tag }) => tag === contextTag(1))).areKnown((oid) =>
    oid.startsWith(OCSP_EXTENSIONS),
  );

/** Reads a response with the envelope that a server sends, or without. */
export function readOcsp(bytes: Buffer): Ocsp | undefined {
  const elements = sequenceOf(readDer(bytes));
  if (elements?.[0]?.tag === TAG.sequence) return readBasic(elements);
  const [, octets] = sequenceOf(explicit(elements?.[1])) ?? [];
  const basic = numberOf(elements?.[0]) === 0 ? octetsOf(octets) : undefined;
  return basic && readBasic(sequenceOf(readDer(basic)));
}

function readBasic(elements: Der[] | undefined): Ocsp | undefined {
  const [signed, algorithm, signature, certificates] = elements ?? [];
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

/** A responder is named [1], or known by the hash of its key [2]. */
function responderOf(id: Der): ResponderId | undefined {
  const value = explicit(id);
  if (!value) return undefined;
  if (id.tag === contextTag(1)) return { name: encoded(value) };
  const keyHash = octetsOf(value);
  return id.tag === contextTag(2) && keyHash ? { keyHash } : undefined;
}

function readAnswers(list: Der | undefined, isTimed: boolean, checks: Checks): Map<string, Answer[]> {
  const { elements, areAll } = readItems(list, checks);
  const bySerial = new Map<string, Answer[]>();
  // Where there are more answers than any server sends, only those that revoke count.
  const isUsual = isTimed && areAll && elements.length <= VERIFY_LIMITS.answers;
  const counted = isUsual ? elements : elements.filter(isRevocation);
  if (counted.length > VERIFY_LIMITS.revocations) exhaust(checks);
  for (const answer of counted.slice(0, VERIFY_LIMITS.revocations).flatMap(answerOf)) {
    const others = bySerial.get(answer.serial);
    if (others) others.push(answer);
    else bySerial.set(answer.serial, [answer]);
  }
  return bySerial;
}

/** The status `revoked` may also have the form of a value without parts. */
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
      isOnHold: isRevoked && numberOf(explicit(listOf(status)[1])) === ON_HOLD,
      thisUpdate: isWhole ? thisUpdate : 0,
      nextUpdate: isWhole ? timeOf(explicit(rest.find(({ tag }) => tag === contextTag(0)))) : undefined,
      isUnderstood: isWhole && areOcspExtensionsKnown(rest),
    },
  ];
}

const hashes = new WeakMap<Certificate, Map<string, Buffer>>();

/** Hashes a part of an issuer once: many answers may name the same issuer. */
export function hashOfPart(issuer: Certificate, part: 'subject' | 'keyBits', hash: HashName): Buffer {
  const ofIssuer = hashes.get(issuer) ?? new Map<string, Buffer>();
  hashes.set(issuer, ofIssuer);
  const digest = ofIssuer.get(`${part} ${hash}`) ?? digestOf(hash, issuer[part]);
  ofIssuer.set(`${part} ${hash}`, digest);
  return digest;
}

// ── extensions and entries of both ──────────────────────────────────────────────────────────────────────────────────

/** The value is undefined where it cannot be read. */
type Extension = { isCritical: boolean; value: Der | undefined };

type Extensions = {
  byId: Map<string, Extension>;
  /** Tells whether all can be read, each stands once (RFC 5280, 4.2), and those that are critical are known. */
  areKnown(isKnown: (oid: string) => boolean): boolean;
};

/** @param part holds the list of extensions; undefined where there is none */
const extensionsOf = (part: Der | undefined): Extensions =>
  part ? extensionsIn(explicit(part)) : NO_EXTENSIONS;

const NO_EXTENSIONS: Extensions = { byId: new Map(), areKnown: () => true };

function extensionsIn(list: Der | undefined): Extensions {
  const byId = new Map<string, Extension>();
  const { elements, areAll } = readableIn(list);
  for (const extension of elements) {
    const [id, ...rest] = sequenceOf(extension) ?? [];
    const octets = octetsOf(rest.at(-1));
    const value = octets && readDer(octets);
    const isCritical = rest[0]?.tag === TAG.boolean && contentOf(rest[0])[0] !== 0;
    const oid = oidOf(id) ?? '';
    // Of one that stands twice, the first is taken, and the list is not understood.
    if (!byId.has(oid)) byId.set(oid, { isCritical, value });
  }
  const isEachOnce = list?.tag === TAG.sequence && areAll && byId.size === elements.length;
  return {
    byId,
    areKnown: (isKnown) =>
      isEachOnce && [...byId].every(([oid, { isCritical }]) => !isCritical || isKnown(oid)),
  };
}

/** So many entries take as long to read as a signature takes to check. */
const ENTRIES_OF_A_CHECK = 1000;

/** Reads the entries of a list, or the answers of a response: none where they are more than what remains for the file. */
function readItems(list: Der | undefined, checks: Checks): ReturnType<typeof readableIn> {
  const { elements, areAll } = readableIn(list);
  if (elements.length >= MOST_CHILDREN) exhaust(checks);
  const isEnough = spend(checks, Math.floor(elements.length / ENTRIES_OF_A_CHECK));
  return isEnough ? { elements, areAll } : { elements: [], areAll: false };
}
