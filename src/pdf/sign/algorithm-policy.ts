// Says until when hashes and keys may be relied on: a table with dates, by which signatures are judged at the time that is proven for them. The dates
// are those of ETSI TS 119 312 V1.5.1, which takes them from the agreed mechanisms of SOG-IS. It must never call strong what it does not know.
import type { KeyObject } from 'node:crypto';
import { epochMsOf } from '../../common/instant.ts';
import { type HashName, hashInWords, type SignatureAlgorithm } from './algorithms.ts';

/** A key of fewer bits is weak from then on. */
type KeyRule = { below: number; from: number };

export type AlgorithmPolicy = {
  name: string;
  hashes: Partial<Record<HashName, number>>;
  rsa: readonly KeyRule[];
  /** It is about RSA signatures with the older padding; undefined where they have no end. */
  rsaPkcs1: number | undefined;
  ec: readonly KeyRule[];
  /** Answers of OCSP are signed with keys that have these rules, beside those for all keys. */
  ocspRsa: readonly KeyRule[];
};

/** The hashes have the names by which people write them. */
export const KNOWN_HASHES: readonly string[] = (
  [
    'md5',
    'sha1',
    'sha224',
    'sha256',
    'sha384',
    'sha512',
    'sha3-224',
    'sha3-256',
    'sha3-384',
    'sha3-512',
  ] satisfies HashName[]
).map(hashInWords);

export const hashNameOf = (word: string): HashName | undefined =>
  KNOWN_HASHES.includes(word) ? (word.toLowerCase().replace(/^sha-/, 'sha') as HashName) : undefined;

const day = (text: string): number => epochMsOf(`${text}T00:00:00.000Z`);

export const ETSI_POLICY: AlgorithmPolicy = {
  name: 'ETSI TS 119 312 V1.5.1',
  hashes: { md5: day('2004-08-01'), sha1: day('2012-08-01'), sha224: day('2029-01-01') },
  rsa: [
    { below: 1024, from: day('2010-08-01') },
    { below: 1900, from: day('2019-10-01') },
    { below: 3000, from: day('2029-01-01') },
  ],
  rsaPkcs1: day('2029-01-01'),
  ec: [
    { below: 224, from: day('2012-08-01') },
    { below: 256, from: day('2021-10-01') },
  ],
  ocspRsa: [{ below: 3000, from: day('2026-01-01') }],
};

/**
 * Nothing ends here: it judges what this service makes itself. A signature of a person is not lost because a table calls the key or an
 * authority of the service weak; whoever verifies the document judges that.
 */
export const ENDLESS_POLICY: AlgorithmPolicy = {
  name: 'no end of any algorithm',
  hashes: {},
  rsa: [],
  rsaPkcs1: undefined,
  ec: [],
  ocspRsa: [],
};

/** It must not be relied on any more since then. The name is as people write it. */
export type Weakness = { name: string; since: number };

/** Writes a weakness as the facts of a fault. */
export const weaknessDetails = ({ name, since }: Weakness): Record<string, string> => ({
  algorithm: name,
  since: String(since),
});

export function weakHash(hash: HashName, at: number, { hashes }: AlgorithmPolicy): Weakness | undefined {
  const since = hashes[hash];
  return since !== undefined && since <= at ? { name: hashInWords(hash), since } : undefined;
}

export function weakAlgorithm(
  { hash, family }: SignatureAlgorithm,
  at: number,
  policy: AlgorithmPolicy,
): Weakness | undefined {
  const ofHash = hash && weakHash(hash, at, policy);
  if (ofHash) return ofHash;
  const { rsaPkcs1: since } = policy;
  return family === 'rsa' && since !== undefined && since <= at
    ? { name: 'RSA with the padding of PKCS #1 v1.5', since }
    : undefined;
}

/** @param isResponder whether it signs answers of OCSP */
export function weakKey(
  key: KeyObject,
  at: number,
  policy: AlgorithmPolicy,
  isResponder = false,
): Weakness | undefined {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  const bits = modulusLength ?? (namedCurve === undefined ? undefined : BITS_OF_CURVES[namedCurve]);
  if (bits === undefined) return undefined;
  const isRsa = modulusLength !== undefined;
  const rules = isRsa ? [...policy.rsa, ...(isResponder ? policy.ocspRsa : [])] : policy.ec;
  const rule = rules.find(({ below, from }) => bits < below && from <= at);
  return rule && { name: `${isRsa ? 'RSA' : 'ECDSA'} with ${bits} bits`, since: rule.from };
}

/** Curves have the names of node:crypto. A key on any other curve is not read at all. */
const BITS_OF_CURVES: Record<string, number> = {
  secp224r1: 224,
  prime256v1: 256,
  secp256k1: 256,
  secp384r1: 384,
  secp521r1: 521,
  brainpoolP256r1: 256,
  brainpoolP320r1: 320,
  brainpoolP384r1: 384,
  brainpoolP512r1: 512,
};
