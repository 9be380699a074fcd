// Opens a private key as a seal uses it: checks its kind and strength, and chooses the digest and the algorithm that go with it. Its reader goes
// on in `write-cms.ts`, which signs with it. A key that is somewhere else (a card, a cloud) can be put in its place.
import { constants, type KeyObject, type SignKeyObjectInput, sign } from 'node:crypto';
import { context, derInteger, NULL, OID, oid, sequence } from './der.ts';

export type DigestName = 'sha256' | 'sha384' | 'sha512';

export type SigningKey = {
  /** Data is digested with this before it is signed. */
  digest: DigestName;
  /** Certificates and signatures name the algorithm by this AlgorithmIdentifier in DER. */
  algorithm: Uint8Array;
  /** Signs the data itself, not its digest. */
  sign(data: Uint8Array): Promise<Uint8Array>;
};

/** The key is of a kind that no reader verifies, or too weak. The message is a sentence for users. */
export class UnusableKey extends Error {}

const RSA_BITS_MIN = 2048;

export function signingKeyOf(key: KeyObject): SigningKey {
  if (key.type !== 'private') throw new UnusableKey('The key is not a private key.');
  switch (key.asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss':
      return rsaKey(key);
    case 'ec':
      return ellipticKey(key);
    case 'ed25519':
      // RFC 8419: what is signed with it is digested with SHA-512.
      return { digest: 'sha512', algorithm: sequence(oid(OID.ed25519)), sign: signer(null, key) };
    default:
      throw new UnusableKey(
        `A key of type ${key.asymmetricKeyType} cannot be used for sealing. Use RSA, EC (P-256, P-384, P-521) or Ed25519.`,
      );
  }
}

function rsaKey(key: KeyObject): SigningKey {
  const { modulusLength = 0, hashAlgorithm, saltLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < RSA_BITS_MIN)
    throw new UnusableKey(
      `An RSA key of ${modulusLength} bits is too short. Use a key of at least ${RSA_BITS_MIN} bits.`,
    );
  if (key.asymmetricKeyType === 'rsa')
    return { digest: 'sha256', algorithm: sequence(oid(OID.rsaSha256), NULL), sign: signer('sha256', key) };
  // A key may be bound to a digest and to the salt it needs at least.
  const digest = digestNamed(hashAlgorithm ?? 'sha256');
  const salt = Math.max(saltLength, DIGEST_BYTES[digest]);
  const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: salt };
  return { digest, algorithm: pssAlgorithm(digest, salt), sign: signer(digest, options) };
}

function digestNamed(name: string): DigestName {
  if (name === 'sha256' || name === 'sha384' || name === 'sha512') return name;
  throw new UnusableKey(`The key can only be used with ${name}. Use a key for SHA-256 or stronger.`);
}

const DIGEST_BYTES = { sha256: 32, sha384: 48, sha512: 64 } as const;

function pssAlgorithm(digest: DigestName, saltLength: number): Buffer {
  const hash = digestAlgorithm(digest);
  return sequence(
    oid(OID.rsaPss),
    sequence(context(0, hash), context(1, sequence(oid(OID.mgf1), hash)), context(2, derInteger(saltLength))),
  );
}

const CURVES = {
  prime256v1: ['sha256', OID.ecdsaSha256],
  secp384r1: ['sha384', OID.ecdsaSha384],
  secp521r1: ['sha512', OID.ecdsaSha512],
} as const;

function ellipticKey(key: KeyObject): SigningKey {
  const name = key.asymmetricKeyDetails?.namedCurve ?? 'unknown';
  if (!Object.hasOwn(CURVES, name))
    throw new UnusableKey(
      `A key on the curve ${name} cannot be used for sealing. Use P-256, P-384 or P-521.`,
    );
  const [digest, algorithm] = CURVES[name as keyof typeof CURVES];
  return { digest, algorithm: sequence(oid(algorithm)), sign: signer(digest, key) };
}

/** Signs on a thread of its own: a long RSA key takes some milliseconds. */
const signer =
  (digest: DigestName | null, key: KeyObject | SignKeyObjectInput) =>
  (data: Uint8Array): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      sign(digest, data, key, (error, signature) => (error ? reject(error) : resolve(signature)));
    });

/** Writes the AlgorithmIdentifier of a digest. Its parameters are absent (RFC 5754). */
export const digestAlgorithm = (digest: DigestName): Buffer => sequence(oid(OID[digest]));
