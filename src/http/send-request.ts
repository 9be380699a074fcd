// Sends one request by node:http and reads its response, with limits on time and size. It follows no redirect, uses no proxy and
// accepts no certificate that cannot be checked. What the response means is decided by the caller.
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { trustedAuthorities } from './authorities.ts';

export type HttpRequest = {
  url: string | URL;
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array | Readable | undefined;
  /** Certificates in PEM that are trusted instead of Node's own. */
  authorities?: readonly string[] | undefined;
  /** Uses a connection of its own. Otherwise one that was kept may be used, and kept for the next request. */
  usesNewConnection?: boolean;
  signal?: AbortSignal | undefined;
  /** For all of it. */
  timeoutMs: number;
  /** This limits the connection alone, because an address where nobody answers shows sooner than a slow response. */
  connectMs?: number;
  /** How much of the body is wanted, by the status. */
  maxBytes: (status: number) => number;
};

export type HttpResponse = {
  /** Null when the request ended before all headers were there. */
  status: number | null;
  headers: IncomingHttpHeaders;
  /** At most as much as is wanted. */
  body: Buffer;
  /** The body is larger than wanted; the rest was not read. */
  isTooLarge: boolean;
  /** Why there is no response, or not all of it. */
  error: (Error & { code?: string }) | undefined;
  /** The time was over before the end. */
  isLate: boolean;
};

/** Never rejects because of the server. */
export async function sendRequest(wanted: HttpRequest): Promise<HttpResponse> {
  const { url, authorities, signal, timeoutMs } = wanted;
  const isTls = new URL(url).protocol === 'https:';
  const { request } = isTls ? await import('node:https') : await import('node:http');
  const sent = request(url, {
    method: wanted.method,
    headers: wanted.headers,
    ...(signal && { signal }),
    ...(wanted.usesNewConnection && { agent: false }),
    // Set here, so that no environment variable can change it.
    ...(isTls && {
      rejectUnauthorized: true,
      ...(authorities ? { ca: [...authorities] } : trustedAuthorities()),
    }),
  });
  let isLate = false;
  // For the whole request: a server that sends a byte now and then would keep it open for ever.
  const timer = setTimeout(() => {
    isLate = true;
    sent.destroy();
  }, timeoutMs);
  const stopConnecting = limitConnecting(sent, wanted.connectMs, () => {
    isLate = true;
    sent.destroy();
  });
  const response = readResponse(sent, wanted.maxBytes);
  sendBody(sent, wanted.body);
  try {
    return { ...(await response), isLate };
  } finally {
    clearTimeout(timer);
    stopConnecting();
  }
}

/** @returns ends the limit */
function limitConnecting(
  request: ClientRequest,
  connectMs: number | undefined,
  onLate: () => void,
): () => void {
  if (connectMs === undefined) return () => undefined;
  let isOver = false;
  // A busy process hears of the connection after its timers: a further turn tells what has happened meanwhile.
  const timer = setTimeout(() => setImmediate(() => isOver || onLate()), connectMs);
  const end = () => {
    isOver = true;
    clearTimeout(timer);
  };
  request.once('socket', (socket) => (socket.connecting ? socket.once('connect', end) : end()));
  return end;
}

/** A stream that fails ends the request with its error, and a request that ends closes the stream. */
function sendBody(request: ClientRequest, body: HttpRequest['body']): void {
  if (body === undefined || body instanceof Uint8Array) {
    request.end(body);
    return;
  }
  body.on('error', (error) => request.destroy(error));
  request.on('close', () => body.destroy());
  body.pipe(request);
}

function readResponse(
  request: ClientRequest,
  maxBytes: (status: number) => number,
): Promise<Omit<HttpResponse, 'isLate'>> {
  return new Promise((resolve) => {
    let response: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    const end = (isTooLarge: boolean, error?: Error) => {
      if (isTooLarge || error) request.destroy();
      const { statusCode: status = null, headers = {} } = response ?? {};
      resolve({ status, headers, body: Buffer.concat(chunks), isTooLarge, error });
    };
    const onError = (error: Error) => end(false, error);
    request.on('error', onError);
    request.on('response', (received: IncomingMessage) => {
      response = received;
      const most = maxBytes(received.statusCode!);
      let length = 0;
      received.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > most) end(true);
        else chunks.push(chunk);
      });
      received.on('end', () => end(false));
      received.on('error', onError);
    });
  });
}
