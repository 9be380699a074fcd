// Options of copies of stores that nothing interrupts.
import { randomUUID } from 'node:crypto';
import type { CopyOptions } from '../../../src/service/copies/stores.ts';

export const copyOptions = (key?: Uint8Array): CopyOptions => ({
  key,
  newId: randomUUID,
  signal: new AbortController().signal,
});
