// Reads and writes DER, the encoding of certificates and signatures (X.690). What is read may be any bytes, and nothing here throws. Lengths without an
// end (BER) are understood, because signatures have them; everything else must be as DER wants it.

/** A value has a tag, and lies with its content somewhere in `bytes`. */
export type Der = {
  bytes: Buffer;
  /** The whole first byte has class, form and number. */
  tag: number;
  start: number;
  content: number;
  contentEnd: number;
  end: number;
  /** It is true if it has a length without an end. */
  isIndefinite: boolean;
};

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Returns the tag of `[number]` in a choice or for an optional part. */
export const contextTag = (number: number, isConstructed = true): number =>
  (isConstructed ? 0xa0 : 0x80) + number;

const CONSTRUCTED = 0x20;
const MOST_OID_BYTES = 64;
const DEPTH = 24;
// A timestamp in a signature has its certificates some twenty levels down.
const MOST_NESTED = 64;
// A certificate revocation list may have as many entries.
export const MOST_CHILDREN = 2_000_000;

/** Reads the value that begins at `at`, and ignores the bytes after it. */
export function readDer(bytes: Buffer, at = 0, end = bytes.length, depth = DEPTH): Der | undefined {
  const tag = bytes[at];
  // Tags of several bytes are used nowhere here.
  if (tag === undefined || (tag & 0x1f) === 0x1f || depth === 0) return undefined;
  return valueAt(bytes, tag, at, at + 1, end, depth);
}

/** @param at where the length begins */
function valueAt(
  bytes: Buffer,
  tag: number,
  start: number,
  at: number,
  end: number,
  depth: number,
): Der | undefined {
  const first = bytes[at];
  if (first === undefined || at + 1 > end) return undefined;
  if (first < 0x80) return definite(bytes, tag, start, at + 1, first, end);
  if (first === 0x80) return indefinite(bytes, tag, start, end, depth);
  const count = first & 0x7f;
  if (count > 4 || at + 1 + count > end) return undefined;
  const length = bytes.readUIntBE(at + 1, count);
  return definite(bytes, tag, start, at + 1 + count, length, end);
}

function definite(bytes: Buffer, tag: number, start: number, content: number, length: number, end: number) {
  const stop = content + length;
  if (stop > end) return undefined;
  return { bytes, tag, start, content, contentEnd: stop, end: stop, isIndefinite: false };
}

/** A length without an end ends with two zero bytes where the next value would begin. */
function indefinite(bytes: Buffer, tag: number, start: number, end: number, depth: number): Der | undefined {
  if ((tag & CONSTRUCTED) === 0) return undefined;
  let at = start + 2;
  for (let count = 0; count < MOST_CHILDREN; count += 1) {
    if (bytes[at] === 0 && bytes[at + 1] === 0 && at + 2 <= end)
      return { bytes, tag, start, content: start + 2, contentEnd: at, end: at + 2, isIndefinite: true };
    const child = readDer(bytes, at, end, depth - 1);
    if (!child) return undefined;
    at = child.end;
  }
  return undefined;
}

/** Lists the values in a constructed one; undefined where they do not fill it exactly. */
export function childrenOf(der: Der | undefined): Der[] | undefined {
  if (!der || (der.tag & CONSTRUCTED) === 0) return undefined;
  const children: Der[] = [];
  for (let at = der.content; at < der.contentEnd; ) {
    const child = readDer(der.bytes, at, der.contentEnd);
    if (!child || children.length >= MOST_CHILDREN) return undefined;
    children.push(child);
    at = child.end;
  }
  return children;
}

/**
 * Lists the values in a constructed one, without those that cannot be read. In a list of a million entries, an unusual one must not hide
 * the others.
 * @returns `areAll`: true if each was read
 */
export function readableIn(der: Der | undefined): { elements: Der[]; areAll: boolean } {
  const elements: Der[] = [];
  if (!der || (der.tag & CONSTRUCTED) === 0) return { elements, areAll: false };
  let areAll = true;
  for (let at = der.content; at < der.contentEnd; ) {
    const part = readDer(der.bytes, at, der.contentEnd);
    const end = part?.end ?? endOfLongTag(der.bytes, at, der.contentEnd);
    if (!part) areAll = false;
    if (end === undefined || elements.length >= MOST_CHILDREN) return { elements, areAll: false };
    if (part) elements.push(part);
    at = end;
  }
  return { elements, areAll };
}

/** Finds the end of a value whose tag has several bytes: its length follows the first of them without a high bit (X.690, 8.1.2.4). */
function endOfLongTag(bytes: Buffer, at: number, end: number): number | undefined {
  if ((bytes[at]! & 0x1f) !== 0x1f) return undefined;
  let last = at + 1;
  while (last < end && (bytes[last]! & 0x80) !== 0) last += 1;
  return valueAt(bytes, TAG.octetString, at, last + 1, end, DEPTH)?.end;
}

const STRING_TAGS = new Set<number>([TAG.bitString, TAG.octetString].map((tag) => tag | CONSTRUCTED));

/** Tells whether all of it is in the form that DER has: lengths that are as short as possible, and strings in one piece (X.690, 10). */
export function isDistinguished(der: Der, depth = MOST_NESTED): boolean {
  const length = der.contentEnd - der.content;
  const shortest = length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8);
  if (der.isIndefinite || der.content - der.start !== 2 + shortest || STRING_TAGS.has(der.tag)) return false;
  if ((der.tag & CONSTRUCTED) === 0) return true;
  return depth > 0 && childrenOf(der)?.every((child) => isDistinguished(child, depth - 1)) === true;
}

export const sequenceOf = (der: Der | undefined): Der[] | undefined =>
  der?.tag === TAG.sequence ? childrenOf(der) : undefined;

export const setOf = (der: Der | undefined): Der[] | undefined =>
  der?.tag === TAG.set ? childrenOf(der) : undefined;

/** Lists the values of a set or a sequence, whatever its tag. */
export const listOf = (der: Der | undefined): Der[] => childrenOf(der) ?? [];

/** Returns the only value in `[number] EXPLICIT`. */
export function explicit(der: Der | undefined): Der | undefined {
  const children = childrenOf(der);
  return children?.length === 1 ? children[0] : undefined;
}

/** Returns the bytes of the value with its tag and length. */
export const encoded = (der: Der): Buffer => der.bytes.subarray(der.start, der.end);
export const contentOf = (der: Der): Buffer => der.bytes.subarray(der.content, der.contentEnd);

export function oidOf(der: Der | undefined): string | undefined {
  if (der?.tag !== TAG.oid || der.content === der.contentEnd) return undefined;
  const numbers: number[] = [];
  let value = 0;
  for (const byte of contentOf(der)) {
    value = value * 128 + (byte & 0x7f);
    // A UUID as a number (X.667) is known by its bytes.
    if (value > Number.MAX_SAFE_INTEGER / 128)
      return `#${contentOf(der).subarray(0, MOST_OID_BYTES).toString('hex')}`;
    if (byte & 0x80) continue;
    if (numbers.length > 0) numbers.push(value);
    else numbers.push(Math.min(2, Math.floor(value / 40)), value - 40 * Math.min(2, Math.floor(value / 40)));
    value = 0;
  }
  return numbers.join('.');
}

/** Each number of it has the shortest form (X.690, 8.19.2). Readers differ in what they take others for. */
export function isShortestOid(der: Der | undefined): boolean {
  if (der?.tag !== TAG.oid) return false;
  const bytes = contentOf(der);
  const isBegin = (index: number) => index === 0 || (bytes[index - 1]! & 0x80) === 0;
  return (
    bytes.length > 0 &&
    (bytes.at(-1)! & 0x80) === 0 &&
    bytes.every((byte, index) => byte !== 0x80 || !isBegin(index))
  );
}

/** Reads small numbers only: versions, lengths, reasons. */
export function numberOf(der: Der | undefined): number | undefined {
  if (!der || (der.tag !== TAG.integer && der.tag !== TAG.enumerated)) return undefined;
  const content = contentOf(der);
  return content.length > 0 && content.length <= 4 ? content.readIntBE(0, content.length) : undefined;
}

/** Returns an integer of any size as hexadecimal digits without leading zeros. */
export function hexOf(der: Der): string {
  const content = contentOf(der);
  const first = content.findIndex((byte) => byte !== 0);
  return content.toString('hex', first === -1 ? Math.max(0, content.length - 1) : first);
}

export function octetsOf(der: Der | undefined, depth = DEPTH): Buffer | undefined {
  if (der?.tag === TAG.octetString) return contentOf(der);
  // BER allows a string in pieces.
  if (der?.tag !== (TAG.octetString | CONSTRUCTED) || depth === 0) return undefined;
  const pieces = childrenOf(der)?.map((piece) => octetsOf(piece, depth - 1));
  return pieces?.every((piece) => piece !== undefined) ? Buffer.concat(pieces as Buffer[]) : undefined;
}

/** Returns a string of bits that are whole bytes. */
export const bitsOf = (der: Der | undefined): Buffer | undefined =>
  der?.tag === TAG.bitString && der.bytes[der.content] === 0 ? flagsOf(der) : undefined;

/** Returns a string of bits of which each says something; those that are not there are not set. */
export const flagsOf = (der: Der): Buffer | undefined =>
  der.tag === TAG.bitString && der.content < der.contentEnd ? contentOf(der).subarray(1) : undefined;

const UTC = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?Z$/;

/** Returns milliseconds since 1970. */
export function timeOf(der: Der | undefined): number | undefined {
  if (der?.tag !== TAG.utcTime && der?.tag !== TAG.generalizedTime) return undefined;
  const text = contentOf(der).toString('latin1');
  const match = (der.tag === TAG.utcTime ? UTC : GENERALIZED).exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as SixNumbers;
  // Two digits stand for 1950 to 2049 (RFC 5280, 4.1.2.5.1).
  const whole = der.tag === TAG.utcTime ? year + (year < 50 ? 2000 : 1900) : year;
  const ms = match[7] === undefined ? 0 : Math.floor(Number(`0.${match[7]}`) * 1000);
  return timeAt([whole, month, day, hour, minute, second], ms);
}

type SixNumbers = [number, number, number, number, number, number];

/** Days are counted from the first of March, so that a leap day is the last one of its year. */
export function timeAt([year, month, day, hour, minute, second]: SixNumbers, ms = 0): number | undefined {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return undefined;
  if (day > (month === 2 ? 28 + Number(isLeapYear(year)) : 30 + ((month + (month >> 3)) & 1)))
    return undefined;
  const years = month > 2 ? year : year - 1;
  const months = (month + 9) % 12;
  const leap = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  const days = years * 365 + leap + Math.floor((months * 153 + 2) / 5) + day - 1 - DAYS_TO_1970;
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms;
}

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const DAYS_TO_1970 = 719_468;

const BMP_STRING = 0x1e;
const STRINGS = new Set([0x0c, 0x12, 0x13, 0x14, 0x16, 0x1a, BMP_STRING]);

export function stringOf(der: Der | undefined): string | undefined {
  if (!der || !STRINGS.has(der.tag)) return undefined;
  const content = contentOf(der);
  if (der.tag === TAG.utf8String) return content.toString('utf8');
  if (der.tag !== BMP_STRING) return content.toString('latin1');
  return Buffer.from(content.subarray(0, content.length & ~1))
    .swap16()
    .toString('utf16le');
}

// ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────────

export type DerPart = Uint8Array;

export function tagged(tag: number, ...contents: DerPart[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = unsigned(BigInt(length));
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

const unsigned = (value: bigint): Buffer => {
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
};

export const sequence = (...elements: DerPart[]): Buffer => tagged(TAG.sequence, ...elements);

/** DER has the elements of a SET OF in the order of their bytes. */
export const set = (...elements: DerPart[]): Buffer => tagged(TAG.set, ...inOrder(elements));

export const inOrder = (elements: readonly DerPart[]): DerPart[] => [...elements].sort(Buffer.compare);

/** Writes `[number]` around a value, or in place of the tag of a structure with these contents. */
export const context = (number: number, ...contents: DerPart[]): Buffer =>
  tagged(contextTag(number), ...contents);

/** Writes `[number]` in place of the tag of a value that has no parts. */
export const contextPrimitive = (number: number, content: DerPart): Buffer =>
  tagged(contextTag(number, false), content);

/** @param value bytes are a number without a sign */
export function derInteger(value: number | bigint | DerPart): Buffer {
  const bytes = value instanceof Uint8Array ? withoutLeadingZeros(value) : unsigned(BigInt(value));
  return tagged(TAG.integer, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

function withoutLeadingZeros(bytes: DerPart): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
}

export const TRUE = tagged(TAG.boolean, Buffer.from([0xff]));
export const NULL = tagged(TAG.null);

export const octets = (content: DerPart): Buffer => tagged(TAG.octetString, content);
export const bits = (content: DerPart): Buffer => tagged(TAG.bitString, Buffer.from([0]), content);

/** Writes a BIT STRING of flags by their numbers: the first bit is the highest of the first byte. */
export function flags(...numbers: number[]): Buffer {
  const highest = Math.max(...numbers);
  const bytes = Buffer.alloc((highest >> 3) + 1);
  for (const number of numbers) bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (0x80 >> (number & 7));
  return tagged(TAG.bitString, Buffer.from([7 - (highest & 7)]), bytes);
}

export const utf8 = (text: string): Buffer => tagged(TAG.utf8String, Buffer.from(text, 'utf8'));
export const printable = (text: string): Buffer => tagged(0x13, Buffer.from(text, 'latin1'));

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(TAG.oid, ...[first * 40 + second, ...rest].map(base128));
}

function base128(value: number): Buffer {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift((rest % 128) | 0x80);
  return Buffer.from(bytes);
}

/** Writes a time to the second. @param instant `2026-11-21T18:00:00.000Z` */
export const generalizedTime = (instant: string): Buffer =>
  tagged(TAG.generalizedTime, Buffer.from(`${digitsOf(instant)}Z`));

/** Certificates and revocation lists write years up to 2049 with two digits (RFC 5280 §4.1.2.5). */
export const time = (instant: string): Buffer =>
  instant < '2050'
    ? tagged(TAG.utcTime, Buffer.from(`${digitsOf(instant).slice(2)}Z`))
    : generalizedTime(instant);

/** Writes `20261121180000`. */
export const digitsOf = (instant: string): string => instant.slice(0, 19).replace(/[-:T]/g, '');

// ── numbers of what is encoded ──────────────────────────────────────────────────────────────────────────────────

/** Certificates and signatures name algorithms, attributes and extensions by these numbers. */
export const OID = {
  // Attributes of names.
  commonName: '2.5.4.3',
  country: '2.5.4.6',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',

  // Extensions of certificates and revocation lists.
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlNumber: '2.5.29.20',
  crlDistributionPoints: '2.5.29.31',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  documentSigning: '1.3.6.1.5.5.7.3.36',

  // Contents and attributes of signatures.
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
  adobeRevocation: '1.2.840.113583.1.1.8',
  algorithmProtection: '1.2.840.113549.1.9.52',
  ocspResponse: '1.3.6.1.5.5.7.16.2',

  // Algorithms.
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  rsa: '1.2.840.113549.1.1.1',
  rsaPss: '1.2.840.113549.1.1.10',
  mgf1: '1.2.840.113549.1.1.8',
  rsaSha256: '1.2.840.113549.1.1.11',
  rsaSha384: '1.2.840.113549.1.1.12',
  rsaSha512: '1.2.840.113549.1.1.13',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  ecdsaSha384: '1.2.840.10045.4.3.3',
  ecdsaSha512: '1.2.840.10045.4.3.4',
  ed25519: '1.3.101.112',

  // For examples and documentation (X.660): only its own store knows the embedded authority.
  examplePolicy: '2.999.1',
} as const;
