// Serves the service on a port: node:http around its transport. It listens on loopback unless told otherwise; when stopped, it
// finishes the requests that are under way.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { FAULT_HEADER } from '../../api/contract/sandbox/faults.ts';
import type { Call, Transport } from '../../api/transport.ts';
import { acceptQueued, prepareShutdown, type Shutdown } from '../../http/close-server.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { createPool } from '../../pdf/engine/pool.ts';
import type * as published from '../published-types.ts';
import type { ClientAddress } from '../serve/trusted-proxies.ts';
import type { Service } from '../service.ts';
import { createAcceptFairness } from './accept-fairness.ts';
import { isOpenToOthers } from './client-address.ts';
import { ServiceClosed } from './in-process.ts';
import { type McpAnswers, withMcp } from './mcp.ts';

export type ServeOptions = Omit<published.ServeOptions, 'onRequest'> & {
  onRequest?: (line: RequestLine) => void;
  /** Processes documents; without it, a pool of child processes that ends with the server. */
  documents?: DocumentEngine;
  /** The pool has so many processes that seal. */
  sealsAtOnce?: number | undefined;
  /**
   * LibreOffice converts DOCX in that pool. It is the path of `soffice`, or `off`; without it, LibreOffice is looked for.
   */
  office?: string | undefined;
  /** People and programs reach the service under this address; without it, under the one that it listens on. */
  origin?: string | undefined;
  /** Finds the client of a request that came through a proxy; without it, the client is who connects. */
  clientAddress?: ClientAddress | undefined;
  /** It serves HTTPS with this certificate and key, in PEM; without them, HTTP. */
  tls?: { cert: string; key: string } | undefined;
  /** Answers messages of the Model Context Protocol, at `/mcp`. */
  mcp?: McpAnswers | undefined;
  /** A request with its body has to arrive within this time, which is checked so often; without it, within two minutes. */
  receiving?: { withinMs: number; checkEveryMs: number } | undefined;
  /** Answers requests to these paths without the service: health checks. */
  health?: HealthAnswers | undefined;
  /**
   * It is false for some time before the server is closed: each answer then ends its connection, so that none is lost at
   * the end.
   */
  isReady?: (() => boolean) | undefined;
  /**
   * Resolves when another server does the work. It is called when a newer version of esign has changed the store so that it can still be
   * read: until then, this server answers what only reads, and does nothing else.
   */
  untilReplaced?: ((signal: AbortSignal) => Promise<void>) | undefined;
};

/** The answers stand by path. One is called for every request to its path, whatever its Host header is. */
export type HealthAnswers = Readonly<Record<string, (request: HealthRequest) => Promise<HealthAnswer>>>;

export type HealthRequest = {
  /** The names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** This address connected. */
  from: string | undefined;
};

export const toHealthRequest = ({ headers, socket }: IncomingMessage): HealthRequest => ({
  headers: headers as Record<string, string>,
  from: socket.remoteAddress,
});

export type HealthAnswer = { status: 200 | 503; body: string };

export type RequestLine = published.RequestLine & {
  traceId: string | undefined;
  /** It is the address of the client, which trusted proxies may have reported. */
  client: string | undefined;
  /** These faults of a sandbox struck it, by their kinds. */
  fault: string | undefined;
};

export type Serving = published.Serving & {
  /** Resolves when the service can do nothing more, with the reason. The caller then closes it. */
  failed: Promise<Error>;
  /** It listens on an address that is not loopback. */
  isOpenToOthers: boolean;
};

const RECEIVING = { withinMs: 120_000, checkEveryMs: 10_000 };
const HEADERS_TIMEOUT_MS = 20_000;
const LINGER_MS = 1000;
const WORK_EVERY_MS = 1000;
const STOP_WITHIN_MS = 5000;
const CLOSE_IDLE_EVERY_MS = 20;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Rejects with the system's error (`EADDRINUSE`, `EACCES`, …) when the port cannot be opened. */
export async function serve(service: Service, options: ServeOptions): Promise<Serving> {
  const { host, port, documents, office, sealsAtOnce, tls } = options;
  const arrivals = createAcceptFairness();
  let isEnding = false;
  const isReady = () => !isEnding && options.isReady?.() !== false;
  const answering = { ...options, isReady };
  const transport = options.mcp ? withMcp(service, options.mcp) : service.served;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const health = options.health?.[request.url ?? ''];
    if (health) void answerHealth(() => health(toHealthRequest(request)), response);
    else arrivals.arrived(() => void respond(transport, request, response, answering));
  };
  const { withinMs, checkEveryMs } = options.receiving ?? RECEIVING;
  const timeouts = {
    requestTimeout: withinMs,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, withinMs),
    connectionsCheckingInterval: checkEveryMs,
  };
  const server = tls
    ? (await import('node:https')).createServer({ ...timeouts, ...tls }, answer)
    : createServer(timeouts, answer);
  server.on('connection', arrivals.connected);
  const shutDown = prepareShutdown(server);
  await listen(server, host, port);
  const { port: actualPort } = server.address() as AddressInfo;
  const url = `http${tls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
  service.relocate(options.origin ?? url, url);
  const pool = documents ? undefined : createPool({ office, sealsAtOnce });
  service.workWith(documents ?? (pool as DocumentEngine));
  const delivering = await service.startDelivering().catch(async (error: unknown) => {
    await Promise.all([stop(server, shutDown), pool?.close()]);
    throw error;
  });
  const working = workRegularly(service);
  const closing = new AbortController();
  const stopWorking = () => Promise.all([working.stop(), delivering.stop()]);
  return {
    url,
    failed: service.upgraded.then(async (error) => {
      isEnding = true;
      if (!error.isReadable || !options.untilReplaced) return error;
      void stopWorking();
      await options.untilReplaced(closing.signal);
      return error;
    }),
    isOpenToOthers: [url, options.origin ?? url].some(isOpenToOthers),
    async close() {
      // No request is taken from here on; what is worked on in between ends with its commit.
      closing.abort();
      await Promise.all([stop(server, shutDown), stopWorking(), options.mcp?.close()]);
      // Submissions of recipients who see the page that says that the documents are being sealed.
      await Promise.race([service.waitUntilSettled(), pause(STOP_WITHIN_MS, undefined, { ref: false })]);
      await pool?.close();
    },
  };
}

/** A request that cannot even be read as one gets the shortest of answers. */
async function respond(
  transport: Transport,
  request: IncomingMessage,
  response: ServerResponse,
  {
    onRequest,
    clientAddress,
    isReady,
  }: Pick<ServeOptions, 'onRequest' | 'clientAddress'> & { isReady: () => boolean },
): Promise<void> {
  const startedMs = performance.now();
  const url = isFramedPlainly(request) ? addressOf(request) : undefined;
  if (url === undefined) {
    // What comes next on this connection may be the rest of this request.
    response.writeHead(400, { connection: 'close' }).end();
    return;
  }
  const call = callOf(request, url);
  if (clientAddress) call.from = clientAddress(call.from, call.headers);
  const client = watch(request.socket);
  call.watchClient = client.signal;
  const reply = await transport(call).catch(answerWhenClosed).finally(client.unwatch);
  if (!reply) {
    response.writeHead(503, { connection: 'close' }).end();
    return;
  }
  const { status, headers, body } = reply;
  headers['content-length'] = String(Buffer.byteLength(body));
  // The rest of a refused body may be of any length, so the next request takes another connection.
  if (!request.complete || !isReady()) headers.connection = 'close';
  // The responses of one turn of the event loop are written together. A client that waits is woken by a write, which costs
  // more than most requests; woken by the first, it is awake for the others (decision 0035).
  await setImmediate();
  const content = request.method === 'HEAD' ? '' : body;
  if (reply.wireFault) {
    const { sendBroken } = await import('./faulty-answers.ts');
    sendBroken(response, { ...reply, body: content }, reply.wireFault);
  } else {
    response.writeHead(status, headers);
    if (request.complete) response.end(content);
    else endUnread(request, response, content);
  }
  onRequest?.({
    method: request.method ?? '',
    path: pathOf(url),
    status,
    durationMs: performance.now() - startedMs,
    requestId: headers['x-request-id'],
    traceId: reply.traceId,
    client: call.from,
    fault: headers[FAULT_HEADER],
  });
}

/**
 * Ends a response to a request whose body is still coming: once it is all there, or nothing came for a second. A connection that
 * is closed with unread bytes is reset, and the client may lose the response (RFC 9112 §9.6).
 */
function endUnread(request: IncomingMessage, response: ServerResponse, body: string | Uint8Array): void {
  response.write(body);
  const timer = setTimeout(() => response.end(), LINGER_MS);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  request
    .on('data', () => timer.refresh())
    .once('end', end)
    .once('close', end);
}

/** Tells when the connection is closed. Most calls never ask, and their connection gets no listener. */
function watch(socket: Socket): { signal(): AbortSignal; unwatch(): void } {
  let closing: AbortController | undefined;
  const abort = () => closing?.abort();
  return {
    signal() {
      if (!closing) {
        closing = new AbortController();
        if (socket.destroyed) abort();
        else socket.once('close', abort);
      }
      return closing.signal;
    },
    unwatch: () => socket.off('close', abort),
  };
}

async function answerHealth(health: () => Promise<HealthAnswer>, response: ServerResponse): Promise<void> {
  const { status, body } = await health();
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
}

/** Turns away calls that come when the service was closed while it is still served. */
function answerWhenClosed(error: unknown): undefined {
  if (!(error instanceof ServiceClosed)) throw error;
}

/** Node joins headers that were sent twice; only set-cookie, which no request has, would be a list. */
function callOf(request: IncomingMessage, url: string): Call {
  const headers = request.headers as Record<string, string>;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return {
    method: request.method ?? 'GET',
    url,
    headers,
    body: hasBody ? bodyOf(request) : undefined,
    from: request.socket.remoteAddress,
  };
}

/**
 * Reads the body. A caller that stops reading leaves the rest to be read: a request that is destroyed is not read on, and
 * its connection hangs.
 */
const bodyOf = (request: IncomingMessage): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }),
});

/**
 * Decides whether any server would see the same request: one host, and a body as long as the length says or in chunks. Where a proxy
 * and this server differ, a part of one request could pass as another (RFC 9112 §3.2, §6.1).
 */
function isFramedPlainly({ headers, rawHeaders }: IncomingMessage): boolean {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return false;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts <= 1;
}

/**
 * Returns the address of a request: a path under the host that is named or, as to a proxy, the whole address, which then
 * counts alone (RFC 9112 §3.2).
 */
function addressOf({ url = '', headers }: IncomingMessage): string | undefined {
  if (url.startsWith('/')) return `http://${headers.host ?? ''}${url}`;
  return /^http:\/\/[^/]/i.test(url) ? url : undefined;
}

/** @returns the path as it was sent, without the query */
const pathOf = (url: string): string => url.replace(/^http:\/\/[^/?]*/i, '').split('?')[0] ?? '';

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Does what is due each second, without requests; leftovers are swept at once and each hour. */
function workRegularly(service: Service): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const regularly = (task: (signal: AbortSignal) => Promise<void>, everyMs: number) => {
    let round: Promise<void> | undefined;
    const begin = () => {
      // A round that takes longer than the pause is not joined by another.
      round ??= task(stopping.signal)
        .catch(answerWhenClosed)
        .finally(() => {
          round = undefined;
        });
    };
    const timer = setInterval(begin, everyMs);
    return { begin, timer, rest: () => round };
  };
  const working = regularly(service.work, WORK_EVERY_MS);
  const sweeping = regularly(service.sweep, SWEEP_EVERY_MS);
  sweeping.begin();
  return {
    async stop() {
      stopping.abort();
      for (const { timer } of [working, sweeping]) clearInterval(timer);
      await Promise.all([working.rest(), sweeping.rest()]);
    },
  };
}

/** Takes no new requests; those under way finish, or are ended after five seconds. */
async function stop(server: Server, shutDown: Shutdown): Promise<void> {
  await acceptQueued(server);
  // A connection whose last answer has just gone out is kept alive for a request that will not be taken.
  const idling = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  await shutDown(STOP_WITHIN_MS);
  clearInterval(idling);
}
