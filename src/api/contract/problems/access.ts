// 401 and 403: the caller is unknown, or lacks the permission.
import { row } from './row.ts';

export const accessProblems = {
  token_missing: row(
    401,
    'No access token',
    () => 'The request has no access token. Send the header "Authorization: Bearer ACCESS_TOKEN".',
  ),
  token_invalid: row(
    401,
    'The access token is not valid',
    () => 'The access token is unknown or was revoked. Log in again, or use another token.',
  ),
  token_expired: row<{ at: string }>(
    401,
    'The access token has expired',
    (f) => `The access token expired at ${f.at}. Get a new one with the refresh token, or log in again.`,
  ),
  invalid_client: row(
    401,
    'Unknown OAuth application',
    () => 'No OAuth application has this client_id and client_secret. Check both values.',
  ),
  /** Scopes with spaces between them; empty for none. */
  insufficient_scope: row<{ needed: string; granted: string }>(
    403,
    'The access token lacks a scope',
    (f) =>
      `This operation requires the scope ${f.needed}, but the access token has ${f.granted || 'no scope'}. Log in again and grant the scope.`,
  ),
  control_secret_required: row(
    403,
    'The control secret is missing or wrong',
    () =>
      'Requests under /_sandbox/ require the header "X-Esign-Control" with the control secret of the sandbox. To print it, run `esign sandbox token --control`.',
  ),
  link_invalid: row(
    403,
    'The link is not valid',
    () => 'This link was changed, or it has expired. Request a new one.',
  ),
};
