// Ids of rows: random, but in the order of time (RFC 9562 §5.7, UUIDv7). New rows then stand beside each other in
// every index, so that a commit touches a handful of pages instead of one for each row and index.
import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';

const HEX_DIGITS_OF_TIME = 12;

export const timeOrderedIds = (clock: Clock) => (): string => {
  const time = clock().toString(16).padStart(HEX_DIGITS_OF_TIME, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};
