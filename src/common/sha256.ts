import { createHash } from 'node:crypto';

export const sha256Of = (data: Uint8Array | string): string =>
  createHash('sha256').update(data).digest('hex');
