// Makes the published client: a method for each row of the table of operations. Calls have time limits, retries and the access token by the rules of
// the command line (src/api). Lists come in pages: the first page as a promise, all items as an async iteration.
import {
  ApiError,
  decodeReply,
  encodeCall,
  type LooseInput,
  PathError,
  parseRoute,
  refusalOf,
} from '../api/codec.ts';
import { parseServiceAddress, SERVICE_ADDRESS_HINT } from '../api/contract/service-address.ts';
import { openFetchTransport } from '../api/fetch-transport.ts';
import { withRetry } from '../api/retry.ts';
import {
  type Call,
  CODE_OF_FAILURE,
  ConnectionError,
  type Reply,
  type Transport,
  withBearer,
} from '../api/transport.ts';
import type { Client, ListPage, Pages, ServiceKind } from './contract.ts';
import { elapsedMs, epochMs, globalFetch, random, randomId } from './edges.ts';
import { EsignError } from './errors.ts';
import type { ClientOperation } from './operation.ts';
import { CLIENT_OPERATIONS, PAGE_SIZE } from './operations.ts';
import type { CallOptions, ClientOptions, FileContent } from './options.ts';

/**
 * Makes a client of a service. `createClient<'other'>` is for a service that is not esign's own, and may leave out what the types promise otherwise.
 * @throws {EsignError} `address_invalid`, `option_invalid`
 */
export function createClient<S extends ServiceKind = 'esign'>(options: ClientOptions): Client<S> {
  const session = openSession(options);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries<ClientOperation>(CLIENT_OPERATIONS)) {
    const [group, method] = operation.name;
    groups[group] = { ...groups[group], [method]: methodFor(session, id, operation) };
  }
  // The table and the types are made of the same contract; test/client/methods.test.ts compares them.
  return groups as unknown as Client<S>;
}

function openSession(options: ClientOptions): Session {
  const baseUrl = parseServiceAddress(String(options.baseUrl));
  if (baseUrl === undefined)
    throw new EsignError(
      `"${options.baseUrl}" (baseUrl) is not a valid URL of a service. ${SERVICE_ADDRESS_HINT}`,
      {
        code: 'address_invalid',
      },
    );
  for (const [id, route] of Object.entries(options.routes ?? {}))
    if (!parseRoute(route))
      throw new EsignError(`"${route}" (routes, ${id}) is not a route. Use METHOD /path.`, {
        code: 'option_invalid',
      });
  checkNumbers(options);
  return { ...options, baseUrl };
}

function checkNumbers({ maxRetries, timeoutMs }: CallOptions & ClientOptions): void {
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new EsignError(`${maxRetries} (maxRetries) is not valid. Use a whole number from 0.`, {
      code: 'option_invalid',
    });
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS))
    throw new EsignError(
      `${timeoutMs} (timeoutMs) is not valid. Use milliseconds, at most ${LONGEST_TIMER_MS}.`,
      {
        code: 'option_invalid',
      },
    );
}

/** A timer that is set for longer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Method = (...values: unknown[]) => unknown;

const isList = ({ received }: ClientOperation): boolean =>
  received?.shape?.items !== undefined && received.shape.meta !== undefined;

/** The arguments of a method are the IDs of the path, the input if the operation has one, and the options. */
function methodFor(session: Session, id: string, operation: ClientOperation): Method {
  return (...values) => {
    const ids = values.slice(0, operation.ids?.length ?? 0);
    const rest = values.slice(ids.length);
    const file = operation.isUpload ? rest.shift() : undefined;
    const fields = takesInput(operation) ? (rest.shift() ?? {}) : {};
    const options = (rest[0] ?? {}) as CallOptions;
    const call = async (more: object = {}) => {
      try {
        checkNumbers(options as CallOptions & ClientOptions);
        const input = await inputOf(operation, ids, { ...fields, ...more }, file);
        return await callOperation(session, id, operation, input, options);
      } catch (error) {
        throw publicError(id, error);
      }
    };
    if (!isList(operation)) return call();
    const { limit = PAGE_SIZE, page: first = 1 } = fields as { limit?: number; page?: number };
    return createPages(first, (page) => call({ limit, page }) as Promise<ListPage<unknown>>);
  };
}

const takesInput = ({ query, body, isBodyEmpty, isUpload }: ClientOperation): boolean =>
  query !== undefined || isUpload === true || (body === true && !isBodyEmpty);

async function inputOf(
  operation: ClientOperation,
  ids: readonly unknown[],
  values: Record<string, unknown>,
  file: unknown,
): Promise<LooseInput> {
  const params = Object.fromEntries((operation.ids ?? []).map((name, at) => [name, textOf(ids[at])]));
  if (operation.isUpload) {
    const name = values.name as string | undefined;
    return { params, form: { name }, file: await readFile(file as FileContent, name) };
  }
  const isQuery = (name: string) => operation.query?.includes(name) === true;
  const entries = Object.entries(values);
  return {
    params,
    query: Object.fromEntries(entries.filter(([name]) => isQuery(name))) as NonNullable<LooseInput['query']>,
    ...(operation.body && { body: Object.fromEntries(entries.filter(([name]) => !isQuery(name))) }),
  };
}

/** An ID that is not a text is treated as missing. */
const textOf = (id: unknown): string => (typeof id === 'string' ? id : '');

async function readFile(
  file: FileContent,
  name: string | undefined,
): Promise<{ name: string; content: Blob | Uint8Array }> {
  const content =
    file instanceof ReadableStream
      ? await new Response(file as ConstructorParameters<typeof Response>[0]).blob()
      : file;
  const fileName = 'name' in content && typeof content.name === 'string' ? content.name : undefined;
  return {
    name: name ?? fileName ?? 'document',
    content: content instanceof ArrayBuffer ? new Uint8Array(content) : content,
  };
}

/** The options, after their values were checked. */
type Session = ClientOptions & { baseUrl: string };

type ResponseBody = ConstructorParameters<typeof Response>[0];

/** Makes one call; `methodFor` turns errors of src/api into an {@link EsignError}. */
async function callOperation(
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

/** Only the headers that describe the file stay: `fetch` has decoded the body already. */
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

/** @param first the number of the page to begin with */
function createPages<Item>(first: number, request: (page: number) => Promise<ListPage<Item>>): Pages<Item> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its first page.
    then: (onPage, onError) => request(first).then(onPage, onError),
    async *[Symbol.asyncIterator]() {
      for (let number = first; ; ) {
        const { items, meta } = await request(number);
        yield* items;
        const next = meta?.next_page;
        // A service that always returns the same page must not keep a program running for ever.
        if (!meta || meta.is_last_page || !next || next <= number) return;
        number = next;
      }
    },
  };
}

/** Turns errors of src/api into the one that programs see. Everything else, such as the reason of a signal, stays as it is. */
function publicError(operation: string, error: unknown): unknown {
  if (error instanceof ApiError) {
    const { message, code, errors, requestId, waitMs, problem } = error;
    return new EsignError(message, {
      code,
      status: error.status === 0 ? undefined : error.status,
      problem,
      requestId,
      fields: errors,
      retryAfterMs: Number.isNaN(waitMs) ? undefined : waitMs,
      delivery: 'answered',
      operation,
    });
  }
  if (error instanceof PathError) return new EsignError(error.message, { code: 'id_invalid', operation });
  if (!(error instanceof ConnectionError)) return error;
  const { message, kind, delivery, cause } = error;
  return new EsignError(message, { code: CODE_OF_FAILURE[kind], delivery, operation, cause });
}
