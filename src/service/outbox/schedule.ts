// Decides when a failed delivery is tried again (assumed: A30).
import { addMs, type Instant } from '../../common/instant.ts';
import type { Next } from '../store/deliveries.ts';
import type { AttemptResult } from './attempt.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before each attempt, from the first on; 75 hours and a half in all. */
export const SCHEDULE_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Of the pause, to both sides: many that failed together do not come back together. */
const JITTER = 0.2;

/**
 * What comes after an attempt.
 * @param made attempts, with this one
 * @param chance gives a number from 0 to 1
 */
export function nextAfter(result: AttemptResult, made: number, now: Instant, chance: () => number): Next {
  if (result.ok) return { state: 'delivered' };
  const pauseMs = SCHEDULE_MS[made];
  const reason = result.why ?? 'it failed';
  if (result.isFinal) return { state: 'undelivered', reason };
  if (pauseMs === undefined)
    return { state: 'undelivered', reason: `${made} attempts failed. The last one failed because ${reason}` };
  const jittered = pauseMs * (1 - JITTER + 2 * JITTER * chance());
  return { state: 'waiting', due_at: addMs(now, Math.max(jittered, result.retryAfterMs ?? 0)) };
}
