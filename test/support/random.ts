// Random tests have one seed for a whole run, which ESIGN_SHARE repeats, and are bounded by time as well as by a count of rounds, so that a
// slow machine does fewer of them.
import { SHARE, TIER } from './tier.ts';

export const SEED = SHARE;

const LIMIT_MS = { short: 1000, landing: 5000, full: 600_000 }[TIER];
/** So many are done however long they take: below that a test says nothing. */
const LEAST_ROUNDS = 20;

/** How many rounds the tier has at most. */
export const roundsOf = (counts: { short: number; landing: number; full: number }): number => counts[TIER];

/** Counts from 0 up to `most`, or until the time of the tier is over. */
export function* rounds(most: number): Generator<number> {
  const end = performance.now() + LIMIT_MS;
  for (let round = 0; round < most; round += 1) {
    if (round >= LEAST_ROUNDS && performance.now() > end) return;
    yield round;
  }
}

/** For every property of fast-check. */
export const PROPERTY_DEFAULTS = {
  seed: SEED | 0,
  interruptAfterTimeLimit: LIMIT_MS,
  markInterruptAsFailure: false,
};
