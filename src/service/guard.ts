// Everything between a request and its handler: host, operation, who calls, what was sent; and back again. The only
// place, beside the codec, that catches.
import { createHash } from 'node:crypto';
import { encodeOutput, encodeRefusal, parseJson, readPart } from '../api/codec.ts';
import { instantOf, later } from '../api/contract/instant.ts';
import { LIMITS } from '../api/contract/limits.ts';
import { isScoped, type Operation } from '../api/contract/operation.ts';
import type { OperationId } from '../api/contract/operations.ts';
import type { Refusal } from '../api/contract/problems.ts';
import { readBody } from './body.ts';
import { readForm } from './form.ts';
import { matches } from './pattern.ts';
import { HANDLERS } from './operations/handlers.ts';
import { createRouter } from './router.ts';
import { type Answer, answer, no, type Scene, type Upload } from './scene.ts';
import { type Bearer, findBearer } from './store/accounts.ts';
import { hashOf, isSameSecret } from './store/keys.ts';
import { findAnswer, keepAnswer } from './store/records.ts';
import { controlSecretOf, type Store } from './store/store.ts';

export type GuardOptions = {
  store: Store;
  origin: () => string;
  /** Milliseconds since 1970. */
  clock: () => number;
  ids: () => string;
  random: (bytes: number) => Uint8Array;
  /** Checks every answer against the contract; a wrong one becomes a 500. On in every test. */
  validateResponses: boolean;
  onError: (error: unknown, requestId: string) => void;
};

const TOKEN_BYTES = 32;

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** What is not an operation: the contract itself. */
const OPENAPI_PATH = '/openapi.json';

export function createGuard(options: GuardOptions): (request: Request) => Promise<Response> {
  const route = createRouter();

  async function respond(request: Request, requestId: string): Promise<Response> {
    const url = new URL(request.url);
    if (!isOurHost(url.hostname, options.origin())) return encodeRefusal(no('host_not_allowed', { host: url.host }).refusal, requestId);
    if (url.pathname === OPENAPI_PATH && request.method === 'GET') return openApi(options.origin());
    const found = route(request.method, url.pathname);
    if (!found.ok) return encodeRefusal(found.refusal, requestId);
    const { id, operation, params } = found;
    const answered = await handle(request, url, { id, operation, params });
    if (!answered.ok) return encodeRefusal(answered.refusal, requestId);
    if (options.validateResponses && !operation.success.binary) operation.success.schema.parse(answered.output);
    return encodeOutput(operation, answered.output);
  }

  async function handle(request: Request, url: URL, { id, operation, params }: Call): Promise<Answer<unknown>> {
    const caller = await identify(request, operation, options);
    if (!caller.ok) return caller;
    const read = await readInput(request, url, operation, params, options.store);
    if (!read.ok) return read;
    const { upload, ...input } = read.output;
    const scene = { ...sceneFor(request, id, operation, read.output, caller.output, options), ...caller.output, upload };
    try {
      const handler = HANDLERS[id] as (scene: unknown, input: unknown) => Promise<Answer<unknown>>;
      return badKey(request, operation) ?? (await handler(scene, input));
    } finally {
      await upload?.spooled.discard();
    }
  }

  return async (request) => {
    const requestId = options.ids();
    let response: Response;
    try {
      response = await respond(request, requestId);
    } catch (error) {
      options.onError(error, requestId);
      response = encodeRefusal(no('internal_error', { request_id: requestId }).refusal, requestId);
    }
    response.headers.set('x-request-id', requestId);
    for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
    return response;
  };
}

type Call = { id: OperationId; operation: Operation; params: Record<string, string> };

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** A page of somebody else's that resolves its name to this machine must not be answered (DNS rebinding). */
const isOurHost = (hostname: string, origin: string): boolean => LOOPBACK.has(hostname) || hostname === new URL(origin).hostname;

async function openApi(origin: string): Promise<Response> {
  const { openApiDocument } = await import('../api/contract/openapi.ts');
  return new Response(JSON.stringify(openApiDocument(origin)), { headers: { 'content-type': 'application/json' } });
}

// ── who calls ───────────────────────────────────────────────────────────────────────────────────────────────────

type Caller = Partial<Bearer>;

async function identify(request: Request, { access }: Operation, { store, clock }: GuardOptions): Promise<Answer<Caller>> {
  if (access === 'control') {
    const given = request.headers.get('x-esign-control') ?? '';
    return isSameSecret(given, controlSecretOf(store.keys)) ? answer({}) : no('control_secret_required');
  }
  if (!isScoped(access)) return answer({});
  // RFC 6750 §2.1; the scheme's name is compared without regard to case.
  const token = /^bearer +([\w.~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (token === undefined) return no('token_missing');
  const bearer = await store.database.read((db) => findBearer(db, hashOf(token)));
  if (!bearer || bearer.revoked_at !== null) return no('token_invalid');
  if (bearer.expires_at !== null && bearer.expires_at <= instantOf(clock())) return no('token_expired', { at: bearer.expires_at });
  if (!bearer.scopes.includes(access.scope))
    return no('insufficient_scope', { needed: access.scope, granted: bearer.scopes.join(' ') });
  return answer(bearer);
}

// ── what was sent ───────────────────────────────────────────────────────────────────────────────────────────────

type Sent = { params: unknown; query: unknown; body: unknown; form: unknown; upload?: Upload };

async function readInput(
  request: Request,
  url: URL,
  operation: Operation,
  params: Record<string, string>,
  store: Store,
): Promise<Answer<Sent>> {
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
    const body = await readJson(request);
    if (!body.ok) return body;
    const read = readPart(operation.body, body.output);
    if (!read.ok) return read;
    sent.body = read.value;
  }
  return operation.multipart ? readUpload(request, operation, sent, store) : answer(sent);
}

async function readJson(request: Request): Promise<Answer<unknown>> {
  const type = request.headers.get('content-type');
  if (!/^application\/json\s*(;|$)/i.test(type ?? ''))
    return no('unsupported_media_type', { expected: 'application/json', given: type?.split(';')[0] });
  const text = await readBody(request, LIMITS.jsonBytes);
  if (text === 'too_large') return no('body_too_large', { limit: LIMITS.jsonBytes });
  if (text === 'not_utf8') return no('malformed_json', { why: 'it is not UTF-8' });
  const parsed = parseJson(text.text);
  return parsed.ok ? answer(parsed.value) : parsed;
}

async function readUpload(request: Request, operation: Operation, sent: Sent, store: Store): Promise<Answer<Sent>> {
  const form = await readForm(request, store.blobs);
  if (!form.ok) return form;
  const { fields, upload } = form.output;
  const schema = operation.multipart as NonNullable<Operation['multipart']>;
  // A name that only the part's filename gives has to be a name all the same.
  const read = readPart(schema, { ...fields, name: fields.name ?? upload.name });
  if (read.ok) return answer({ ...sent, form: read.value, upload });
  await upload.spooled.discard();
  return read;
}

// ── the scene of one request ────────────────────────────────────────────────────────────────────────────────────

function sceneFor(
  request: Request,
  id: OperationId,
  operation: Operation,
  sent: Sent,
  caller: Caller,
  { store, clock, ids, random, origin }: GuardOptions,
): Scene {
  const now = instantOf(clock());
  const newToken = () => Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  const key = operation.idempotent ? request.headers.get('idempotency-key') : null;
  const { write } = store.database;
  const scene: Scene = {
    now,
    facts: { now, newId: ids, newToken, matches },
    storeFacts: { now: () => now, newId: ids, random },
    store,
    origin: origin(),
    read: (fn) => store.database.read(fn),
    commit: (fn) => write(fn),
  };
  if (key === null || !caller.user) return scene;
  const holder = `${caller.client_id}:${caller.user.id}`;
  const fingerprint = fingerprintOf(id, sent);
  scene.commit = <T>(fn: Parameters<typeof scene.commit<T>>[0]) =>
    write(async (db): Promise<Answer<T>> => {
      const since = later(now, -LIMITS.idempotencyKeyLifetimeMs);
      const known = await findAnswer(db, store.keys, holder, key, since);
      if (known) return known.fingerprint === fingerprint ? answer(known.output as T) : no('idempotency_key_reused');
      const answered = await fn(db);
      if (answered.ok)
        await keepAnswer(
          db,
          store.keys,
          { holder, key, fingerprint, status: operation.success.status, output: answered.output },
          now,
        );
      return answered;
    });
  return scene;
}

/** What makes two requests the same: the operation, what it is about, and the content of a file. */
const fingerprintOf = (id: OperationId, { upload, ...input }: Sent): string =>
  createHash('sha256')
    .update(JSON.stringify([id, input, upload?.spooled.sha256]))
    .digest('hex');

function badKey(request: Request, operation: Operation): { ok: false; refusal: Refusal } | undefined {
  const key = operation.idempotent ? request.headers.get('idempotency-key') : null;
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return undefined;
  const message = `must be 1 to ${LIMITS.idempotencyKeyLength} visible ASCII characters`;
  return no('validation_failed', { summary: `Idempotency-Key ${message}.` }, [{ path: 'Idempotency-Key', message }]);
}
