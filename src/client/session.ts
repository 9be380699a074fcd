// One call of the published client: its transport with time limits, retries and the access token, and its request and response.
// The rules are those of the command line (src/api).
import { decodeReply, encodeCall, type LooseInput, parseRoute, refusalOf } from '../api/codec.ts';
import { openFetchTransport } from '../api/fetch-transport.ts';
import { withRetry } from '../api/retry.ts';
import { type Call, type Reply, type Transport, withBearer } from '../api/transport.ts';
import { elapsedMs, epochMs, globalFetch, random, randomId } from './edges.ts';
import { EsignError } from './errors.ts';
import type { ClientOperation } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { publicError } from './public-error.ts';

/** Options whose values were checked. */
export type Session = ClientOptions & { baseUrl: string };

type ResponseBody = ConstructorParameters<typeof Response>[0];

/** @throws what api throws; create-client.ts makes an {@link EsignError} of it */
export async function callOperation(
  session: Session,
  id: string,
  operation: ClientOperation,
  input: LooseInput,
  options: CallOptions,
): Promise<unknown> {
  options.signal?.throwIfAborted();
  const key = options.idempotencyKey ?? (session.idempotencyKeys ? randomId() : undefined);
  const isKeyed = key !== undefined && operation.idempotent === true;
  const call = await encodeRequest(session, id, operation, input, isKeyed ? key : undefined);
  const reply = await transportFor(session, id, operation, options, isKeyed)(call);
  if (!reply.stream)
    return operation.success.binary ? wholeFile(id, call, reply) : decodeReply(id, operation, call, reply);
  return new Response(reply.stream as ResponseBody, { status: reply.status, headers: fileHeaders(reply) });
}

async function encodeRequest(
  { baseUrl, routes, controlSecret }: Session,
  id: string,
  operation: ClientOperation,
  input: LooseInput,
  key: string | undefined,
): Promise<Call> {
  const route = routes?.[id];
  const encoded = await encodeCall(operation, input, {
    baseUrl,
    boundary: `esign-${randomId()}`,
    route: route === undefined ? undefined : parseRoute(route),
    headers: {
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(operation.control && controlSecret !== undefined && { 'x-esign-control': controlSecret }),
    },
  });
  const { once, isLong } = operation;
  return { ...encoded, once, isLong, isStreamed: operation.success.binary };
}

function transportFor(
  session: Session,
  id: string,
  operation: ClientOperation,
  options: CallOptions,
  isKeyed: boolean,
): Transport {
  const { signal } = options;
  const plain = openFetchTransport({
    fetch: session.fetch ?? globalFetch,
    nowMs: elapsedMs,
    signal,
    answerMs: options.timeoutMs ?? session.timeoutMs,
    streamError: (error) => publicError(id, error),
  });
  const retries = options.maxRetries ?? session.maxRetries;
  const retried = withRetry(plain, {
    keysHonoured: isKeyed,
    attempts: retries === undefined ? undefined : retries + 1,
    nowMs: elapsedMs,
    epochMs,
    random,
    wait: (ms) => pause(ms, signal),
    onRetry: (retry) => session.onRetry?.(retry),
    onTooLong: () => undefined,
  });
  return operation.token ? withToken(retried, session) : retried;
}

function withToken(transport: Transport, { token }: Session): Transport {
  if (token === undefined)
    throw new EsignError('There is no access token. Pass `token` to createClient.', {
      code: 'token_missing',
    });
  if (typeof token === 'string') return withBearer(transport, { token: () => token });
  return withBearer(transport, {
    token,
    async renewLogin(refused) {
      const other = await token(refused);
      return other === refused ? undefined : other;
    },
  });
}

const wholeFile = (id: string, call: Call, reply: Reply): Response => {
  const refusal = refusalOf(id, call, reply);
  if (refusal) throw refusal;
  return new Response(reply.body as ResponseBody, { status: reply.status, headers: fileHeaders(reply) });
};

/** Of what the service sent, only what describes the file: `fetch` has decoded the body already. */
const fileHeaders = ({ headers }: Reply): Record<string, string> =>
  Object.fromEntries(
    ['content-type', 'content-disposition'].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
