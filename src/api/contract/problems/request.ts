// 400: the request cannot be read at all.
import { type Because, row } from './row.ts';

export const requestProblems = {
  malformed_json: row<Because>(
    400,
    'The request body is not valid JSON',
    (f) => `The request body is not valid JSON: ${f.why}. Send a JSON object.`,
  ),
  malformed_multipart: row<Because>(
    400,
    'The form data cannot be read',
    (f) =>
      `The form data cannot be read: ${f.why}. Send multipart/form-data with the file in the part "file".`,
  ),
  malformed_path: row(
    400,
    'The path is not valid',
    () =>
      'The path contains a percent escape that cannot be decoded. Encode it as UTF-8, as in %20 for a space.',
  ),
  host_not_allowed: row<{ host: string }>(
    400,
    'Unknown host',
    (f) =>
      `"${f.host}" in the Host header is not a host of this service. Use the URL that the service shows when it starts.`,
  ),
  /** `why` is a whole sentence. */
  invalid_grant: row<Because>(400, 'The code or refresh token is not valid', (f) => f.why),
};
