// Every error code that the command line itself ends with, in one table: exit code, sentence, hint, and what leads on.
// A code that is not here does not compile. What the service refuses with is in service-errors.ts.
import { EVENTS } from './error-catalogue/events.ts';
import { FIELDS } from './error-catalogue/fields.ts';
import { FILES } from './error-catalogue/files.ts';
import { LOGIN } from './error-catalogue/login.ts';
import { PROFILES } from './error-catalogue/profiles.ts';
import { SENDING } from './error-catalogue/sending.ts';
import { SHORTCUTS } from './error-catalogue/shortcuts.ts';
import { WORDS } from './error-catalogue/words.ts';
import type { ErrorRow } from './error-row.ts';

/** What commands throw with `cliError(code, facts)`. */
export const CATALOGUE = {
  ...WORDS,
  ...FILES,
  ...FIELDS,
  ...SENDING,
  ...LOGIN,
  ...PROFILES,
  ...EVENTS,
  ...SHORTCUTS,
};

export type CliErrorCode = keyof typeof CATALOGUE;

export type FactsOf<C extends CliErrorCode> = (typeof CATALOGUE)[C] extends ErrorRow<infer F> ? F : never;
