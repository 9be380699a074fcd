// The hash of a password for PDFs of revision 6 (ISO 32000-2, algorithm 2.B).
import { createCipheriv, createHash } from 'node:crypto';

const HASHES = ['sha256', 'sha384', 'sha512'] as const;
const LEAST_ROUNDS = 64;

/** @param more the 48 bytes of /U where it is the password of the owner */
export function nextHash(password: Buffer, salt: Buffer, more: Buffer): Buffer {
  let key = createHash('sha256').update(password).update(salt).update(more).digest();
  for (let round = 0, last = 0; round < LEAST_ROUNDS || last > round - 32; round += 1) {
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => Buffer.concat([password, key, more])));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    const encrypted = cipher.setAutoPadding(false).update(repeated);
    // The first 16 bytes as a number, modulo 3: 256 is 1 modulo 3, so their sum will do.
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = createHash(HASHES[sum % 3]!)
      .update(encrypted)
      .digest();
    last = encrypted.at(-1)!;
  }
  return key.subarray(0, 32);
}
