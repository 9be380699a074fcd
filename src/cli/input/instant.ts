// Reads instants that are given as options or arguments: a day, which begins at midnight UTC, or a time with its zone.
import { epochMsOf } from '../../common/instant.ts';
import { cliError } from '../command/errors.ts';

const FORM = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Parses an instant.
 * @param name of the option or argument, for the error
 * @returns milliseconds since 1970
 */
export function parseInstant(name: string, text: string): number {
  const time = FORM.test(text) ? epochMsOf(text) : Number.NaN;
  if (Number.isNaN(time))
    throw cliError('value_invalid', {
      name,
      value: text,
      use: 'a day, or a time with its zone, such as 2026-11-21 or 2026-11-21T18:00:00Z',
    });
  return time;
}
