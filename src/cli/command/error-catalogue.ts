// Every error code of the command line, in one table: exit code, sentence, hint, and the next commands.
// A code that is not here does not compile. The codes of the service are in service-errors.ts.
import { EVENT_ERRORS } from './error-catalogue/events.ts';
import { FIELD_ERRORS } from './error-catalogue/fields.ts';
import { FILE_ERRORS } from './error-catalogue/files.ts';
import { LOGIN_ERRORS } from './error-catalogue/login.ts';
import { PROFILE_ERRORS } from './error-catalogue/profiles.ts';
import { SERVER_ERRORS } from './error-catalogue/servers.ts';
import { SHORTCUT_ERRORS } from './error-catalogue/shortcuts.ts';
import { TRANSACTION_ERRORS } from './error-catalogue/transactions.ts';
import { USAGE_ERRORS } from './error-catalogue/usage.ts';
import type { ErrorRow } from './error-row.ts';

/** What commands throw with `cliError(code, facts)`. */
export const CATALOGUE = {
  ...USAGE_ERRORS,
  ...FILE_ERRORS,
  ...FIELD_ERRORS,
  ...TRANSACTION_ERRORS,
  ...LOGIN_ERRORS,
  ...PROFILE_ERRORS,
  ...EVENT_ERRORS,
  ...SHORTCUT_ERRORS,
  ...SERVER_ERRORS,
};

export type CliErrorCode = keyof typeof CATALOGUE;

export type FactsOf<C extends CliErrorCode> = (typeof CATALOGUE)[C] extends ErrorRow<infer F> ? F : never;
