// Encodes and decodes what travels, both halves side by side: input → Call → input, output → Reply → output or ApiError. The
// service writes strictly what the contract says; the client reads leniently what it receives.

import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { inSentences } from './contract/field-error.ts';
import { readReceived } from './contract/lenient.ts';
import type { Operation, OutgoingFile } from './contract/operation.ts';
import { parseUrl } from './contract/parse-url.ts';
import { problemHeaders } from './contract/problem-headers.ts';
import { type FieldError, problemOf, type Refusal, refusal } from './contract/problems.ts';
import { jsonOrUndefined, parseErrorBody } from './error-body.ts';
import { isTooDeep } from './json-depth.ts';
import { fillPath } from './path.ts';
import { retryAfterMs } from './retry.ts';
import { type Call, callPath, type Reply, requestIdOf } from './transport.ts';
import { wrongValuesIn } from './wrong-values.ts';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

export type LooseInput = {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  form?: Record<string, string | undefined>;
  file?: OutgoingFile;
};

/** @property route overrides method and path of the operation: `POST /v1/transaction/{transactionId}/cancellation` */
export type Encoding = {
  baseUrl: string;
  route?: { method: string; path: string } | undefined;
  headers?: Record<string, string>;
};

// ── client: input → Call ────────────────────────────────────────────────────────────────────────────────────────

export async function encodeCall(operation: Operation, input: LooseInput, encoding: Encoding): Promise<Call> {
  const { method, path } = encoding.route ?? operation;
  const url = new URL(encoding.baseUrl.replace(/\/+$/, '') + fillPath(path, input.params ?? {}));
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const call = { method, url: url.href, headers: { accept: JSON_TYPE, ...encoding.headers } };
  if (input.file) return withBody(call, await multipart(input.form ?? {}, input.file));
  if (operation.body === undefined) return call;
  return withBody(call, {
    type: JSON_TYPE,
    body: new TextEncoder().encode(JSON.stringify(input.body ?? {})),
  });
}

const withBody = (call: Call, { type, body }: { type: string; body: Uint8Array }): Call => ({
  ...call,
  headers: { ...call.headers, 'content-type': type, 'content-length': String(body.length) },
  body,
});

/** Encodes a form in memory, so that its length is known before it is sent. */
async function multipart(
  form: Record<string, string | undefined>,
  file: OutgoingFile,
): Promise<{ type: string; body: Uint8Array }> {
  const boundary = `esign-${randomUUID()}`;
  const fields = Object.entries(form).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`],
  );
  const head =
    `${fields.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  const content =
    file.content instanceof Uint8Array ? file.content : new Uint8Array(await file.content.arrayBuffer());
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

/** HTML standard, multipart/form-data: quotes and line ends in a name are percent-encoded. */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

// ── service: Call → input ───────────────────────────────────────────────────────────────────────────────────────

/** Checks one part of a request against its schema. A part that does not match is refused, with a list of every wrong value. */
export function readPart<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { ok: true; value: z.output<S> } | { ok: false; refusal: Refusal } {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return { ok: true, value: read.data };
  return { ok: false, refusal: invalid(wrongValuesIn(read.error.issues)) };
}

const SHOWN = 3;

/** Makes the refusal of wrong values; its sentence names the first few. */
export function invalid(errors: FieldError[]): Refusal {
  return refusal('validation_failed', { summary: inSentences(errors, SHOWN) }, errors);
}

/** @param text the bytes of a JSON body */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false; refusal: Refusal } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const why = text.trim() === '' ? 'it is empty' : (error as SyntaxError).message;
    return { ok: false, refusal: refusal('malformed_json', { why }) };
  }
}

// ── service: output → Reply ─────────────────────────────────────────────────────────────────────────────────────

/** @param encoded the output as JSON, if it was encoded before */
export function encodeOutput(operation: Operation, output: unknown, encoded?: Uint8Array): Reply {
  const { status, binary } = operation.success;
  if (!binary)
    return { status, headers: { 'content-type': JSON_TYPE }, body: encoded ?? JSON.stringify(output) };
  const { bytes, mediaType } = output as { bytes: Uint8Array; mediaType: string };
  return { status, headers: { 'content-type': mediaType }, body: bytes };
}

export function encodeRefusal(no: Refusal, requestId: string): Reply {
  const problem = problemOf(no, `urn:uuid:${requestId}`);
  return {
    status: problem.status,
    headers: { 'content-type': PROBLEM_TYPE, ...problemHeaders(no) },
    body: JSON.stringify(problem),
  };
}

// ── client: Reply → output or ApiError ──────────────────────────────────────────────────────────────────────────

/** The service refused the request, or its answer cannot be used. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly operation: string;
  readonly status: number;
  /** The service's own code where it has one, else `http_<status>`. */
  readonly code: string;
  readonly errors: FieldError[];
  readonly requestId: string | undefined;
  readonly method: string;
  readonly path: string;
  /** How long the service asks the client to wait before the next request. */
  readonly waitMs?: number | undefined;

  constructor(message: string, facts: Omit<ApiError, keyof Error>) {
    super(message);
    this.operation = facts.operation;
    this.status = facts.status;
    this.code = facts.code;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
    this.method = facts.method;
    this.path = facts.path;
    this.waitMs = facts.waitMs;
  }
}

/** Reads the error from a reply; undefined for a success. */
export function refusalOf(id: string, call: Call, reply: Reply): ApiError | undefined {
  const { status, headers, body } = reply;
  if (status >= 200 && status < 300) return undefined;
  const facts = factsOf(id, call, reply);
  if (status >= 300 && status < 400)
    return new ApiError(redirection(status, headers, call), { ...facts, code: 'redirected', errors: [] });
  const { code, detail, errors } = parseErrorBody(textOf(body), status);
  return new ApiError(detail, { ...facts, code, errors });
}

const factsOf = (id: string, call: Call, { status, headers }: Reply) => ({
  operation: id,
  status,
  requestId: requestIdOf(headers),
  method: call.method,
  path: callPath(call.url),
  waitMs: retryAfterMs(headers, () => Number.NaN),
});

/** Throws {@link ApiError} on a refusal, and on an answer that lacks what the caller needs. */
export function decodeReply(id: string, operation: Operation, call: Call, reply: Reply): unknown {
  const refusal = refusalOf(id, call, reply);
  if (refusal) throw refusal;
  const { headers, body } = reply;
  if (operation.success.binary)
    return {
      bytes: typeof body === 'string' ? new TextEncoder().encode(body) : body,
      mediaType: headers['content-type'] ?? 'application/octet-stream',
    };
  const incomplete = (why: string) =>
    new ApiError(`The response of the service ${why}.`, {
      ...factsOf(id, call, reply),
      code: 'answer_incomplete',
      errors: [],
    });
  const text = textOf(body);
  if (isTooDeep(text)) throw incomplete('cannot be read: it is nested too deeply');
  const received = jsonOrUndefined(text);
  if (!operation.received) return received;
  const read = readReceived(operation.received, received);
  if (!read.ok) throw incomplete(`has no "${read.missing}"`);
  return read.value;
}

/** Describes a redirect. None is ever followed, because the access token would be sent along. */
function redirection(status: number, headers: Record<string, string>, { url }: Call): string {
  const { location } = headers;
  const target = location === undefined ? undefined : parseUrl(location, url);
  // Of another host only the origin is shown, because the rest may contain a secret.
  const where = target
    ? ` to ${target.origin === new URL(url).origin ? `${target.origin}${target.pathname}` : target.origin}`
    : '';
  return `The service redirects${where} (status ${status}). Redirects are not followed.`;
}

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);
