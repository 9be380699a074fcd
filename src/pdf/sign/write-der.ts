// Writes the structures of certificates and signatures in DER (X.690). It knows ASN.1 and nothing of what the structures mean.

export type DerPart = Uint8Array;

const SEQUENCE = 0x30;
const SET = 0x31;

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

export const sequence = (...parts: DerPart[]): Buffer => tagged(SEQUENCE, ...parts);

/** SET OF: DER has its elements in the order of their bytes. */
export const set = (...parts: DerPart[]): Buffer => tagged(SET, ...inOrder(parts));

export const inOrder = (parts: readonly DerPart[]): DerPart[] => [...parts].sort(Buffer.compare);

/** `[number]` around a value, or in place of the tag of a structure whose contents are given. */
export const context = (number: number, ...contents: DerPart[]): Buffer => tagged(0xa0 | number, ...contents);

/** `[number]` in place of the tag of a value that has no parts. */
export const contextPrimitive = (number: number, content: DerPart): Buffer => tagged(0x80 | number, content);

/** @param value bytes are a number without a sign */
export function derInteger(value: number | bigint | DerPart): Buffer {
  const bytes = value instanceof Uint8Array ? withoutLeadingZeros(value) : unsigned(BigInt(value));
  return tagged(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

function withoutLeadingZeros(bytes: DerPart): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
}

export const TRUE = tagged(0x01, Buffer.from([0xff]));
export const NULL = tagged(0x05);

export const octets = (content: DerPart): Buffer => tagged(0x04, content);
export const bits = (content: DerPart): Buffer => tagged(0x03, Buffer.from([0]), content);

/** A BIT STRING of flags, by their numbers: the first bit is the highest of the first byte. */
export function flags(...numbers: number[]): Buffer {
  const highest = Math.max(...numbers);
  const bytes = Buffer.alloc((highest >> 3) + 1);
  for (const number of numbers) bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (0x80 >> (number & 7));
  return tagged(0x03, Buffer.from([7 - (highest & 7)]), bytes);
}

export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text, 'utf8'));
export const printable = (text: string): Buffer => tagged(0x13, Buffer.from(text, 'latin1'));

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, ...[first * 40 + second, ...rest].map(base128));
}

function base128(value: number): Buffer {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift((rest % 128) | 0x80);
  return Buffer.from(bytes);
}

/** To the second. @param instant `2026-11-21T18:00:00.000Z` */
export const generalizedTime = (instant: string): Buffer =>
  tagged(0x18, Buffer.from(`${digitsOf(instant)}Z`));

/** As certificates and revocation lists write it (RFC 5280 §4.1.2.5): years up to 2049 with two digits. */
export const time = (instant: string): Buffer =>
  instant < '2050' ? tagged(0x17, Buffer.from(`${digitsOf(instant).slice(2)}Z`)) : generalizedTime(instant);

/** `20261121180000` */
export const digitsOf = (instant: string): string => instant.slice(0, 19).replace(/[-:T]/g, '');
