// Parses durations as people write them: `30s`, `10m`, `2h`, `1d`. A number without a unit is refused, because it is ambiguous.
import { cliError } from '../command/errors.ts';

const MS_PER: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const LONGEST_MS = 365 * 86_400_000;

/**
 * Parses a duration.
 * @param flag for the error
 * @returns milliseconds
 */
export function parseDuration(flag: string, text: string): number {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(s|m|h|d)$/.exec(text.trim());
  const ms = match ? Number(match[1]) * (MS_PER[match[2] ?? ''] ?? 0) : Number.NaN;
  if (Number.isNaN(ms) || ms > LONGEST_MS)
    throw cliError('value_invalid', {
      name: flag,
      value: text,
      ...(!Number.isNaN(ms) && { problem: 'is longer than a year' }),
      use: 'a duration such as 30s, 10m, 2h or 1d',
    });
  return Math.round(ms);
}
