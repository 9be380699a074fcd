// Everything between a request and its handler: host, operation, who calls, what was sent; and back again. The only
// place, beside the codec, that catches.
import { createHash } from 'node:crypto';
import { encodeOutput, encodeRefusal, parseJson, readPart } from '../api/codec.ts';
import { type Instant, instantOf, later } from '../api/contract/instant.ts';
import { LIMITS } from '../api/contract/limits.ts';
import { isScoped, type Operation } from '../api/contract/operation.ts';
import type { OperationId } from '../api/contract/operations.ts';
import type { Refusal } from '../api/contract/problems.ts';
import type { Call, Reply, Transport } from '../api/transport.ts';
import { DamagedStoreError, type ReadCache } from '../database/database.ts';
import { storageFailureOf } from '../database/failure.ts';
import { readBody } from './body.ts';
import { ok, type RequestContext, type Result, refuse, type Upload } from './context.ts';
import { readForm } from './form.ts';
import { HANDLERS } from './operations/handlers.ts';
import { type ContextOptions, PlainContext } from './request-context.ts';
import { createRouter } from './router.ts';
import { type Bearer, findBearer } from './store/accounts.ts';
import { hashOf, isSameSecret } from './store/keys.ts';
import { findAnswer, type Answer as KeptRequest, keepAnswer } from './store/records.ts';
import type { Db, Tables } from './store/schema.ts';
import { controlSecretOf, type Store } from './store/store.ts';
import { isBrowser, isDashboardPath, isSignPage } from './web/paths.ts';

export type PipelineOptions = ContextOptions & {
  /** Checks every answer against the contract; a wrong one becomes a 500. On in every test. */
  validateResponses: boolean;
  onError: (error: unknown, requestId: string) => void;
};

/** Every answer has them, where it does not say otherwise itself. */
const HEADERS = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const;

/** What is not an operation: the contract itself. */
const OPENAPI_PATH = '/openapi.json';

export function createPipeline(options: PipelineOptions): Transport {
  const route = createRouter();

  async function respond(call: Call, requestId: string): Promise<Reply> {
    const encoded = (refusal: Refusal) => encodeRefusal(refusal, requestId);
    const url = parsedUrl(call.url);
    if (!url) return encoded(refuse('malformed_path').refusal);
    if (!isOurHost(url.hostname, options.origin()))
      return encoded(refuse('host_not_allowed', { host: url.host }).refusal);
    // RFC 9110 §9.3.2: as GET, and whoever sends the answer leaves its body out.
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    if (url.pathname === OPENAPI_PATH && method === 'GET') return openApi(options.origin());
    if (isDashboardPath(url.pathname)) return page(call, url, options);
    if (isSignPage(url.pathname, method, call.headers)) return signPage(call, url, options);
    const found = route(method, url.pathname);
    if (!found.ok)
      return found.refusal.code === 'route_not_found' && isBrowser(call.method, call.headers)
        ? page(call, url, options)
        : encoded(found.refusal);
    const { operation } = found;
    const answered = await handle(call, url, found);
    if (!answered.ok) return encoded(answered.refusal);
    if (options.validateResponses && !operation.success.binary)
      operation.success.schema.parse(answered.output);
    return encodeOutput(operation, answered.output, answered.encoded);
  }

  async function handle(call: Call, url: URL, { id, operation, params }: Route): Promise<Result<unknown>> {
    const { store } = options;
    const cache = await store.database.cache();
    const caller = await identify(call, operation, cache, options);
    if (!caller.ok) return caller;
    const read = await readInput(call, url, operation, params, store);
    if (!read.ok) return read;
    const { upload } = read.output;
    const asked = { call, id, operation, sent: read.output, caller: caller.output };
    try {
      const handler = HANDLERS[id] as (context: unknown, input: unknown) => Promise<Result<unknown>>;
      return badKey(call, operation) ?? (await handler(new CallContext(asked, cache, options), read.output));
    } finally {
      await upload?.spooled.discard();
    }
  }

  return async (call) => {
    const requestId = options.ids();
    let reply: Reply;
    try {
      reply = await respond(call, requestId);
    } catch (error) {
      options.onError(error, requestId);
      reply =
        (await failurePage(call, requestId, options)) ??
        encodeRefusal(failureOf(error, requestId), requestId);
    }
    for (const [name, value] of HEADERS) reply.headers[name] ??= value;
    reply.headers['x-request-id'] = requestId;
    return reply;
  };
}

/** What the caller is told of an error that nobody refused with: the cause, where it is one of storage. */
function failureOf(error: unknown, requestId: string): Refusal {
  const failure = storageFailureOf(error);
  if (!failure) return refuse('internal_error', { request_id: requestId }).refusal;
  if (failure.kind === 'full') return refuse('storage_full').refusal;
  if (failure.kind === 'unusable') return refuse('storage_unusable', { why: failure.why }).refusal;
  const way_out = error instanceof DamagedStoreError ? error.wayOut : undefined;
  return refuse('storage_damaged', { what: sentence(failure.why), way_out }).refusal;
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

type Route = { id: OperationId; operation: Operation; params: Record<string, string> };

/** One attempt instead of asking first: it is made for every request. */
function parsedUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** A page of somebody else's that resolves its name to this machine must not be answered (DNS rebinding). */
const isOurHost = (hostname: string, origin: string): boolean =>
  LOOPBACK.has(hostname) || hostname === new URL(origin).hostname;

/** Most who start this program never open a page. */
async function page(call: Call, url: URL, options: PipelineOptions): Promise<Reply> {
  const { answerPage } = await import('./web/dashboard.ts');
  return answerPage(call, url, new PlainContext(call, options));
}

async function signPage(call: Call, url: URL, options: PipelineOptions): Promise<Reply> {
  const { answerSignPage } = await import('./web/sign/sign-pages.ts');
  return answerSignPage(call, url, new PlainContext(call, options));
}

async function failurePage(
  call: Call,
  requestId: string,
  options: PipelineOptions,
): Promise<Reply | undefined> {
  const url = parsedUrl(call.url);
  if (!url) return undefined;
  const isSigning = isSignPage(url.pathname, call.method, call.headers);
  if (!isSigning && !isDashboardPath(url.pathname)) return undefined;
  const context = new PlainContext(call, options);
  try {
    if (isSigning) {
      const { answerSignFailure } = await import('./web/sign/sign-pages.ts');
      return await answerSignFailure(call, url, context, requestId);
    }
    const { answerFailure } = await import('./web/dashboard.ts');
    return await answerFailure(call, url, context, requestId);
  } catch {
    return undefined;
  }
}

async function openApi(origin: string): Promise<Reply> {
  const { openApiDocument } = await import('../api/contract/openapi.ts');
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(openApiDocument(origin)),
  };
}

// ── who calls ───────────────────────────────────────────────────────────────────────────────────────────────────

type Caller = Partial<Bearer>;

async function identify(
  call: Call,
  { access }: Operation,
  cache: ReadCache<Tables>,
  { store, clock }: PipelineOptions,
): Promise<Result<Caller>> {
  if (access === 'control') {
    const given = call.headers['x-esign-control'] ?? '';
    return isSameSecret(given, controlSecretOf(store.keys)) ? ok({}) : refuse('control_secret_required');
  }
  if (!isScoped(access)) return ok({});
  // RFC 6750 §2.1; the scheme's name is compared without regard to case.
  const token = /^bearer +([\w.~+/-]+=*)$/i.exec(call.headers.authorization ?? '')?.[1];
  if (token === undefined) return refuse('token_missing');
  const hash = hashOf(token);
  const bearer = await cache.cached(`bearer ${hash}`, (db) => findBearer(db, hash));
  if (!bearer || bearer.revoked_at !== null) return refuse('token_invalid');
  if (bearer.expires_at !== null && bearer.expires_at <= instantOf(clock()))
    return refuse('token_expired', { at: bearer.expires_at });
  if (!bearer.scopes.includes(access.scope))
    return refuse('insufficient_scope', { needed: access.scope, granted: bearer.scopes.join(' ') });
  return ok(bearer);
}

// ── what was sent ───────────────────────────────────────────────────────────────────────────────────────────────

type Sent = { params: unknown; query: unknown; body: unknown; form: unknown; upload?: Upload | undefined };

async function readInput(
  call: Call,
  url: URL,
  operation: Operation,
  params: Record<string, string>,
  store: Store,
): Promise<Result<Sent>> {
  const sent: Sent = { params: undefined, query: undefined, body: undefined, form: undefined };
  if (operation.params) {
    const read = readPart(operation.params, params);
    if (!read.ok) return read;
    sent.params = read.value;
  }
  if (operation.query) {
    const read = readPart(operation.query, Object.fromEntries(url.searchParams));
    if (!read.ok) return read;
    sent.query = read.value;
  }
  if (operation.body) {
    const body = await readJson(call);
    if (!body.ok) return body;
    const read = readPart(operation.body, body.output);
    if (!read.ok) return read;
    sent.body = read.value;
  }
  return operation.multipart ? readUpload(call, operation, sent, store) : ok(sent);
}

async function readJson(call: Call): Promise<Result<unknown>> {
  const type = call.headers['content-type'];
  if (!/^application\/json\s*(;|$)/i.test(type ?? ''))
    return refuse('unsupported_media_type', { expected: 'application/json', given: type?.split(';')[0] });
  const text = await readBody(call, LIMITS.jsonBytes);
  if (text === 'too_large') return refuse('body_too_large', { limit: LIMITS.jsonBytes });
  if (text === 'cut_off') return refuse('malformed_json', { why: 'it was cut off' });
  if (text === 'not_utf8') return refuse('malformed_json', { why: 'it is not UTF-8' });
  const parsed = parseJson(text.text);
  return parsed.ok ? ok(parsed.value) : parsed;
}

async function readUpload(call: Call, operation: Operation, sent: Sent, store: Store): Promise<Result<Sent>> {
  const form = await readForm(call, store.blobs);
  if (!form.ok) return form;
  const { fields, upload } = form.output;
  const schema = operation.multipart as NonNullable<Operation['multipart']>;
  // A name that only the part's filename gives has to be a name all the same.
  const read = readPart(schema, { ...fields, name: fields.name ?? upload.name });
  if (read.ok) return ok({ ...sent, form: read.value, upload });
  await upload.spooled.discard();
  return read;
}

// ── the context of one request ────────────────────────────────────────────────────────────────────────────────────

type Asked = { call: Call; id: OperationId; operation: Operation; sent: Sent; caller: Caller };

/** What an operation is given beside what every request is. */
class CallContext extends PlainContext {
  readonly upload: Upload | undefined;
  readonly user: Caller['user'];
  readonly client_id: Caller['client_id'];
  readonly scopes: Caller['scopes'];
  override readonly cached: RequestContext['cached'];
  override readonly commit: RequestContext['commit'];

  constructor(
    { call, id, operation, sent, caller }: Asked,
    cache: ReadCache<Tables>,
    options: PipelineOptions,
  ) {
    super(call, options);
    const { store } = options;
    this.upload = sent.upload;
    this.user = caller.user;
    this.client_id = caller.client_id;
    this.scopes = caller.scopes;
    this.cached = cache.cached;
    const key = operation.idempotent ? call.headers['idempotency-key'] : undefined;
    this.commit =
      key === undefined || !caller.user
        ? store.database.write
        : answeringOnce(store, this.now, {
            holder: `${caller.client_id}:${caller.user.id}`,
            key,
            fingerprint: fingerprintOf(id, sent),
            status: operation.success.status,
          });
  }
}

/** assumed: A37. The answer is kept in the same commit as what it answers for; a refusal is not kept. */
const answeringOnce =
  ({ database, keys }: Store, now: Instant, request: Omit<KeptRequest, 'output'>): RequestContext['commit'] =>
  <T>(fn: (db: Db) => Promise<Result<T>>) =>
    database.write(async (db): Promise<Result<T>> => {
      const since = later(now, -LIMITS.idempotencyKeyLifetimeMs);
      const known = await findAnswer(db, keys, request.holder, request.key, since);
      if (known)
        return known.fingerprint === request.fingerprint
          ? ok(known.output as T)
          : refuse('idempotency_key_reused');
      const answered = await fn(db);
      if (answered.ok) await keepAnswer(db, keys, { ...request, output: answered.output }, now);
      return answered;
    });

/** What makes two requests the same: the operation, what it is about, and the content of a file. */
const fingerprintOf = (id: OperationId, { upload, ...input }: Sent): string =>
  createHash('sha256')
    .update(JSON.stringify([id, input, upload?.spooled.sha256]))
    .digest('hex');

function badKey(call: Call, operation: Operation): { ok: false; refusal: Refusal } | undefined {
  const key = operation.idempotent ? call.headers['idempotency-key'] : undefined;
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return undefined;
  const message = `must be 1 to ${LIMITS.idempotencyKeyLength} visible ASCII characters`;
  return refuse('validation_failed', { summary: `Idempotency-Key ${message}.` }, [
    { path: 'Idempotency-Key', message },
  ]);
}
