// Reads how far the clock of the sandbox is advanced.
import { durationOf, type Instant } from '../../../../common/instant.ts';
import { cliError } from '../../../command/errors.ts';
import { parseClockTime } from '../../../input/parse-input.ts';

/** How far the clock is advanced: `by` milliseconds, or `to` an instant. */
export function advanceOf(text: string): { by: number } | { to: Instant } {
  const by = durationOf(text);
  if (by !== undefined) return { by };
  if (!/^\d{4}-/.test(text))
    throw cliError('value_invalid', {
      name: 'DURATION',
      value: text,
      use: 'a duration such as 30d, 12h, 10m or 90s, or an instant such as 2030-01-01',
    });
  return { to: parseClockTime('INSTANT', text) };
}
