// Derives the secrets of a store from one key: encryption of what must be read back, hashes of what must only be recognised,
// and the tokens that belong to the store itself. Nothing here is ever logged.

import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { sha256Of } from '../../common/sha256.ts';

export type Keys = {
  /** Encrypts with AES-256-GCM and a fresh nonce each time, as text that is safe for a column. */
  encrypt(text: string): string;
  decrypt(sealed: string): string;
  /** Derives a secret from the key, the same each time for the same purpose. */
  derive(purpose: string): string;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const KEY_BYTES = 32;

export function createKeys(key: Uint8Array, random: (bytes: number) => Uint8Array): Keys {
  const derive = (purpose: string) => createHmac('sha256', key).update(purpose).digest();
  const encryptionKey = derive('seal');
  return {
    encrypt(text) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    derive: (purpose) => derive(purpose).toString('base64url'),
  };
}

/** Hashes a secret that has at least 128 random bits: a store keeps nothing else of it. */
export const hashSecret = (secret: string): string => sha256Of(secret);

/** Compares in a time that does not depend on where the two differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
