// Reads durations that are given as options.
import { durationOf } from '../../common/instant.ts';
import { cliError } from '../command/errors.ts';

const LONGEST_MS = 365 * 86_400_000;

/**
 * Parses a duration such as `30s` or `1d`, of at most a year.
 * @param flag for the error
 * @returns milliseconds
 */
export function parseDuration(flag: string, text: string): number {
  const ms = durationOf(text);
  if (ms === undefined || ms > LONGEST_MS)
    throw cliError('value_invalid', {
      name: flag,
      value: text,
      ...(ms !== undefined && { problem: 'is longer than a year' }),
      use: 'a duration such as 30s, 10m, 2h or 1d',
    });
  return ms;
}
