// Hashes bytes, or a text in UTF-8, with SHA-256, in hexadecimal.
import { createHash } from 'node:crypto';

export const sha256Of = (data: Uint8Array | string): string =>
  createHash('sha256').update(data).digest('hex');
