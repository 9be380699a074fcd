// Lists the algorithms of signatures that are known, and tells whether a key can be forged. The mathematics is node:crypto's. What is not in these tables is not
// known, so that no algorithm is taken for another one.

import {
  constants,
  createHash,
  createPublicKey,
  type Hash,
  type KeyObject,
  publicDecrypt,
  verify,
} from 'node:crypto';
import {
  bitsOf,
  type Der,
  encoded,
  explicit,
  hexOf,
  numberOf,
  oidOf,
  readDer,
  sequenceOf,
  TAG,
} from './der.ts';

export type HashName =
  | 'md5'
  | 'sha1'
  | 'sha224'
  | 'sha256'
  | 'sha384'
  | 'sha512'
  | 'sha3-224'
  | 'sha3-256'
  | 'sha3-384'
  | 'sha3-512'
  | 'shake256';

const HASHES: Record<string, HashName> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.7': 'sha3-224',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  // With Ed448 (RFC 8702, RFC 8419); the second one names its length.
  '2.16.840.1.101.3.4.2.12': 'shake256',
  '2.16.840.1.101.3.4.2.18': 'shake256',
};

const SHAKE256_WITH_LENGTH = '2.16.840.1.101.3.4.2.18';
const SHAKE256_BITS = 512;

export const hashCalled = (oid: string | undefined): HashName | undefined =>
  oid !== undefined && Object.hasOwn(HASHES, oid) ? HASHES[oid] : undefined;

/** Reads the hash of an AlgorithmIdentifier. */
export function hashOf(algorithm: Der | undefined): HashName | undefined {
  const [oid, ...parameters] = sequenceOf(algorithm) ?? [];
  const isPlain = parameters.every(
    (parameter) =>
      (parameter.tag === TAG.null && parameter.content === parameter.end) ||
      (oidOf(oid) === SHAKE256_WITH_LENGTH && numberOf(parameter) === SHAKE256_BITS),
  );
  return isPlain && parameters.length < 2 ? hashCalled(oidOf(oid)) : undefined;
}

const optionsOf = (hash: HashName) => (hash === 'shake256' ? { outputLength: SHAKE256_BITS / 8 } : {});

export const createHashOf = (name: HashName): Hash => createHash(name, optionsOf(name));

/** Continues from the bytes hashed so far; it can be called several times. */
export const copyHash = (hash: Hash, name: HashName): Hash => hash.copy(optionsOf(name));

export const digestOf = (hash: HashName, ...pieces: Uint8Array[]): Buffer => {
  const digest = createHashOf(hash);
  for (const part of pieces) digest.update(part);
  return digest.digest();
};

export type SignatureAlgorithm = {
  /** The name is as people write it: `ECDSA with SHA-256`. */
  name: string;
  family: 'rsa' | 'rsa-pss' | 'ec' | 'ed25519' | 'ed448' | MlDsa;
  /** The hash is undefined where the algorithm has its own (Ed25519), or where the signature names it elsewhere. */
  hash: HashName | undefined;
  saltLength?: number;
  /** The mask of RSA-PSS may have another hash. */
  maskHash?: HashName;
  /** It is true for ECDSA whose two numbers follow each other without DER (BSI TR-03111, 5.2.1). */
  isPlain?: boolean;
};

const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';

/** ML-DSA is defined by RFC 9882. Where node:crypto does not know it, the key is of a kind that is not known. */
type MlDsa = 'ml-dsa-44' | 'ml-dsa-65' | 'ml-dsa-87';

const ML_DSA: Record<string, MlDsa> = {
  '2.16.840.1.101.3.4.3.17': 'ml-dsa-44',
  '2.16.840.1.101.3.4.3.18': 'ml-dsa-65',
  '2.16.840.1.101.3.4.3.19': 'ml-dsa-87',
};

const SIGNATURES: Record<string, readonly [SignatureAlgorithm['family'], HashName | undefined]> = {
  '1.2.840.113549.1.1.4': ['rsa', 'md5'],
  '1.2.840.113549.1.1.5': ['rsa', 'sha1'],
  '1.2.840.113549.1.1.14': ['rsa', 'sha224'],
  '1.2.840.113549.1.1.11': ['rsa', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa', 'sha512'],
  '1.2.840.10045.4.1': ['ec', 'sha1'],
  '1.2.840.10045.4.3.1': ['ec', 'sha224'],
  '1.2.840.10045.4.3.2': ['ec', 'sha256'],
  '1.2.840.10045.4.3.3': ['ec', 'sha384'],
  '1.2.840.10045.4.3.4': ['ec', 'sha512'],
  '2.16.840.1.101.3.4.3.9': ['ec', 'sha3-224'],
  '2.16.840.1.101.3.4.3.10': ['ec', 'sha3-256'],
  '2.16.840.1.101.3.4.3.11': ['ec', 'sha3-384'],
  '2.16.840.1.101.3.4.3.12': ['ec', 'sha3-512'],
  '2.16.840.1.101.3.4.3.13': ['rsa', 'sha3-224'],
  '2.16.840.1.101.3.4.3.14': ['rsa', 'sha3-256'],
  '2.16.840.1.101.3.4.3.15': ['rsa', 'sha3-384'],
  '2.16.840.1.101.3.4.3.16': ['rsa', 'sha3-512'],
  '1.3.101.112': ['ed25519', undefined],
  '1.3.101.113': ['ed448', undefined],
};

const PLAIN_ECDSA: Record<string, HashName> = {
  '0.4.0.127.0.7.1.1.4.1.1': 'sha1',
  '0.4.0.127.0.7.1.1.4.1.2': 'sha224',
  '0.4.0.127.0.7.1.1.4.1.3': 'sha256',
  '0.4.0.127.0.7.1.1.4.1.4': 'sha384',
  '0.4.0.127.0.7.1.1.4.1.5': 'sha512',
  '0.4.0.127.0.7.1.1.4.1.8': 'sha3-224',
  '0.4.0.127.0.7.1.1.4.1.9': 'sha3-256',
  '0.4.0.127.0.7.1.1.4.1.10': 'sha3-384',
  '0.4.0.127.0.7.1.1.4.1.11': 'sha3-512',
};

/** @param digest the hash that a signature names beside an algorithm which does not name one itself */
export function signatureAlgorithmOf(
  algorithm: Der | undefined,
  digest?: HashName,
): SignatureAlgorithm | undefined {
  const elements = sequenceOf(algorithm);
  const oid = oidOf(elements?.[0]);
  if (oid === undefined || (elements?.length ?? 0) > 2) return undefined;
  if (oid === RSA_PSS) return pssOf(elements?.[1]);
  const parameters = elements?.[1];
  // Some name the curve here, which the key names as well (BSI TR-03111, 5.2.1.1).
  if (Object.hasOwn(PLAIN_ECDSA, oid) && (!parameters || isNull(parameters) || parameters.tag === TAG.oid))
    return { ...named('ec', PLAIN_ECDSA[oid]), isPlain: true };
  // The others have no parameters, which is written as NULL or as nothing.
  if (parameters && !isNull(parameters)) return undefined;
  if (oid === RSA) return digest && named('rsa', digest);
  if (Object.hasOwn(ML_DSA, oid)) return parameters ? undefined : named(ML_DSA[oid]!, undefined);
  const signature = Object.hasOwn(SIGNATURES, oid) ? SIGNATURES[oid] : undefined;
  return signature && named(...signature);
}

const FAMILIES = {
  rsa: 'RSA',
  'rsa-pss': 'RSA-PSS',
  ec: 'ECDSA',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
  'ml-dsa-44': 'ML-DSA-44',
  'ml-dsa-65': 'ML-DSA-65',
  'ml-dsa-87': 'ML-DSA-87',
} as const;

export const hashInWords = (hash: HashName): string => hash.toUpperCase().replace(/^SHA(?=\d)(?!3-)/, 'SHA-');

function named(family: SignatureAlgorithm['family'], hash: HashName | undefined): SignatureAlgorithm {
  const name = hash ? `${FAMILIES[family]} with ${hashInWords(hash)}` : FAMILIES[family];
  return { name, family, hash };
}

/** The padding is that of PKCS #1 v1.5. */
export const rsaWith = (hash: HashName): SignatureAlgorithm => named('rsa', hash);

/** Absent values stand for SHA-1 and 20 bytes (RFC 4055, 3.1). */
function pssOf(parameters: Der | undefined): SignatureAlgorithm | undefined {
  const elements = sequenceOf(parameters);
  if (!elements) return undefined;
  const part = (number: number) => explicit(elements.find(({ tag }) => tag === 0xa0 + number));
  const integer = (number: number) =>
    part(number)?.tag === TAG.integer ? numberOf(part(number)) : undefined;
  const hash = part(0) ? hashOf(part(0)) : 'sha1';
  const mask = sequenceOf(part(1));
  const maskHash = mask ? (oidOf(mask[0]) === MGF1 ? hashOf(mask[1]) : undefined) : 'sha1';
  const saltLength = part(2) ? integer(2) : 20;
  const trailer = part(3) ? integer(3) : 1;
  if (!hash || !maskHash || saltLength === undefined || saltLength < 0 || trailer !== 1) return undefined;
  if (hash === maskHash) return { ...named('rsa-pss', hash), saltLength };
  const { name, ...rest } = named('rsa-pss', hash);
  return { ...rest, name: `${name} and a mask with ${hashInWords(maskHash)}`, saltLength, maskHash };
}

const isNull = ({ tag, content, contentEnd }: Der): boolean => tag === TAG.null && content === contentEnd;

const LONGEST_RSA_BITS = 8192;

const EC_KEY = '1.2.840.10045.2.1';

/** Each curve that is known has coordinates of so many bytes. */
const COORDINATE_BYTES: Record<string, number> = {
  // P-224, P-256, P-384, P-521, and secp256k1.
  '1.3.132.0.33': 28,
  '1.2.840.10045.3.1.7': 32,
  '1.3.132.0.34': 48,
  '1.3.132.0.35': 66,
  '1.3.132.0.10': 32,
  // brainpoolP256r1, brainpoolP320r1, brainpoolP384r1 and brainpoolP512r1.
  '1.3.36.3.3.2.8.1.1.7': 32,
  '1.3.36.3.3.2.8.1.1.9': 40,
  '1.3.36.3.3.2.8.1.1.11': 48,
  '1.3.36.3.3.2.8.1.1.13': 64,
};

/** Keys of other kinds than these are not given to node:crypto. */
const KEYS_OF_ONE_KIND = new Set([RSA, RSA_PSS, '1.3.101.112', '1.3.101.113', ...Object.keys(ML_DSA)]);

/** Reads the key of a SubjectPublicKeyInfo; undefined for a kind that is not known. */
export function publicKeyOf(info: Der): KeyObject | undefined {
  if (!isKnownKind(info)) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(encoded(info)), format: 'der', type: 'spki' });
    return isSlowKey(key) ? undefined : key;
  } catch {
    return undefined;
  }
}

/**
 * Tells by its bytes alone whether a key is known here. Node ends the process when it is asked about an EC key whose point is
 * at infinity, so that it must not get one.
 */
function isKnownKind(info: Der): boolean {
  const [algorithm, key] = sequenceOf(info) ?? [];
  const [kind, curve, ...more] = sequenceOf(algorithm) ?? [];
  const oid = oidOf(kind) ?? '';
  if (oid !== EC_KEY) return KEYS_OF_ONE_KIND.has(oid);
  const name = oidOf(curve) ?? '';
  const size = Object.hasOwn(COORDINATE_BYTES, name) ? COORDINATE_BYTES[name] : undefined;
  const point = bitsOf(key);
  return size !== undefined && more.length === 0 && point !== undefined && isPoint(point, size);
}

/** A point on a curve has both coordinates or the first one (SEC 1, 2.3.3). */
function isPoint(point: Buffer, size: number): boolean {
  if (point[0] === 4) return point.length === 1 + 2 * size;
  return (point[0] === 2 || point[0] === 3) && point.length === 1 + size;
}

/** Tells whether signatures by a key can be made without the private key. */
export const isForgeableKey = (key: KeyObject): boolean =>
  (key.asymmetricKeyDetails?.modulusLength !== undefined && isForgeableRsa(key)) ||
  (key.asymmetricKeyType === 'ed25519' && isOfSmallOrder(key));

/** One greatest common divisor with the product of the odd primes below 1000 finds each of them in a modulus. */
const SMALL_PRIMES = productOfPrimes(1000);

/** Anybody finds the factors of a shorter modulus within hours. */
const SHORTEST_RSA_BITS = 512;

/** With the exponent 1 everything is its own signature; RFC 8017, 3.1 allows odd exponents, and moduli of large primes. */
function isForgeableRsa(key: KeyObject): boolean {
  const { publicExponent = 1n, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (publicExponent < 3n || publicExponent % 2n === 0n || modulusLength < SHORTEST_RSA_BITS) return true;
  const info = readDer(key.export({ format: 'der', type: 'spki' }));
  const bits = bitsOf(sequenceOf(info)?.[1]);
  const [modulus] = sequenceOf(bits && readDer(bits)) ?? [];
  if (!modulus) return true;
  const value = BigInt(`0x${hexOf(modulus)}`);
  return value % 2n === 0n || greatestCommonDivisor(value, SMALL_PRIMES) !== 1n;
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right];
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function productOfPrimes(below: number): bigint {
  const primes: number[] = [];
  for (let number = 3; number < below; number += 2)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes.reduce((product, prime) => product * BigInt(prime), 1n);
}

/** These points of Ed25519 have at most eight multiples, so that the same signature is right for any data: all their encodings, without the bit for the sign. */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

function isOfSmallOrder(key: KeyObject): boolean {
  const point = Buffer.from(key.export({ format: 'der', type: 'spki' }).subarray(-ED25519_BYTES));
  point[ED25519_BYTES - 1]! &= 0x7f;
  return SMALL_ORDER.has(point.toString('hex'));
}

const ED25519_BYTES = 32;

/**
 * FIPS 186-4 allows exponents of up to 256 bits, and OpenSSL takes those of up to 64 bits with long keys. A signature by one of thousands takes a
 * hundred times as long to check.
 */
const isSlowKey = ({ asymmetricKeyDetails }: KeyObject): boolean => {
  const { publicExponent = 3n, modulusLength = 0 } = asymmetricKeyDetails ?? {};
  const most = modulusLength > 3072 ? 64n : 256n;
  return publicExponent >= 1n << most || modulusLength > LONGEST_RSA_BITS;
};

export function isSignedBy(
  key: KeyObject,
  algorithm: SignatureAlgorithm,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const type = key.asymmetricKeyType;
  const isFit = type === algorithm.family || (type === 'rsa' && algorithm.family === 'rsa-pss');
  if (!isFit) return false;
  if (algorithm.maskHash) return isPssSignedBy(key, algorithm, data, signature);
  const padding =
    algorithm.family === 'rsa-pss'
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: algorithm.saltLength ?? 20 }
      : {};
  try {
    return verify(
      algorithm.hash ?? null,
      data,
      { key, dsaEncoding: algorithm.isPlain ? 'ieee-p1363' : 'der', ...padding },
      signature,
    );
  } catch {
    return false;
  }
}

// ── RSA-PSS with two hashes ─────────────────────────────────────────────────────────────────────────────────────

/** Checks RSA-PSS with a mask of another hash (RFC 8017, 9.1.2), which node:crypto does not do. The power of RSA is node:crypto's. */
function isPssSignedBy(
  key: KeyObject,
  { hash, maskHash, saltLength = 20 }: SignatureAlgorithm,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const bits = (key.asymmetricKeyDetails?.modulusLength ?? 0) - 1;
  if (!hash || !maskHash || bits < 512 || signature.length !== Math.ceil((bits + 1) / 8)) return false;
  const message = messageOf(key, signature, Math.ceil(bits / 8));
  const digest = digestOf(hash, data);
  if (!message || message.length < digest.length + saltLength + 2 || message.at(-1) !== 0xbc) return false;
  const masked = message.subarray(0, message.length - digest.length - 1);
  const tag = message.subarray(masked.length, -1);
  // The bits above the number of the key are no part of the message.
  const unused = 8 * message.length - bits;
  const first = 0xff >> unused;
  if ((masked[0]! & ~first & 0xff) !== 0) return false;
  const mask = maskOf(maskHash, tag, masked.length);
  const block = Buffer.from(masked.map((byte, index) => byte ^ mask[index]!));
  block[0]! &= first;
  const salt = block.subarray(block.length - saltLength);
  const before = block.subarray(0, block.length - saltLength);
  const isPadded = before.at(-1) === 1 && before.subarray(0, -1).every((byte) => byte === 0);
  return isPadded && digestOf(hash, Buffer.alloc(8), digest, salt).equals(tag);
}

/** Returns what the signature is the power of, without the zeros before it; undefined where it is longer than a message. */
function messageOf(key: KeyObject, signature: Uint8Array, length: number): Buffer | undefined {
  try {
    const whole = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature);
    const message = whole.subarray(whole.length - length);
    return whole.subarray(0, whole.length - length).every((byte) => byte === 0) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Makes a mask with MGF1 (RFC 8017, B.2.1). */
function maskOf(hash: HashName, seed: Uint8Array, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let size = 0; size < length; size += blocks.at(-1)!.length) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(blocks.length);
    blocks.push(digestOf(hash, seed, counter));
  }
  return Buffer.concat(blocks).subarray(0, length);
}
