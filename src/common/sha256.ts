import { createHash } from 'node:crypto';

/** The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal. */
export const sha256Of = (data: Uint8Array | string): string =>
  createHash('sha256').update(data).digest('hex');
