// Reads a time that the clock of the sandbox can show.
import { LIMITS } from '../../api/contract/limits.ts';
import { type Instant, instantOf } from '../../common/instant.ts';
import { cliError } from '../command/errors.ts';
import { parseInstant } from './instant.ts';

/** @param name of the argument or option. @throws value_invalid for what is no instant, or none that the clock can show */
export function parseClockTime(name: string, text: string): Instant {
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
