// Sends calls to a service over HTTP(S), with connections that stay open for the next call. It alone knows undici, which is loaded with the first
// request. It must never follow a redirect, accept a certificate that cannot be checked, or name a proxy's password.
import type { Dispatcher } from 'undici';
import {
  answerMsFor,
  type Body,
  type Call,
  ConnectionError,
  connectionErrorOf,
  endlessAnswer,
  isAboutTls,
  type Reply,
  reasonOf,
  TIMEOUTS,
  type Transport,
  tooLargeAnswer,
} from './transport.ts';

/** @property authorization the value of `Proxy-Authorization` */
export type Proxy = { address: string; authorization?: string | undefined };

export type RemoteOptions = {
  /** Aborts every call that is under way, so that nothing keeps the process alive. */
  signal?: AbortSignal;
  /** The answer begins within this time, and each piece of it follows the one before; without it, the kind of call decides. */
  answerMs?: number | undefined;
  /** Returns the proxy for an address, or none. */
  proxyFor?: (url: URL) => Proxy | undefined;
  /** PEM certificates of the authorities that are trusted, instead of Node's. */
  authorities?: readonly string[] | undefined;
};

export type Remote = {
  transport: Transport;
  /** Ends every connection, so that the process ends at once. */
  close(): Promise<void>;
};

export function openRemote(options: RemoteOptions = {}): Remote {
  const state: ConnectionState = { unsent: new WeakSet(), connecting: new Set(), isClosed: false };
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  const dispatcherFor = (url: URL): Promise<Dispatcher> => {
    const open = dispatchers.get(url.origin);
    if (open) return open;
    const dispatcher = makeDispatcher(url, state, options);
    dispatchers.set(url.origin, dispatcher);
    return dispatcher;
  };
  return {
    async transport(call) {
      const url = new URL(call.url);
      try {
        return await exchange(await dispatcherFor(url), url, call, options);
      } catch (cause) {
        const isOver = state.isClosed || options.signal?.aborted === true;
        throw connectionErrorOf(cause, url, { isUnsent: isUnsent(cause, state), isOver });
      }
    },
    async close() {
      state.isClosed = true;
      for (const socket of state.connecting) socket.destroy();
      for (const dispatcher of dispatchers.values()) await (await dispatcher).destroy();
    },
  };
}

const isUnsent = (cause: unknown, { unsent }: ConnectionState): boolean =>
  cause instanceof Error && unsent.has(cause);

type Socket = { destroy(): unknown };

/** `unsent` has the errors of connections that never came to be. */
type ConnectionState = { unsent: WeakSet<object>; connecting: Set<Socket>; isClosed: boolean };

// ── one exchange ────────────────────────────────────────────────────────────────────────────────────────────────

/** A brief call ends after a fixed time, whatever has come by then. */
async function exchange(
  dispatcher: Dispatcher,
  url: URL,
  call: Call,
  options: RemoteOptions,
): Promise<Reply> {
  if (!call.isBrief) return exchangeWithin(dispatcher, url, call, options);
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), TIMEOUTS.briefMs);
  const onAbort = () => end.abort();
  options.signal?.addEventListener('abort', onAbort);
  if (options.signal?.aborted) end.abort();
  try {
    return await exchangeWithin(dispatcher, url, call, { ...options, signal: end.signal });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  }
}

async function exchangeWithin(
  dispatcher: Dispatcher,
  url: URL,
  call: Call,
  options: RemoteOptions,
): Promise<Reply> {
  const { method, headers, body, onSent } = call;
  const answerMs = answerMsFor(call, options.answerMs);
  const answer = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod,
    headers,
    body: body === undefined ? null : ((await sendable(body, onSent)) as Dispatcher.DispatchOptions['body']),
    signal: options.signal ?? null,
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  } as Dispatcher.RequestOptions);
  const bytes = await bytesOf(answer.body, url);
  // undici frees the connection in this turn of the loop; requested earlier, it would open another one.
  await new Promise((resolve) => setImmediate(resolve));
  return { status: answer.statusCode, headers: flat(answer.headers), body: bytes };
}

/** A long body is sent in pieces, so that progress can be shown. The headers contain its length nevertheless. */
async function sendable(body: Body, onSent: Call['onSent']): Promise<unknown> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array && body.length <= TIMEOUTS.pieceBytes) return body;
  const { Readable } = await import('node:stream');
  return Readable.from(body instanceof Uint8Array ? piecesOf(body, onSent) : body, { objectMode: false });
}

/** The next piece is asked for once the network has taken the one before. */
async function* piecesOf(body: Uint8Array, onSent: Call['onSent']): AsyncIterable<Uint8Array> {
  for (let at = 0; at < body.length; at += TIMEOUTS.pieceBytes) {
    onSent?.(at, body.length);
    yield body.subarray(at, at + TIMEOUTS.pieceBytes);
  }
  onSent?.(body.length, body.length);
}

async function bytesOf(body: AsyncIterable<Uint8Array>, url: URL): Promise<Uint8Array> {
  const endMs = monotonicMs() + TIMEOUTS.wholeAnswerMs;
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    sizeBytes += piece.length;
    if (sizeBytes > TIMEOUTS.answerBytes) throw tooLargeAnswer(url.origin);
    if (monotonicMs() > endMs) throw endlessAnswer(url.origin);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

/** The global `performance` takes longer to load than a request takes. */
const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

// ── connections ─────────────────────────────────────────────────────────────────────────────────────────────────

type Undici = typeof import('undici');
type Connector = ReturnType<Undici['buildConnector']>;
type TlsOptions = { timeout: number; rejectUnauthorized: true; ca?: string[] };

async function loadUndici(): Promise<Undici> {
  // Bundled, a CommonJS package has only its default export. It is loaded first, because V8 uses its cached code only while no flag has
  // changed.
  const undici = (await import('undici')).default as Undici;
  // On Node 20 the process otherwise waits at its end for V8 to optimise undici's HTTP parser.
  if (process.versions.node.startsWith('20.')) {
    const { setFlagsFromString } = await import('node:v8');
    setFlagsFromString('--liftoff-only');
  }
  return undici;
}

async function makeDispatcher(
  url: URL,
  state: ConnectionState,
  { proxyFor, authorities }: RemoteOptions,
): Promise<Dispatcher> {
  const undici = await loadUndici();
  const proxy = proxyFor?.(url);
  const tls: TlsOptions = {
    timeout: TIMEOUTS.connectMs,
    // It is set here, so that no environment variable can change it: tokens go over this connection.
    rejectUnauthorized: true,
    ...(authorities && { ca: [...authorities] }),
  };
  const connect = proxy ? createProxyConnector(undici, url, proxy, tls) : undici.buildConnector(tls);
  return new undici.Agent({
    connect: watchConnector(connect, state),
    keepAliveTimeout: TIMEOUTS.keepAliveMs,
    keepAliveMaxTimeout: TIMEOUTS.keepAliveMs,
  });
}

/** Whatever fails in here fails before a byte of the request has left. */
const watchConnector =
  (connect: Connector, { unsent, connecting }: ConnectionState): Connector =>
  (options, callback) => {
    // undici's connector returns the socket that it makes, which its type does not say.
    const socket = connect(options, (...[error, made]: Parameters<typeof callback>) => {
      if (socket) connecting.delete(socket);
      if (error) {
        unsent.add(error);
        callback(error, null);
      } else callback(null, made as NonNullable<typeof made>);
    }) as unknown as Socket | undefined;
    if (socket) connecting.add(socket);
  };

/** Opens a tunnel to the service (RFC 9110 §9.3.6). TLS goes through it, so the proxy reads nothing. */
function createProxyConnector(
  undici: Undici,
  url: URL,
  { address, authorization }: Proxy,
  tls: TlsOptions,
): Connector {
  const direct = undici.buildConnector(tls);
  const path = `${url.hostname}:${url.port || HTTPS_PORT}`;
  const headers = { host: path, ...(authorization && { 'proxy-authorization': authorization }) };
  const tunnel = (options: Parameters<Connector>[0], callback: Parameters<Connector>[1]) => {
    const client = new undici.Client(address, { connect: tls, headersTimeout: TIMEOUTS.connectMs });
    let inner: Socket | undefined;
    client.connect({ path, headers }).then(
      ({ statusCode, socket }) => {
        if (statusCode >= 200 && statusCode < 300) {
          inner = direct({ ...options, httpSocket: socket as never }, callback) as unknown as Socket;
          return;
        }
        socket.on('error', () => undefined).destroy();
        callback(tunnelRefused(address, path, statusCode), null);
      },
      (cause: unknown) => callback(proxyUnreachable(address, cause), null),
    );
    return {
      destroy() {
        void client.destroy();
        inner?.destroy();
      },
    };
  };
  return tunnel as unknown as Connector;
}

const HTTPS_PORT = 443;

/** @param address without credentials, as {@link Proxy} has it */
function tunnelRefused(address: string, target: string, status: number): ConnectionError {
  const refusal =
    status === 407
      ? `The proxy ${address} requires a user name and a password, or rejects the given ones`
      : `The proxy ${address} refused to connect to ${target}`;
  return new ConnectionError(`${refusal} (status ${status}).`, {
    delivery: 'not_sent',
    reason: `PROXY_${status}`,
    kind: 'proxy',
    isWorthAnotherTry: status >= 500,
  });
}

function proxyUnreachable(address: string, cause: unknown): ConnectionError {
  const reason = reasonOf(cause);
  return new ConnectionError(`The proxy ${address} did not respond (${reason}).`, {
    delivery: 'not_sent',
    reason,
    kind: 'proxy',
    isWorthAnotherTry: !isAboutTls(reason),
    cause,
  });
}
