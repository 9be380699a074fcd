// Reads the times and durations that commands of the sandbox's clock are given.
import { LIMITS } from '../../../../api/contract/limits.ts';
import { durationOf } from '../../../../common/duration.ts';
import { type Instant, instantOf } from '../../../../common/instant.ts';
import { cliError } from '../../../command/errors.ts';
import { parseInstant } from '../../../input/instant.ts';

/** @param name of the argument or option. @throws value_invalid for what is no instant, or none that the clock can show */
export function clockTimeOf(text: string, name = 'INSTANT'): Instant {
  const instant = instantOf(parseInstant(name, text));
  if (instant < LIMITS.clockEarliest || instant >= LIMITS.clockLatest)
    throw cliError('value_invalid', {
      name,
      value: text,
      problem: 'is outside of the years 1970 to 8999',
      use: 'an instant such as 2030-01-01',
    });
  return instant;
}

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
  return { to: clockTimeOf(text) };
}
