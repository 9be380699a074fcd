// Breaks answers on purpose, as faults say: on the connection of a server, and for callers in this process, which get the error that
// the connection would have caused.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionErrorOf } from '../../api/connection-errors.ts';
import type { Reply, WireFault } from '../../api/transport.ts';

// --- In this process ---

/** The error of undici for each fault, which people know from connections. */
const ERRORS = {
  EMPTY_RESPONSE: { code: 'UND_ERR_SOCKET', message: 'other side closed', name: 'SocketError' },
  limit_data: { code: 'UND_ERR_SOCKET', message: 'other side closed', name: 'SocketError' },
  CONNECTION_RESET_BY_PEER: { code: 'ECONNRESET', message: 'read ECONNRESET', name: 'Error' },
  MALFORMED_RESPONSE_CHUNK: {
    code: 'HPE_INVALID_CHUNK_SIZE',
    message: 'Response does not match the HTTP/1.1 protocol (Invalid character in chunk size)',
    name: 'HTTPParserError',
  },
  RANDOM_DATA_THEN_CLOSE: {
    code: 'HPE_INVALID_CONSTANT',
    message: 'Response does not match the HTTP/1.1 protocol (Expected HTTP/)',
    name: 'HTTPParserError',
  },
} as const satisfies Record<
  Exclude<WireFault['kind'], 'slow-body'>,
  { code: string; message: string; name: string }
>;

/**
 * What a caller in this process gets of a reply with a wire fault: the reply, late, or an error.
 * @param fail makes the error that is thrown from that of the connection
 */
export async function breakInProcess(
  { wireFault, ...reply }: Reply,
  fail: (cause: Error) => Error,
): Promise<Reply> {
  if (!wireFault) return reply;
  if (wireFault.kind === 'slow-body') {
    await pause(wireFault.overMs);
    return reply;
  }
  const { message, ...facts } = ERRORS[wireFault.kind];
  throw fail(Object.assign(new Error(message), facts));
}

/** As `fetch` fails. */
export const fetchError = (cause: Error): Error => new TypeError('fetch failed', { cause });

/** As our own transports fail. */
export const connectionError = (url: string, cause: Error): Error =>
  connectionErrorOf(cause, new URL(url), { isUnsent: false, isOver: false });

// --- On a connection ---

/** Begins with what is neither HTTP nor the size of a chunk. */
const garbage = (): Buffer => Buffer.concat([Buffer.from('~'), randomBytes(63)]);

const PIECES = 10;

/** Sends the reply, broken as its wire fault says. */
export function sendBroken(
  response: ServerResponse,
  { status, headers, body }: Reply,
  fault: WireFault,
): void {
  const { socket } = response;
  if (!socket) return;
  const bytes = Buffer.from(body);
  switch (fault.kind) {
    case 'EMPTY_RESPONSE':
      socket.end();
      return;
    case 'CONNECTION_RESET_BY_PEER':
      socket.resetAndDestroy();
      return;
    case 'RANDOM_DATA_THEN_CLOSE':
      socket.end(garbage());
      return;
    case 'MALFORMED_RESPONSE_CHUNK': {
      const { 'content-length': _, ...others } = headers;
      response.writeHead(status, { ...others, 'transfer-encoding': 'chunked' });
      response.flushHeaders();
      socket.end(garbage());
      return;
    }
    case 'limit_data':
      response.writeHead(status, headers);
      response.flushHeaders();
      socket.end(bytes.subarray(0, fault.afterBytes ?? Math.floor(bytes.length / 2)));
      return;
    case 'slow-body':
      response.writeHead(status, headers);
      response.flushHeaders();
      void sendSlowly(response, bytes, fault.overMs);
  }
}

async function sendSlowly(response: ServerResponse, bytes: Buffer, overMs: number): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    await pause(overMs / PIECES);
    response.write(bytes.subarray(at, at + size));
  }
  response.end();
}
