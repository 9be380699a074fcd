// Every way the service says no: a stable code, the HTTP status, and the sentence a person reads: what happened, with
// which value, and what to do. The shape is RFC 9457 `application/problem+json` with the members `code` and `errors`
// (assumed: A25). A sentence must never need a fact that its code does not have.
import { ACCEPTED_TYPES } from './file-types.ts';
import { encrypted, meaningOf, tooComplex, type Unusable, unreadable } from './unusable.ts';

/** A value that is wrong, where it stands and why. `path` is dotted, `fields.0.width`. */
export type FieldError = { path: string; message: string };

type None = Record<never, never>;
type Id = { id: string };
type Named = { name: string };
type Because = { why: string };

/** The facts that a refusal carries, by its code. Every value may come from outside. */
export type ProblemFacts = {
  malformed_json: Because;
  malformed_multipart: Because;
  malformed_path: None;
  host_not_allowed: { host: string };
  /** A whole sentence. */
  invalid_grant: Because;

  token_missing: None;
  token_invalid: None;
  token_expired: { at: string };
  invalid_client: None;
  /** Scopes with spaces between them; empty for none. */
  insufficient_scope: { needed: string; granted: string };
  control_secret_required: None;
  link_invalid: None;

  route_not_found: { method: string; path: string };
  transaction_not_found: Id;
  template_not_found: Id;
  webhook_not_found: Id;
  event_not_found: Id;
  file_not_found: Id;
  client_not_found: Id;
  mail_not_found: Id;
  user_not_found: { email: string };
  signing_link_invalid: None;
  /** `allow` as the header has it: `GET, POST`. */
  method_not_allowed: { method: string; path: string; allow: string };

  transaction_not_draft: Id & { status: string };
  transaction_not_started: Id & {
    status: string;
    /** What cannot be done with it. */
    what: 'signed' | 'rejected' | 'cancelled' | 'expired' | 'reminded';
  };
  /** `current` is whose turn it is. */
  not_your_turn: Id & { email: string; current: string | undefined };
  values_changed: None;
  transaction_changed: Id;
  client_is_own: Id;
  user_exists: { email: string };
  /** How many pages are left, and the next of them. */
  documents_not_checked: Id & Named & { left: number; page: number };

  file_too_large: { limit: number };
  body_too_large: { limit: number };
  unsupported_media_type: { expected: string; given: string | undefined };
  file_type_not_accepted: Named & { found?: string; wayOut?: string | undefined };

  validation_failed: { summary: string };
  sender_email_mismatch: { given: string; expected: string };
  /** A whole sentence. */
  transaction_incomplete: Id & { summary: string };
  file_empty: Named;
  file_missing: None;
  file_token_unknown: None;
  document_encrypted: Named & { by: 'password' | 'certificate' };
  document_unreadable: Named & { reason: string };
  document_too_long: Named & { maxPages: number };
  document_too_complex: Named & {
    limit: string;
    page?: number;
    actual?: number;
    allowed?: number;
    type?: string;
  };
  document_not_drawable: Id & Named & { page: number; limit: string | undefined };
  document_not_sealable: Named & Because;
  too_many_events: { count: string; limit: number };
  idempotency_key_reused: None;

  reminded_recently: { email: string; at: string; wait_seconds: number };

  /** Both whole sentences. */
  sealing_unavailable: Because & { way_out: string };
  documents_busy: None;
  internal_error: { request_id: string };
  /** Both whole sentences. */
  storage_damaged: { what: string; way_out: string | undefined };
  storage_unusable: Because;
  storage_full: None;
};

export type ProblemCode = keyof ProblemFacts;

type Row<F> = { status: number; title: string; detail: (facts: F) => string };

const row = <F>(status: number, title: string, detail: (facts: F) => string): Row<F> => ({
  status,
  title,
  detail,
});

const unusable = ({ name }: Named, { what, wayOut }: Unusable): string =>
  `"${name}" ${what}. ${wayOut} and upload it again.`;

/** `Transaction 0199… is a draft` */
const standing = ({ id, status }: Id & { status: string }): string =>
  `Transaction ${id} is ${status === 'draft' ? 'a draft' : status}`;

export const PROBLEMS: { readonly [C in ProblemCode]: Row<ProblemFacts[C]> } = {
  // 400: the request cannot be read at all
  malformed_json: row(
    400,
    'The request body is not valid JSON',
    (f) => `The request body is not valid JSON: ${f.why}. Send a JSON object.`,
  ),
  malformed_multipart: row(
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
  host_not_allowed: row(
    400,
    'Unknown host',
    (f) =>
      `"${f.host}" in the Host header is not a host of this service. Use the URL that the service shows when it starts.`,
  ),
  invalid_grant: row(400, 'The code or refresh token is not valid', (f) => f.why),

  // 401, 403: who are you, and may you
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
  token_expired: row(
    401,
    'The access token has expired',
    (f) => `The access token expired at ${f.at}. Get a new one with the refresh token, or log in again.`,
  ),
  invalid_client: row(
    401,
    'Unknown OAuth application',
    () => 'No OAuth application has this client_id and client_secret. Check both values.',
  ),
  insufficient_scope: row(
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

  // 404, 405
  route_not_found: row(
    404,
    'No such operation',
    (f) => `This service has no operation ${f.method} ${f.path}. Check the method and the path.`,
  ),
  transaction_not_found: row(404, 'No such transaction', (f) => `Transaction "${f.id}" not found.`),
  template_not_found: row(404, 'No such template', (f) => `Template "${f.id}" not found.`),
  webhook_not_found: row(404, 'No such webhook', (f) => `Webhook "${f.id}" not found.`),
  event_not_found: row(404, 'No such event', (f) => `Event "${f.id}" not found.`),
  file_not_found: row(404, 'No such file', (f) => `File "${f.id}" not found.`),
  client_not_found: row(404, 'No such OAuth application', (f) => `OAuth application "${f.id}" not found.`),
  mail_not_found: row(404, 'No such email', (f) => `Email "${f.id}" not found.`),
  user_not_found: row(404, 'No such user', (f) => `No user has the email address "${f.email}".`),
  signing_link_invalid: row(
    404,
    'This signing link is not valid',
    () =>
      'This signing link is unknown, was used already, or its transaction has ended. If you still have to sign, ask the sender for a new link.',
  ),
  method_not_allowed: row(405, 'Method not allowed', (f) => `${f.path} accepts ${f.allow}, not ${f.method}.`),

  // 409: right, but not now
  transaction_not_draft: row(
    409,
    'The transaction is no longer a draft',
    (f) => `${standing(f)}; only a draft can be changed or started.`,
  ),
  transaction_not_started: row(409, 'The transaction is not started', (f) =>
    f.what === 'reminded'
      ? `${standing(f)}; recipients are reminded only while a transaction is started.`
      : `${standing(f)}; only a transaction with the status started can be ${f.what}.`,
  ),
  not_your_turn: row(409, 'The recipient cannot act now', (f) =>
    f.current
      ? `${f.email} cannot act now: transaction ${f.id} is waiting for ${f.current}.`
      : `${f.email} cannot act on transaction ${f.id}.`,
  ),
  values_changed: row(
    409,
    'The values have changed',
    () => 'Some values have changed since they were shown for review. Review them again, then submit.',
  ),
  transaction_changed: row(
    409,
    'The transaction has changed',
    (f) =>
      `Transaction ${f.id} changed while its documents were being sealed. Nothing was signed. Try again.`,
  ),
  client_is_own: row(
    409,
    'The OAuth application is built in',
    (f) =>
      `"${f.id}" is the sandbox's own OAuth application and cannot be deleted. To add another one, run \`esign sandbox apps create\`.`,
  ),
  user_exists: row(
    409,
    'The user already exists',
    (f) => `A user with the email address "${f.email}" already exists. Use another email address.`,
  ),

  documents_not_checked: row(
    409,
    'Not every page has been checked yet',
    (f) =>
      `Transaction ${f.id} cannot start yet: ${f.left === 1 ? '1 page has' : `${f.left} pages have`} not been checked yet, starting with page ${f.page} of "${f.name}". Try again in a moment.`,
  ),

  // 413, 415
  file_too_large: row(
    413,
    'The file is too large',
    (f) => `The file is larger than ${f.limit} bytes (10 MB). Upload a smaller file.`,
  ),
  body_too_large: row(
    413,
    'The request body is too large',
    (f) => `The request body is larger than ${f.limit} bytes. Send a smaller request.`,
  ),
  unsupported_media_type: row(
    415,
    'The content type is not supported',
    (f) =>
      `This operation ${f.given ? `does not accept Content-Type: ${f.given}` : 'requires a Content-Type'}. Use ${f.expected}.`,
  ),
  file_type_not_accepted: row(
    415,
    'The file type is not accepted',
    (f) =>
      `"${f.name}" is ${f.found ?? 'a file of an unknown type'}, which is not accepted. ${f.wayOut ?? `Upload ${ACCEPTED_TYPES}`}.`,
  ),

  // 422: readable, but not allowed
  validation_failed: row(422, 'Some values are not valid', (f) => f.summary),
  sender_email_mismatch: row(
    422,
    'The sender is not the current user',
    (f) =>
      `The sender has the email address ${f.given}, but the access token belongs to ${f.expected}. Use ${f.expected} as the sender.`,
  ),
  transaction_incomplete: row(
    422,
    'The transaction cannot start yet',
    (f) => `Transaction ${f.id} cannot start: ${f.summary}`,
  ),
  file_empty: row(422, 'The file is empty', (f) => `"${f.name}" is empty. Choose another file.`),
  file_missing: row(422, 'No file was sent', () => 'The form has no file in the part "file". Add one.'),
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
    (f) => `"${f.name}" has more than ${f.maxPages} pages. Split it into several documents.`,
  ),
  document_too_complex: row(422, 'The document is too complex', (f) => unusable(f, tooComplex(f))),
  document_not_drawable: row(
    422,
    'A page of the document cannot be displayed',
    (f) =>
      `Transaction ${f.id} cannot start: page ${f.page} of "${f.name}" cannot be displayed, because ${meaningOf(f.limit)}. Remove the document, or print it to a new PDF and use that one.`,
  ),
  document_not_sealable: row(
    422,
    'The document cannot be sealed',
    (f) =>
      `"${f.name}" cannot be sealed: ${f.why}. Nothing was signed. Ask the sender to cancel the transaction, print the document to a new PDF and send that one.`,
  ),
  too_many_events: row(
    422,
    'Too many events at once',
    (f) =>
      `This would send ${f.count} events again, but at most ${f.limit} can be sent at once. Choose a later time, or a single transaction.`,
  ),
  idempotency_key_reused: row(
    422,
    'The Idempotency-Key was already used',
    () => 'This Idempotency-Key was used for a request with different content. Use a new key.',
  ),

  // 429
  reminded_recently: row(
    429,
    'The recipient was reminded recently',
    (f) => `${f.email} was reminded less than an hour ago. Try again after ${f.at}.`,
  ),

  // 5xx
  sealing_unavailable: row(
    503,
    'The documents cannot be sealed now',
    (f) => `The documents cannot be sealed now. Nothing was signed. ${f.why} ${f.way_out}`,
  ),
  documents_busy: row(
    503,
    'Too many documents at once',
    () => 'The service is processing too many documents at the moment. Try again in a minute.',
  ),
  internal_error: row(
    500,
    'Internal error',
    (f) =>
      `The service failed to process this request. This is a bug: report it with the request ID ${f.request_id}.`,
  ),
  storage_damaged: row(500, 'Stored data is damaged', (f) => `${f.what}${f.way_out ? ` ${f.way_out}` : ''}`),
  storage_unusable: row(
    503,
    'The storage cannot be used',
    (f) => `The storage of the service cannot be used: ${f.why}.`,
  ),
  storage_full: row(
    507,
    'The disk is full',
    () =>
      'No space is left on the disk where the service stores its data. Nothing was changed. Free some space on that disk, then try again.',
  ),
};

/** A business "no", as data: what operations return or throw, and the codec turns into a response. */
export type RefusalOf<C extends ProblemCode> = {
  [K in C]: { code: K; facts: ProblemFacts[K]; errors: FieldError[] };
}[C];

export type Refusal = RefusalOf<ProblemCode>;

/** The codes whose sentences need no facts. */
export type FactlessCode = {
  [C in ProblemCode]: None extends ProblemFacts[C] ? C : never;
}[ProblemCode];

export function refusal<C extends FactlessCode>(
  code: C,
  facts?: ProblemFacts[C],
  errors?: FieldError[],
): RefusalOf<C>;
export function refusal<C extends ProblemCode>(
  code: C,
  facts: ProblemFacts[C],
  errors?: FieldError[],
): RefusalOf<C>;
export function refusal(code: ProblemCode, facts: object = {}, errors: FieldError[] = []): object {
  return { code, facts, errors };
}

/** Code and facts belong to each other, which only a type parameter can say. */
export const sentenceOf = <C extends ProblemCode>({ code, facts }: RefusalOf<C>): string =>
  PROBLEMS[code].detail(facts);

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
  const { status, title } = PROBLEMS[no.code];
  return {
    type: `urn:esign:problem:${no.code}`,
    title,
    status,
    detail: sentenceOf(no),
    instance,
    code: no.code,
    ...(no.errors.length > 0 && { errors: no.errors }),
  };
}
