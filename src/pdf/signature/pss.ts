// Checks signatures of RSA-PSS whose mask is made with another hash than the signature (RFC 8017, 9.1.2), which node:crypto does not. The power of
// RSA is node:crypto's. It must never accept what does not have the encoding to the last bit.
import { constants, type KeyObject, publicDecrypt } from 'node:crypto';
import { digestOf, type HashName, type SignatureAlgorithm } from './algorithms.ts';

export function isPssSignedBy(
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

/** What the signature is the power of, without the zeros before it; undefined where it is longer than a message. */
function messageOf(key: KeyObject, signature: Uint8Array, length: number): Buffer | undefined {
  try {
    const whole = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature);
    const message = whole.subarray(whole.length - length);
    return whole.subarray(0, whole.length - length).every((byte) => byte === 0) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** MGF1 (RFC 8017, B.2.1). */
function maskOf(hash: HashName, seed: Uint8Array, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let made = 0; made < length; made += parts.at(-1)!.length) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(parts.length);
    parts.push(digestOf(hash, seed, counter));
  }
  return Buffer.concat(parts).subarray(0, length);
}
