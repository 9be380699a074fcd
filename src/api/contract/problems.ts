// Every refusal of the service: a stable code, the HTTP status, and the sentence that a person reads: what happened, with which value, and what
// to do. The shape is RFC 9457 `application/problem+json` with the members `code` and `errors` (assumed: A25). The table at the end adds the
// headers that some refusals have: how to authenticate, which methods are accepted, when to try again.

import { encrypted, meaningOf, tooComplex, type Unusable, unreadable } from './documents.ts';
import { ACCEPTED_TYPES } from './file-types.ts';

/** A wrong value of a request. `path` is dotted, `fields.0.width`. */
export type FieldError = { path: string; message: string };

type None = Record<never, never>;
type Id = { id: string };
type Named = { name: string };
type Because = { why: string };

type Row<F> = { status: number; title: string; detail: (facts: F) => string };

const row = <F = None>(status: number, title: string, detail: (facts: F) => string): Row<F> => ({
  status,
  title,
  detail,
});

const unusable = ({ name }: Named, { what, hint }: Unusable): string =>
  `"${name}" ${what}. ${hint} and upload it again.`;

/** `Transaction 0199… is a draft` */
const stateSentence = ({ id, status }: Id & { status: string }): string =>
  `Transaction ${id} is ${status === 'draft' ? 'a draft' : status}`;

const ROWS = {
  // 400: the request cannot be read at all.
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

  // 401 and 403: the caller is unknown, or lacks the permission.
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

  // 404 and 405: nothing has this address, or it does not take this method.
  route_not_found: row<{ method: string; path: string }>(
    404,
    'No such operation',
    (f) => `This service has no operation ${f.method} ${f.path}. Check the method and the path.`,
  ),
  transaction_not_found: row<Id>(404, 'No such transaction', (f) => `Transaction "${f.id}" not found.`),
  template_not_found: row<Id>(404, 'No such template', (f) => `Template "${f.id}" not found.`),
  webhook_not_found: row<Id>(404, 'No such webhook', (f) => `Webhook "${f.id}" not found.`),
  event_not_found: row<Id>(404, 'No such event', (f) => `Event "${f.id}" not found.`),
  file_not_found: row<Id>(404, 'No such file', (f) => `File "${f.id}" not found.`),
  client_not_found: row<Id>(
    404,
    'No such OAuth application',
    (f) => `OAuth application "${f.id}" not found.`,
  ),
  mail_not_found: row<Id>(404, 'No such email', (f) => `Email "${f.id}" not found.`),
  snapshot_not_found: row<Id>(
    404,
    'No such snapshot',
    (f) => `Snapshot "${f.id}" not found, or saved by another version of esign.`,
  ),
  user_not_found: row<{ email: string }>(
    404,
    'No such user',
    (f) => `No user has the email address "${f.email}".`,
  ),
  signing_link_invalid: row(
    404,
    'This signing link is not valid',
    () =>
      'This signing link is unknown, was used already, or its transaction has ended. If you still have to sign, ask the sender for a new link.',
  ),
  /** `allow` as the header has it: `GET, POST`. */
  method_not_allowed: row<{ method: string; path: string; allow: string }>(
    405,
    'Method not allowed',
    (f) => `${f.path} accepts ${f.allow}, not ${f.method}.`,
  ),

  // 409: the request is right, but not now.
  transaction_not_draft: row<Id & { status: string }>(
    409,
    'The transaction is no longer a draft',
    (f) => `${stateSentence(f)}; only a draft can be changed or started.`,
  ),
  transaction_not_started: row<
    Id & {
      status: string;
      /** The action that it does not allow. */
      action: 'signed' | 'rejected' | 'cancelled' | 'expired' | 'reminded';
    }
  >(409, 'The transaction is not started', (f) =>
    f.action === 'reminded'
      ? `${stateSentence(f)}; recipients are reminded only while a transaction is started.`
      : `${stateSentence(f)}; only a transaction with the status started can be ${f.action}.`,
  ),
  /** `current` is whose turn it is. */
  not_your_turn: row<Id & { email: string; current: string | undefined }>(
    409,
    'The recipient cannot act now',
    (f) =>
      f.current
        ? `${f.email} cannot act now: transaction ${f.id} is waiting for ${f.current}.`
        : `${f.email} cannot act on transaction ${f.id}.`,
  ),
  values_changed: row(
    409,
    'The values have changed',
    () => 'Some values have changed since they were shown for review. Review them again, then submit.',
  ),
  transaction_changed: row<Id>(
    409,
    'The transaction has changed',
    (f) =>
      `Transaction ${f.id} changed while its documents were being sealed. Nothing was signed. Try again.`,
  ),
  submission_under_way: row<Id>(
    409,
    'The documents are being sealed',
    (f) =>
      `A signature of transaction ${f.id} is being processed and its documents are being sealed. Nothing else was signed. Check the transaction again in a few seconds.`,
  ),
  client_is_own: row<Id>(
    409,
    'The OAuth application is built in',
    (f) =>
      `"${f.id}" is the sandbox's own OAuth application and cannot be deleted. To add another one, run \`esign sandbox apps create\`.`,
  ),
  user_exists: row<{ email: string }>(
    409,
    'The user already exists',
    (f) => `A user with the email address "${f.email}" already exists. Use another email address.`,
  ),
  /** `remaining` counts the pages that are not checked, and `page` is the next of them. */
  documents_not_checked: row<Id & Named & { remaining: number; page: number }>(
    409,
    'Not every page has been checked yet',
    (f) =>
      `Transaction ${f.id} cannot start yet: ${f.remaining === 1 ? '1 page has' : `${f.remaining} pages have`} not been checked yet, starting with page ${f.page} of "${f.name}". Try again in a moment.`,
  ),

  // 413, 415 and 422: the request can be read, but its content is not accepted.
  file_too_large: row<{ limit: number }>(
    413,
    'The file is too large',
    (f) => `The file is larger than ${f.limit} bytes (10 MB). Upload a smaller file.`,
  ),
  body_too_large: row<{ limit: number }>(
    413,
    'The request body is too large',
    (f) => `The request body is larger than ${f.limit} bytes. Send a smaller request.`,
  ),
  unsupported_media_type: row<{ expected: string; received: string | undefined }>(
    415,
    'The content type is not supported',
    (f) =>
      `This operation ${f.received ? `does not accept Content-Type: ${f.received}` : 'requires a Content-Type'}. Use ${f.expected}.`,
  ),
  file_type_not_accepted: row<Named & { found?: string; hint?: string | undefined }>(
    415,
    'The file type is not accepted',
    (f) =>
      `"${f.name}" is ${f.found ?? 'a file of an unknown type'}, which is not accepted. ${f.hint ?? `Upload ${ACCEPTED_TYPES}`}.`,
  ),
  validation_failed: row<{ summary: string }>(422, 'Some values are not valid', (f) => f.summary),
  sender_email_mismatch: row<{ email: string; expected: string }>(
    422,
    'The sender is not the current user',
    (f) =>
      `The sender has the email address ${f.email}, but the access token belongs to ${f.expected}. Use ${f.expected} as the sender.`,
  ),
  /** `summary` is a whole sentence. */
  transaction_incomplete: row<Id & { summary: string }>(
    422,
    'The transaction cannot start yet',
    (f) => `Transaction ${f.id} cannot start: ${f.summary}`,
  ),
  file_empty: row<Named>(422, 'The file is empty', (f) => `"${f.name}" is empty. Choose another file.`),
  file_missing: row(422, 'No file was sent', () => 'The form has no file in the part "file". Add one.'),
  file_token_unknown: row(
    422,
    'The file token is not valid',
    () =>
      'The file token is unknown, belongs to another company, or was not used within 24 hours. Upload the file again.',
  ),
  document_encrypted: row<Named & { by: 'password' | 'certificate' }>(422, 'The PDF is encrypted', (f) =>
    unusable(f, encrypted(f.by)),
  ),
  document_unreadable: row<Named & { reason: string }>(422, 'The document cannot be read', (f) =>
    unusable(f, unreadable(f.reason)),
  ),
  document_too_long: row<Named & { maxPages: number }>(
    422,
    'The document has too many pages',
    (f) => `"${f.name}" has more than ${f.maxPages} pages. Split it into several documents.`,
  ),
  document_too_complex: row<
    Named & {
      limit: string;
      page?: number;
      actual?: number;
      allowed?: number;
      type?: string;
      near?: string;
    }
  >(422, 'The document is too complex', (f) => unusable(f, tooComplex(f))),
  document_not_drawable: row<Id & Named & { page: number; limit: string | undefined }>(
    422,
    'A page of the document cannot be displayed',
    (f) =>
      `Transaction ${f.id} cannot start: page ${f.page} of "${f.name}" cannot be displayed, because ${meaningOf(f.limit)}. Remove the document, or print it to a new PDF and use that one.`,
  ),
  document_not_sealable: row<Named & Because>(
    422,
    'The document cannot be sealed',
    (f) =>
      `"${f.name}" cannot be sealed: ${f.why}. Nothing was signed. The sender has to print the document to a new PDF and send that one.`,
  ),
  document_not_as_shown: row<Named & { page: number }>(
    422,
    'The sealed document would not show what the document shows',
    (f) =>
      `"${f.name}" cannot be sealed: page ${f.page} would show something else than its recipients see. Nothing was signed. The sender has to print the document to a new PDF and send that one.`,
  ),
  too_many_events: row<{ count: string; limit: number }>(
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

  // 429 and 5xx: the service does not do it now, or failed.
  reminded_recently: row<{ email: string; at: string; wait_seconds: number }>(
    429,
    'The recipient was reminded recently',
    (f) => `${f.email} was reminded less than an hour ago. Try again after ${f.at}.`,
  ),
  /** Only a sandbox answers this, by a fault that was added to it. */
  rate_limited: row<{ wait_seconds: number }>(
    429,
    'Too many requests',
    (f) =>
      `The sandbox refuses this request on purpose, because of the fault rate-limit. Nothing was done. Try again in ${f.wait_seconds} s.`,
  ),
  /** Only a sandbox answers this, by a fault that was added to it. */
  failed_on_purpose: row<{ kind: string }>(
    500,
    'Failed on purpose',
    (f) => `The sandbox answers this request with an error on purpose, because of the fault ${f.kind}.`,
  ),
  /** Both facts are whole sentences. */
  sealing_unavailable: row<Because & { way_out: string }>(
    503,
    'The documents cannot be sealed now',
    (f) => `The documents cannot be sealed now. Nothing was signed. ${f.why} ${f.way_out}`,
  ),
  /** `why` is for the sender and the log: it may name what a recipient does not need to know. */
  sealing_failed: row<Because>(
    500,
    'The documents could not be sealed',
    () =>
      'The documents could not be sealed because of an error in the service. Nothing was signed, and everything that was filled in is kept. The sender can see the reason.',
  ),
  receiving_busy: row(
    503,
    'Too much data at once',
    () =>
      'The service is receiving too much data at the moment, or too much from this client. Send the request again in a few seconds.',
  ),
  documents_busy: row(
    503,
    'Too many documents at once',
    () => 'The service is processing too many documents at the moment. Try again in a minute.',
  ),
  internal_error: row<{ request_id: string }>(
    500,
    'Internal error',
    (f) =>
      `The service failed to process this request. This is a bug: report it with the request ID ${f.request_id}.`,
  ),
  program_replaced: row(
    503,
    'The service has to be restarted',
    () =>
      'The files of the service were replaced by another version while it was running. Nothing was changed. Restart the service, then try again.',
  ),
  /** Both facts are whole sentences. */
  storage_damaged: row<{ damage: string; way_out: string | undefined }>(
    500,
    'Stored data is damaged',
    (f) => `${f.damage}${f.way_out ? ` ${f.way_out}` : ''}`,
  ),
  storage_unusable: row<Because>(
    503,
    'The storage cannot be used',
    (f) => `The storage of the service cannot be used: ${f.why}.`,
  ),
  /** A commit that was under way may have been stored: a repeated Idempotency-Key decides. */
  storage_unavailable: row<Because>(
    503,
    'The database cannot be used now',
    (f) => `The database of the service cannot be used now: ${f.why}. Try again in a moment.`,
  ),
  storage_full: row(
    507,
    'The disk is full',
    () =>
      'No space is left on the disk where the service stores its data. Nothing was changed. Free some space on that disk, then try again.',
  ),
};

export type ProblemCode = keyof typeof ROWS;

/** The facts that a refusal carries, by its code. */
export type ProblemFacts = {
  [C in ProblemCode]: (typeof ROWS)[C] extends Row<infer F> ? F : never;
};

export const PROBLEMS: { readonly [C in ProblemCode]: Row<ProblemFacts[C]> } = ROWS;

/** A business refusal as data: operations return or throw it, and the codec turns it into a response. */
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
export function problemOf(cause: Refusal, instance: string): Problem {
  const { status, title } = PROBLEMS[cause.code];
  return {
    type: `urn:esign:problem:${cause.code}`,
    title,
    status,
    detail: sentenceOf(cause),
    instance,
    code: cause.code,
    ...(cause.errors.length > 0 && { errors: cause.errors }),
  };
}

/** Headers of answers (RFC 6750 §3, RFC 9110 §15.5.6, RFC 6585 §4). The OpenAPI document names them from this table. */
export const HEADERS = {
  'WWW-Authenticate': 'Why the access token was refused (RFC 6750).',
  Allow: 'The methods that the path accepts, separated by commas.',
  'Retry-After': 'Seconds to wait before the next attempt.',
  'Idempotency-Replayed':
    '`true` if this is the first response to the same Idempotency-Key, returned again. Nothing was done again.',
} as const;

export type HeaderName = keyof typeof HEADERS;

type ProblemHeader<F> = { name: HeaderName; value: (facts: F) => string };

const challenge = <F>(text: (facts: F) => string): ProblemHeader<F> => ({
  name: 'WWW-Authenticate',
  value: (facts) => `Bearer error=${text(facts)}`,
});

export const PROBLEM_HEADERS: { readonly [C in ProblemCode]?: ProblemHeader<ProblemFacts[C]> } = {
  token_missing: challenge(() => '"invalid_request"'),
  token_invalid: challenge(() => '"invalid_token"'),
  token_expired: challenge(() => '"invalid_token"'),
  invalid_client: challenge(() => '"invalid_token"'),
  insufficient_scope: challenge(({ needed }) => `"insufficient_scope", scope="${needed}"`),
  method_not_allowed: { name: 'Allow', value: ({ allow }) => allow },
  reminded_recently: { name: 'Retry-After', value: ({ wait_seconds }) => String(wait_seconds) },
  rate_limited: { name: 'Retry-After', value: ({ wait_seconds }) => String(wait_seconds) },
  storage_unavailable: { name: 'Retry-After', value: () => '1' },
  receiving_busy: { name: 'Retry-After', value: () => '2' },
};

/** @returns by names in lower case, as a reply has them */
export const problemHeaders = (cause: Refusal): Record<string, string> => headersOf(cause);

/** Code and facts belong to each other, which only a type parameter can say. */
function headersOf<C extends ProblemCode>({ code, facts }: RefusalOf<C>): Record<string, string> {
  const header = PROBLEM_HEADERS[code];
  return header ? { [header.name.toLowerCase()]: header.value(facts) } : {};
}
