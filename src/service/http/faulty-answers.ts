// Answers a request that faults strike: later, with an error, or with an answer that breaks on the connection of a server, and is the error that
// the connection would have caused for callers in this process. It is loaded when there is a first fault.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { refusal } from '../../api/contract/problems.ts';
import { FAULT_HEADER } from '../../api/contract/sandbox/faults.ts';
import { encodeRefusal } from '../../api/service-codec.ts';
import { connectionErrorOf, type Reply, type WireFault } from '../../api/transport.ts';
import type { Instant } from '../../common/instant.ts';
import type { Strike } from '../store/sandbox/faults.ts';

const RETRY_AFTER_SECONDS = 1;

/** `closing` ends the wait for a latency. */
type FaultedRequest = { requestId: string; now: Instant; closing: AbortSignal };

/** @param answer does what the request asks for, and answers it */
export async function answerFaulted(
  strikes: readonly Strike[],
  request: FaultedRequest,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  // A request that the end of the service interrupts is not begun.
  const lateByMs = strikes
    .filter(({ kind }) => kind === 'latency')
    .reduce((sum, strike) => sum + strike.lateByMs, 0);
  const { closing, requestId } = request;
  await pause(lateByMs, undefined, { signal: closing }).catch(() => undefined);
  if (closing.aborted) return encodeRefusal(refusal('internal_error', { request_id: requestId }), requestId);
  const reply = await replyOf(
    strikes.find(({ kind }) => kind !== 'latency'),
    request,
    answer,
  );
  reply.headers[FAULT_HEADER] = strikes.map(({ kind }) => kind).join(', ');
  return reply;
}

async function replyOf(
  strike: Strike | undefined,
  { requestId, now }: FaultedRequest,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  if (!strike) return answer();
  const { kind } = strike;
  switch (kind) {
    case 'rate-limit': {
      const wait_seconds = strike.retry_after ?? RETRY_AFTER_SECONDS;
      return encodeRefusal(refusal('rate_limited', { wait_seconds }), requestId);
    }
    case 'expired-token':
      return encodeRefusal(refusal('token_expired', { at: now }), requestId);
    case 'error-before-commit':
      return encodeRefusal(refusal('failed_on_purpose', { kind }), requestId);
    case 'error-after-commit':
      await answer();
      return encodeRefusal(refusal('failed_on_purpose', { kind }), requestId);
    case 'limit_data':
      return { ...(await answer()), wireFault: { kind, afterBytes: strike.bytes ?? undefined } };
    case 'slow-body':
      return { ...(await answer()), wireFault: { kind, overMs: strike.lateByMs } };
    case 'EMPTY_RESPONSE':
    case 'CONNECTION_RESET_BY_PEER':
    case 'MALFORMED_RESPONSE_CHUNK':
    case 'RANDOM_DATA_THEN_CLOSE':
      return { ...(await answer()), wireFault: { kind } };
    default:
      return answer();
  }
}

// --- In this process ---

/** People know these errors of undici from connections. */
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
 * Gives a caller in this process a reply with a wire fault: late, or as an error.
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
  const { message, ...properties } = ERRORS[wireFault.kind];
  throw fail(Object.assign(new Error(message), properties));
}

/** `fetch` fails with this error. */
export const fetchError = (cause: Error): Error => new TypeError('fetch failed', { cause });

/** Our own transports fail with this error. */
export const connectionError = (url: string, cause: Error): Error =>
  connectionErrorOf(cause, new URL(url), { isUnsent: false, isOver: false });

// --- On a connection ---

/** These bytes begin with what is neither HTTP nor the size of a chunk. */
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
