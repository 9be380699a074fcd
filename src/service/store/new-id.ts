// Generates ids of rows: random, but in the order of time (RFC 9562 §5.7, UUIDv7). New rows are then beside each other in every
// index, so that a commit touches a handful of pages instead of one for each row and index.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';

const HEX_DIGITS_OF_TIME = 12;
const COUNTER_MAX = 0xfff;

/** The twelve bits after the time count (RFC 9562 §6.2, method 1); they begin in the lower half, to have room. */
const COUNTER_START = 0x7ff;

const TIME_ORDERED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;

/** Each id comes after the one before, whatever the clock does. */
export function timeOrderedIds(clock: Clock): () => string {
  let last: string | undefined;
  return () => {
    const random = randomUUID();
    const counter = Number.parseInt(random.slice(15, 18), 16) & COUNTER_START;
    last = idAfter(last, idOf(clock(), counter, random));
    return last;
  };
}

/**
 * An id that comes after `last`: the fresh one where its millisecond is a later one, else the next number after
 * `last` with the random part of the fresh one.
 * @param last one that this or another process made, whose clock may be ahead
 */
export function idAfter(last: string | undefined, fresh: string): string {
  if (last === undefined || !TIME_ORDERED.test(last) || timeOf(fresh) > timeOf(last)) return fresh;
  const time = Number.parseInt(last.slice(0, 8) + last.slice(9, 13), 16);
  const counter = Number.parseInt(last.slice(15, 18), 16);
  return counter < COUNTER_MAX ? idOf(time, counter + 1, fresh) : idOf(time + 1, 0, fresh);
}

const timeOf = (id: string): string => id.slice(0, 13);

/** @param random an id whose last 62 bits are random */
function idOf(timeMs: number, counter: number, random: string): string {
  const time = timeMs.toString(16).padStart(HEX_DIGITS_OF_TIME, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}${random.slice(18)}`;
}
