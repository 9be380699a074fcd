// What travels, both halves side by side: input → Request → input, output → Response → output or ApiError.
// The service writes strictly what the contract says; the client reads leniently what comes.
import { z } from 'zod';
import type { Operation, OutgoingFile } from './contract/operation.ts';
import { type FieldError, type Problem, problemOf, type Refusal, refusal } from './contract/problems.ts';
import { fillPath } from './path.ts';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

export type LooseInput = {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  form?: Record<string, string | undefined>;
  file?: OutgoingFile;
};

/** @param route overrides method and path of the operation: `POST /v1/transaction/{transactionId}/cancellation` */
export type Encoding = { baseUrl: string; route?: { method: string; path: string } | undefined; headers?: Record<string, string> };

// ── client: input → Request ─────────────────────────────────────────────────────────────────────────────────────

export function encodeRequest(operation: Operation, input: LooseInput, encoding: Encoding): Request {
  const { method, path } = encoding.route ?? operation;
  const url = new URL(encoding.baseUrl.replace(/\/+$/, '') + fillPath(path, input.params ?? {}));
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const headers = new Headers({ accept: JSON_TYPE, ...encoding.headers });
  if (input.file) {
    const { type, body } = multipart(input.form ?? {}, input.file);
    headers.set('content-type', type);
    headers.set('content-length', String(body.size));
    return new Request(url, { method, headers, body });
  }
  if (operation.body === undefined) return new Request(url, { method, headers });
  headers.set('content-type', JSON_TYPE);
  return new Request(url, { method, headers, body: JSON.stringify(input.body ?? {}) });
}

/** A form written by hand as one Blob: its length is known, and no copy of the file is made. */
function multipart(form: Record<string, string | undefined>, file: OutgoingFile): { type: string; body: Blob } {
  const boundary = `esign-${crypto.randomUUID()}`;
  const parts: (string | Blob)[] = [];
  for (const [name, value] of Object.entries(form))
    if (value !== undefined)
      parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`);
  parts.push(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
    file.content,
    `\r\n--${boundary}--\r\n`,
  );
  return { type: `multipart/form-data; boundary=${boundary}`, body: new Blob(parts) };
}

/** HTML standard, multipart/form-data: quotes and line ends in a name are percent-encoded. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

// ── service: Request → input ────────────────────────────────────────────────────────────────────────────────────

/** Checks one part of a request against its schema. A wrong one is a refusal that lists every wrong value. */
export function readPart<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { ok: true; value: z.output<S> } | { ok: false; refusal: Refusal } {
  const read = schema.safeParse(value);
  if (read.success) return { ok: true, value: read.data };
  return { ok: false, refusal: invalid(read.error.issues.map(fieldErrorOf)) };
}

const SHOWN = 3;

/** A refusal of values, its sentence naming the first few. */
export function invalid(errors: FieldError[]): Refusal {
  const shown = errors.slice(0, SHOWN).map(({ path, message }) => (path ? `${path} ${message}` : message));
  const more = errors.length > SHOWN ? `; and ${errors.length - SHOWN} more` : '';
  return refusal('validation_failed', { summary: `${shown.join('; ')}${more}.` }, errors);
}

function fieldErrorOf(issue: z.core.$ZodIssue): FieldError {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'invalid_type') {
    const expected = issue.expected === 'int' ? 'whole number' : issue.expected;
    const isMissing = issue.input === undefined || issue.message.includes('received undefined');
    return { path, message: isMissing ? 'is required' : `must be of type ${expected}` };
  }
  return { path, message: issue.message };
}

/** @param text the bytes of a JSON body */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false; refusal: Refusal } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const why = text.trim() === '' ? 'it is empty' : error instanceof SyntaxError ? 'see the position in the text' : '';
    return { ok: false, refusal: refusal('malformed_json', { why }) };
  }
}

// ── service: output → Response ──────────────────────────────────────────────────────────────────────────────────

export function encodeOutput(operation: Operation, output: unknown): Response {
  if (operation.success.binary) {
    const { bytes, mediaType } = output as { bytes: Uint8Array<ArrayBuffer>; mediaType: string };
    return new Response(bytes, { status: operation.success.status, headers: { 'content-type': mediaType } });
  }
  return new Response(JSON.stringify(output), {
    status: operation.success.status,
    headers: { 'content-type': JSON_TYPE },
  });
}

export function encodeRefusal(no: Refusal, requestId: string): Response {
  const problem = problemOf(no, `urn:uuid:${requestId}`);
  const headers = new Headers({ 'content-type': PROBLEM_TYPE });
  // RFC 9110 §15.5.2 and RFC 6750 §3: a 401 says how to come back.
  if (problem.status === 401) headers.set('www-authenticate', `Bearer error="${no.code === 'token_missing' ? 'invalid_request' : 'invalid_token'}"`);
  if (no.code === 'insufficient_scope')
    headers.set('www-authenticate', `Bearer error="insufficient_scope", scope="${no.facts.needed}"`);
  if (no.code === 'method_not_allowed') headers.set('allow', String(no.facts.allow));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

// ── client: Response → output or ApiError ───────────────────────────────────────────────────────────────────────

/** The service answered, and the answer is no (or one that cannot be used). */
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

  constructor(message: string, facts: Omit<ApiError, keyof Error>) {
    super(message);
    this.operation = facts.operation;
    this.status = facts.status;
    this.code = facts.code;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
    this.method = facts.method;
    this.path = facts.path;
  }
}

/** Throws {@link ApiError} on a refusal, and on an answer that lacks what the caller needs. */
export async function decodeResponse(id: string, operation: Operation, request: Request, response: Response): Promise<unknown> {
  const where = {
    operation: id,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    method: request.method,
    path: new URL(request.url).pathname,
  };
  if (!response.ok) {
    const { code, detail, errors } = understand(await response.text(), response.status);
    throw new ApiError(detail, { ...where, code, errors });
  }
  if (operation.success.binary)
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      mediaType: response.headers.get('content-type') ?? 'application/octet-stream',
    };
  const body = jsonOrUndefined(await response.text());
  const missing = (operation.needs ?? []).find((name) => !isRecord(body) || body[name] === undefined || body[name] === null);
  if (missing !== undefined)
    throw new ApiError(`The answer of the service has no "${missing}".`, { ...where, code: 'answer_incomplete', errors: [] });
  return body ?? {};
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Any error body, as far as it goes: ours, RFC 9457, `{message}`, `{error: …}`, plain text, nothing. */
function understand(text: string, status: number): { code: string; detail: string; errors: FieldError[] } {
  const body = jsonOrUndefined(text);
  const source: Partial<Problem> & Record<string, unknown> = isRecord(body) ? body : {};
  const nested = isRecord(source.error) ? source.error : {};
  const words = [source.detail, source.message, nested.message, source.error_description, source.error, source.title];
  const detail = words.find((word): word is string => typeof word === 'string' && word !== '');
  const code = [source.code, nested.code, source.error].find((word): word is string => typeof word === 'string' && /^[\w.-]+$/.test(word));
  const plain = body === undefined && !/[<{]/.test(text) ? text.trim().slice(0, 300) : '';
  const errors = Array.isArray(source.errors) ? source.errors.filter(isFieldError) : [];
  return { code: code ?? `http_${status}`, detail: detail ?? (plain || `The service answered ${status}.`), errors };
}

const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.path === 'string' && typeof value.message === 'string';
