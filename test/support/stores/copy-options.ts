// Options of copies of stores that nothing interrupts.
import { randomUUID } from 'node:crypto';
import type { CopyOptions } from '../../../src/service/copies/stores.ts';

export const copyOptions = (key?: Uint8Array): CopyOptions => ({
  key,
  newId: randomUUID,
  bucketAt: async () => {
    throw new Error('This copy has no bucket.');
  },
  signal: new AbortController().signal,
});
