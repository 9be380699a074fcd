// Wraps one connection to a receiver: sends one request at a time, and tells whether another may follow.
import type { Socket } from 'node:net';
import { type AnswerReader, createAnswerReader } from './answer.ts';

export type Exchange =
  /** `reader.head` or `reader.broken` is there. */
  | { kind: 'answered'; reader: AnswerReader }
  /** The connection ended before all headers were there. */
  | { kind: 'lost'; error: unknown; hasAnswer: boolean };

export type EndpointConnection = {
  /** Sends one request. Afterwards the connection may be used again, or is closed. */
  ask(head: string, body: Uint8Array): Promise<Exchange>;
  /** An answer came on it before. */
  readonly wasUsed: boolean;
  readonly isUsable: boolean;
  readonly openedMs: number;
  /** By the clock of durations; when it was last used. */
  readonly usedMs: number;
  close(): void;
};

/** @param socket connected, by TLS where that is wanted */
export function createConnection(socket: Socket): EndpointConnection {
  const openedMs = performance.now();
  let usedMs = openedMs;
  let wasUsed = false;
  let isUsable = true;
  let error: unknown = new ConnectionClosed();
  let current:
    | { reader: AnswerReader; hasAnswer: boolean; resolve: (exchange: Exchange) => void }
    | undefined;

  const endExchange = (exchange: Exchange): void => {
    const { resolve: tell } = current!;
    current = undefined;
    tell(exchange);
  };
  const close = (): void => {
    isUsable = false;
    socket.destroy();
  };
  const handleEnd = (): void => {
    isUsable = false;
    if (!current) return;
    const { reader, hasAnswer } = current;
    endExchange(reader.head ? { kind: 'answered', reader } : { kind: 'lost', error, hasAnswer });
  };
  socket.on('data', (chunk: Buffer) => {
    // Bytes without a request: they would be taken for the next answer.
    if (!current) return close();
    current.hasAnswer = true;
    const { reader } = current;
    const progress = reader.take(chunk);
    if (progress === 'more') return;
    // An answer to a request that was not read to its end: the rest of it would be taken for the next request.
    if (progress === 'enough' || !reader.isReusable || socket.writableLength > 0) close();
    wasUsed = true;
    usedMs = performance.now();
    endExchange({ kind: 'answered', reader });
  });
  socket.on('error', (reason) => {
    error = reason;
  });
  socket.on('end', () => {
    handleEnd();
    socket.destroy();
  });
  socket.on('close', handleEnd);

  return {
    ask: (head, body) =>
      new Promise((done) => {
        current = { reader: createAnswerReader(), hasAnswer: false, resolve: done };
        // Destroyed before a listener was added: no event will follow.
        if (!isUsable || socket.destroyed) return handleEnd();
        // In one piece: two writes cost twice as much.
        socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
      }),
    get wasUsed() {
      return wasUsed;
    },
    get isUsable() {
      return isUsable;
    },
    openedMs,
    get usedMs() {
      return usedMs;
    },
    close,
  };
}

class ConnectionClosed extends Error {
  code = 'ECONNRESET';
}
