// Reads revocation lists (RFC 5280, 5): what each says, and who is said to have signed it. It must never decide whether that is so.

import { signatureAlgorithmOf } from '../sign/algorithms.ts';
import { directoryNamesIn } from '../sign/certificate.ts';
import {
  bitsOf,
  contentOf,
  contextTag,
  type Der,
  encoded,
  explicit,
  hexOf,
  listOf,
  numberOf,
  readableIn,
  readDer,
  sequenceOf,
  TAG,
  timeOf,
} from '../sign/read-der.ts';
import type { Checks, SignedStructure } from '../sign/signed-by.ts';
import { extensionsIn, extensionsOf, NO_EXTENSIONS, readItems } from './extensions.ts';

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
/** A certificate may be on hold for a while (certificateHold). */
export const ON_HOLD = 6;
/** A delta list removes a certificate from the list that it completes (RFC 5280, 5.3.1). */
const REMOVED = 8;

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

export type CrlEntries = {
  /** By serial number. */
  bySerial: ReadonlyMap<string, CrlEntry>;
  areUnderstood: boolean;
};

export type CrlEntry = {
  at: number;
  isOnHold: boolean;
  /** The names of the issuer of the certificate; none where they cannot be read. Undefined for the issuer of the list. */
  issuers: readonly Buffer[] | undefined;
  /** For the same number of another issuer. */
  next: CrlEntry | undefined;
};

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
    if (entry.serial !== undefined && entry.reason !== REMOVED)
      addEntry(bySerial, entry.serial, { at: entry.at, isOnHold: entry.reason === ON_HOLD, issuers });
  }
  return { bySerial, areUnderstood };
}

/** Of a certificate that is listed twice, the earlier time counts. */
function addEntry(bySerial: Map<string, CrlEntry>, serial: string, entry: Omit<CrlEntry, 'next'>): void {
  const first = bySerial.get(serial);
  if (first && first.issuers === entry.issuers && first.isOnHold === entry.isOnHold)
    first.at = Math.min(first.at, entry.at);
  else bySerial.set(serial, { ...entry, next: first });
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
