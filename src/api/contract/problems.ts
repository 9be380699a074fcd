// Every way the service says no: a stable code, the HTTP status, and the sentence a person reads.
// The shape is RFC 9457 `application/problem+json` with the members `code` and `errors` (assumed: A25).
import { ACCEPTED_TYPES } from './file-types.ts';
import { encrypted, meaningOf, tooComplex, type Unusable, unreadable } from './unusable.ts';

/** A value that is wrong, where it stands and why. `path` is dotted, `fields.0.width`. */
export type FieldError = { path: string; message: string };

type Row = { status: number; title: string; detail: (facts: Facts) => string };

/** What a refusal knows about the case; every value may come from outside. */
export type Facts = Record<string, string | number | boolean | null | undefined>;

const row = (status: number, title: string, detail: (facts: Facts) => string): Row => ({
  status,
  title,
  detail,
});

const unusable = ({ name }: Facts, { what, wayOut }: Unusable): string =>
  `"${name}" ${what}. ${wayOut} and upload it again.`;

export const PROBLEMS = {
  // 400: the request cannot be read at all
  malformed_json: row(
    400,
    'The body is not valid JSON',
    (f) => `The body is not valid JSON${f.why ? `: ${f.why}` : ''}.`,
  ),
  malformed_multipart: row(
    400,
    'The body is not valid multipart/form-data',
    (f) => `The form cannot be read: ${f.why}.`,
  ),
  malformed_path: row(
    400,
    'The path cannot be read',
    () => 'The path holds an escape sequence that cannot be decoded.',
  ),
  host_not_allowed: row(
    400,
    'Unknown Host',
    (f) => `The Host header "${f.host}" is not an address of this service.`,
  ),
  invalid_grant: row(400, 'The code or refresh token is not valid', (f) => `${f.why}`),

  // 401, 403: who are you, and may you
  token_missing: row(401, 'No access token', () => 'Send the header "Authorization: Bearer <ACCESS_TOKEN>".'),
  token_invalid: row(
    401,
    'The access token is not valid',
    () => 'The access token is unknown or was revoked. Link the account again.',
  ),
  token_expired: row(
    401,
    'The access token has expired',
    (f) => `The access token expired at ${f.at}. Refresh it.`,
  ),
  invalid_client: row(
    401,
    'The client application is not known',
    () => 'No client application has this client_id and client_secret.',
  ),
  insufficient_scope: row(
    403,
    'The token lacks a scope',
    (f) => `This operation needs the scope ${f.needed}; the token has ${f.granted || 'none'}.`,
  ),
  control_secret_required: row(
    403,
    'The control secret of the store is needed',
    () =>
      'Addresses under /_sandbox/ need the header "X-Esign-Control" with the secret that `esign sandbox token --control` prints.',
  ),
  link_invalid: row(
    403,
    'The address is not valid',
    () => 'This address was changed, or it has expired. Ask for a new one.',
  ),

  // 404, 405
  route_not_found: row(404, 'Nothing is here', (f) => `Nothing answers ${f.method} ${f.path}.`),
  transaction_not_found: row(404, 'No such transaction', (f) => `No transaction has the id "${f.id}".`),
  template_not_found: row(404, 'No such template', (f) => `No template has the id "${f.id}".`),
  webhook_not_found: row(404, 'No such webhook', (f) => `No webhook has the id "${f.id}".`),
  file_not_found: row(404, 'No such file', (f) => `No file has the id "${f.id}".`),
  client_not_found: row(
    404,
    'No such client application',
    (f) => `No client application has the id "${f.id}".`,
  ),
  user_not_found: row(404, 'No such user', (f) => `No user has the e-mail "${f.email}".`),
  signing_link_invalid: row(
    404,
    'This signing link is not valid',
    () => 'This signing link is unknown, was used already, or its transaction has ended.',
  ),
  method_not_allowed: row(405, 'Method not allowed', (f) => `${f.path} takes ${f.allow}, not ${f.method}.`),

  // 409: right, but not now
  transaction_not_draft: row(
    409,
    'The transaction is no longer a draft',
    (f) => `Transaction ${f.id} is ${f.status}; only a draft can be edited or started.`,
  ),
  transaction_not_started: row(
    409,
    'The transaction is not started',
    (f) => `Transaction ${f.id} is ${f.status}; only a started transaction can be ${f.what}.`,
  ),
  not_your_turn: row(409, "It is not this recipient's turn", (f) =>
    f.current
      ? `${f.email} cannot act now: transaction ${f.id} waits for ${f.current}.`
      : `${f.email} cannot act on transaction ${f.id}.`,
  ),
  values_changed: row(
    409,
    'The values have changed',
    () => 'Some values were changed since they were shown for review. Look at them again, then submit.',
  ),
  transaction_changed: row(
    409,
    'The transaction has changed',
    (f) => `Transaction ${f.id} changed while its documents were sealed. Nothing was signed. Try again.`,
  ),
  client_is_own: row(
    409,
    'The application belongs to the store',
    (f) => `"${f.id}" is the store's own application and stays; make others with sandbox apps create.`,
  ),
  user_exists: row(409, 'The user exists already', (f) => `A user has the e-mail "${f.email}" already.`),

  documents_not_checked: row(
    409,
    'Not every page has been checked yet',
    (f) =>
      `Transaction ${f.id} cannot start yet: ${f.left} pages have still to be drawn once, the next is page ${f.page} of "${f.name}". Start it again in a moment.`,
  ),

  // 413, 415
  file_too_large: row(
    413,
    'The file is too large',
    (f) => `The file is larger than ${f.limit} bytes (10 MB).`,
  ),
  body_too_large: row(413, 'The body is too large', (f) => `The body is larger than ${f.limit} bytes.`),
  unsupported_media_type: row(
    415,
    'The content type is not accepted',
    (f) => `Send Content-Type: ${f.expected}${f.given ? `, not ${f.given}` : ''}.`,
  ),
  file_type_not_accepted: row(
    415,
    'The file type is not accepted',
    (f) =>
      `"${f.name}" is ${f.found ?? 'not a type the service knows'} by its bytes; ${ACCEPTED_TYPES} is accepted.${f.wayOut ? ` ${f.wayOut}.` : ''}`,
  ),

  // 422: readable, but not allowed
  validation_failed: row(422, 'Some values are not valid', (f) => `${f.summary}`),
  sender_email_mismatch: row(
    422,
    'The sender is somebody else',
    (f) =>
      `The recipient with role sender has the e-mail ${f.given}, but the requesting user is ${f.expected}.`,
  ),
  transaction_incomplete: row(
    422,
    'The transaction cannot start yet',
    (f) => `Transaction ${f.id} cannot start: ${f.summary}`,
  ),
  file_empty: row(422, 'The file is empty', (f) => `"${f.name}" has no bytes.`),
  file_missing: row(422, 'No file was sent', () => 'The form has no part "file" with a file in it.'),
  file_token_unknown: row(
    422,
    'The file token is not valid',
    () =>
      'The file token is unknown, belongs to another company, or was not used within 24 hours. Upload the file again.',
  ),
  document_encrypted: row(422, 'The PDF is encrypted', (f) => unusable(f, encrypted(f.by))),
  document_unreadable: row(422, 'The document cannot be read', (f) => unusable(f, unreadable(f.reason))),
  document_too_long: row(
    422,
    'The document has too many pages',
    (f) => `"${f.name}" has more than ${f.maxPages} pages. Split it.`,
  ),
  document_too_complex: row(422, 'The document is too complex', (f) =>
    unusable(f, tooComplex({ ...f, limit: f.limit })),
  ),
  document_not_drawable: row(
    422,
    'A page of the document cannot be shown',
    (f) =>
      `Transaction ${f.id} cannot start: page ${f.page} of "${f.name}" cannot be shown to the recipients, because ${meaningOf(f.limit)}. Remove the document, or print it to a new PDF and use that.`,
  ),
  document_not_sealable: row(
    422,
    'The document cannot be sealed',
    (f) =>
      `"${f.name}" cannot be sealed: ${f.why}. Nothing was signed. Ask the sender to cancel, print the document to a new PDF and send that.`,
  ),
  idempotency_key_reused: row(
    422,
    'The Idempotency-Key was used for another request',
    () => 'This Idempotency-Key was used for a request with other content. Use a new key.',
  ),

  // 5xx
  sealing_unavailable: row(
    503,
    'The documents cannot be sealed now',
    (f) => `The documents cannot be sealed now, and nothing was signed. ${f.why} ${f.way_out}`,
  ),
  documents_busy: row(
    503,
    'Too many documents at once',
    () => 'The service has too many documents to work on at the moment. Try again in a minute.',
  ),
  internal_error: row(
    500,
    'Something went wrong inside',
    (f) => `The service failed on this request (request id ${f.request_id}).`,
  ),
  storage_damaged: row(500, 'The store is damaged', (f) => `${f.what}${f.way_out ? ` ${f.way_out}` : ''}`),
  storage_unusable: row(
    503,
    'The store cannot be used',
    (f) => `The store of the service cannot be used: ${f.why}.`,
  ),
  storage_full: row(
    507,
    'The disk of the store is full',
    () =>
      'No space is left on the disk that holds the store of the service. Nothing was changed. Free some space there, then try again.',
  ),
} as const satisfies Record<string, Row>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A business "no", as data: what operations return or throw, and the codec turns into a response. */
export type Refusal = { code: ProblemCode; facts: Facts; errors: FieldError[] };

export const refusal = (code: ProblemCode, facts: Facts = {}, errors: FieldError[] = []): Refusal => ({
  code,
  facts,
  errors,
});

/** The body of a refusal on the wire (RFC 9457 §3). */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ProblemCode;
  errors?: FieldError[];
};

/** @param instance the request id, as a URN, so that a log line can be found from a report. */
export function problemOf(no: Refusal, instance: string): Problem {
  const { status, title, detail } = PROBLEMS[no.code];
  return {
    type: `urn:esign:problem:${no.code}`,
    title,
    status,
    detail: detail(no.facts),
    instance,
    code: no.code,
    ...(no.errors.length > 0 && { errors: no.errors }),
  };
}
