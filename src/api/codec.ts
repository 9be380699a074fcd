// Encodes and decodes what travels, for the client: input → Call, Reply → output or ApiError, with the paths of operations and the errors in bodies of
// services that we do not know. It reads leniently what it receives; service-codec.ts, the other half, writes strictly what the contract says. Runs
// wherever `fetch` runs.
import { concatBytes } from '../common/concat-bytes.ts';
import { isRecord, isTooDeep } from '../common/json.ts';
import { parseUrl } from '../common/parse-url.ts';
import { LONE_SURROGATE } from '../common/text.ts';
import { readReceived } from './contract/lenient.ts';
import type { DecodedOperation, EncodedOperation, OutgoingFile } from './contract/operation.ts';
import type { FieldError } from './contract/problems.ts';
import { inSentences } from './contract/wrong-values.ts';
import { retryAfterMs } from './retry.ts';
import { type Call, callPath, type Reply, requestIdOf } from './transport.ts';

const JSON_TYPE = 'application/json';

export type LooseInput = {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  form?: Record<string, string | undefined>;
  file?: OutgoingFile;
};

/**
 * @property boundary of a form: random, so that no file contains it
 * @property route overrides method and path of the operation: `POST /v1/transaction/{transactionId}/cancellation`
 */
type Encoding = {
  baseUrl: string;
  boundary: string;
  route?: { method: string; path: string } | undefined;
  headers?: Record<string, string>;
};

// ── input → Call ────────────────────────────────────────────────────────────────────────────────────────────────

export async function encodeCall(
  operation: EncodedOperation,
  input: LooseInput,
  encoding: Encoding,
): Promise<Call> {
  const { method, path } = encoding.route ?? operation;
  const url = new URL(encoding.baseUrl.replace(/\/+$/, '') + fillPath(path, input.params ?? {}));
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const call = { method, url: url.href, headers: { accept: JSON_TYPE, ...encoding.headers } };
  if (input.file) return withBody(call, await multipart(input.form ?? {}, input.file, encoding.boundary));
  if (operation.body === undefined) return call;
  return withBody(call, {
    type: JSON_TYPE,
    body: encodeUtf8(JSON.stringify(input.body ?? {})),
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
  boundary: string,
): Promise<{ type: string; body: Uint8Array }> {
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
  const body = concatBytes([encodeUtf8(head), content, encodeUtf8(`\r\n--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** HTML standard, multipart/form-data: quotes and line ends in a name are percent-encoded. */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

// ── Reply → output or ApiError ──────────────────────────────────────────────────────────────────────────────────

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
  /** The time that the service asks the client to wait before the next request. */
  readonly waitMs?: number | undefined;
  /** The body of the refusal, where it is an object (RFC 9457). */
  readonly problem?: Record<string, unknown> | undefined;

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
    this.problem = facts.problem;
  }
}

/** Reads the error from a reply; undefined for a success. */
export function refusalOf(id: string, call: Call, reply: Reply): ApiError | undefined {
  const { status, headers, body } = reply;
  if (status >= 200 && status < 300) return undefined;
  const facts = factsOf(id, call, reply);
  if (status === OPAQUE || (status >= 300 && status < 400))
    return new ApiError(redirection(status, headers, call), { ...facts, code: 'redirected', errors: [] });
  const text = textOf(body);
  const { code, detail, errors } = parseErrorBody(text, status);
  const problem = isTooDeep(text) ? undefined : jsonOrUndefined(text);
  return new ApiError(detail, { ...facts, code, errors, problem: isRecord(problem) ? problem : undefined });
}

/** The status that a browser shows for a redirect that is not followed. */
const OPAQUE = 0;

const factsOf = (id: string, call: Call, { status, headers }: Reply) => ({
  operation: id,
  status,
  requestId: requestIdOf(headers),
  method: call.method,
  path: callPath(call.url),
  waitMs: retryAfterMs(headers, () => Number.NaN),
});

/** Throws {@link ApiError} on a refusal, and on an answer that lacks what the caller needs. */
export function decodeReply(id: string, operation: DecodedOperation, call: Call, reply: Reply): unknown {
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
  // For another host only the origin is shown, because the rest may contain a secret.
  const where = target
    ? ` to ${target.origin === new URL(url).origin ? `${target.origin}${target.pathname}` : target.origin}`
    : '';
  const how = status === OPAQUE ? '' : ` (status ${status})`;
  return `The service redirects${where}${how}. Redirects are not followed.`;
}

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

// ── paths: an ID never reaches another path, because it is encoded and dot segments are refused ──────────────────

/** Thrown by {@link fillPath}: a value cannot be part of a path. */
export class PathError extends Error {
  override name = 'PathError';
}

/** @param template `/v1/transaction/{transactionId}` */
export function fillPath(template: string, params: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new PathError('An ID must not be empty.');
    if (value === '.' || value === '..' || LONE_SURROGATE.test(value))
      throw new PathError(`"${value}" is not a valid ID.`);
    return encodeURIComponent(value);
  });
}

/** Decodes the ids when `path` matches `template`; undefined when it does not. Throws URIError. */
export const matchPath = (template: string, path: string): Record<string, string> | undefined =>
  matchSegments(template.split('/'), path.split('/'));

/** Does the same for paths that were split at their slashes before. */
export function matchSegments(
  template: readonly string[],
  path: readonly string[],
): Record<string, string> | undefined {
  if (template.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (let index = 0; index < template.length; index += 1) {
    const part = template[index] ?? '';
    const segment = path[index] ?? '';
    if (part.startsWith('{')) {
      if (segment === '') return undefined;
      params[part.slice(1, -1)] = decodeURIComponent(segment);
    } else if (part !== segment) return undefined;
  }
  return params;
}

/** Parses `METHOD /path` as a profile has it; undefined when the text has another form. */
export function parseRoute(text: string): { method: string; path: string } | undefined {
  const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(text);
  return match ? { method: match[1] ?? '', path: match[2] ?? '' } : undefined;
}

// ── errors in bodies ────────────────────────────────────────────────────────────────────────────────────────────

type ParsedError = { code: string; detail: string; errors: FieldError[] };

const LONGEST = 500;
const MOST_ERRORS = 50;
const SHOWN_ERRORS = 3;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/**
 * Reads the error in a body as far as it can be understood. It never throws, and never returns more than a person would read. It knows ours and RFC 9457, `{message}`, `{error}` as text or object, `{errors}` and `{detail}` as lists of text or objects or
 * as a map of fields, plain text, a page, nothing.
 */
export function parseErrorBody(text: string, status: number): ParsedError {
  const body = jsonOrUndefined(text);
  const source = isRecord(body) ? body : {};
  const inner = isRecord(source.error) ? source.error : {};
  const errors = [source.errors, source.detail, inner.errors, inner.details, source.message, source.details]
    .map(errorsIn)
    .find((errors) => errors.length > 0);
  const sentence = [
    source.detail,
    source.message,
    inner.message,
    inner.detail,
    source.error_description,
    source.error_message,
    source.msg,
    source.error,
    source.title,
  ].find(isText);
  const code = [source.code, inner.code, inner.type, source.error].find(
    (word): word is string => typeof word === 'string' && /^[\w.-]{1,100}$/.test(word),
  );
  return {
    code: code ?? `http_${status}`,
    detail: shortened(sentence ?? sentenceOf(errors ?? []) ?? plainOf(body, text, status)),
    errors: errors ?? [],
  };
}

const shortened = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
};

/** A list of sentences or objects, or a map from fields to them. A text alone is no list. */
function errorsIn(value: unknown): FieldError[] {
  const errors = Array.isArray(value)
    ? value.slice(0, MOST_ERRORS).map((item) => errorOf(item))
    : isRecord(value)
      ? Object.entries(value)
          .slice(0, MOST_ERRORS)
          .flatMap(([path, item]) => [item].flat().map((each) => errorOf(each, path)))
      : [];
  return errors.filter((error) => error !== undefined);
}

const PLACES = ['path', 'field', 'property', 'param', 'pointer', 'loc', 'name'];
const WORDS = ['message', 'msg', 'detail', 'reason', 'title', 'description'];

function errorOf(item: unknown, path?: string): FieldError | undefined {
  if (isText(item)) return { path: path ?? '', message: shortened(item) };
  if (!isRecord(item)) return undefined;
  const message = WORDS.map((name) => item[name]).find(isText);
  if (message === undefined) return undefined;
  const places = [
    ...PLACES.map((name) => item[name]),
    isRecord(item.source) ? item.source.pointer : undefined,
  ];
  return { path: places.map(placeOf).find(isText) ?? path ?? '', message: shortened(message) };
}

/** `["body", "recipients", 0]` and `/recipients/0` are both `recipients.0`. */
function placeOf(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value
      .filter((part, index) => !(index === 0 && part === 'body'))
      .map(String)
      .join('.')
      .slice(0, LONGEST);
  return isText(value) ? value.replace(/^#?\//, '').replaceAll('/', '.').slice(0, LONGEST) : undefined;
}

function sentenceOf(errors: readonly FieldError[]): string | undefined {
  if (errors.length === 0) return undefined;
  return inSentences(errors, SHOWN_ERRORS);
}

function plainOf(body: unknown, text: string, status: number): string {
  const answered = `The service answered with status ${status}`;
  const title = /<title[^>]*>([^<]{1,200})<\/title>/i.exec(text.slice(0, 20_000))?.[1]?.trim();
  if (title) return `${answered} and a page titled "${title}".`;
  return body === undefined && text.trim() !== '' && !/[<{]/.test(text)
    ? text.slice(0, LONGEST)
    : `${answered}.`;
}

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
