// Wraps one connection to a receiver: sends one request at a time, tells whether another may follow, keeps it for the next request to the
// same receiver, and ends it when the time of an attempt is up.
import type { Socket } from 'node:net';
import { LIMITS } from '../../api/contract/limits.ts';
import { type AnswerReader, createAnswerReader } from './answer.ts';
import { NotDelivered } from './attempt.ts';

export type Exchange =
  /** The reader has a `head`, or says why the answer is `broken`. */
  | { kind: 'answered'; reader: AnswerReader }
  /** The connection ended before all headers were there. */
  | { kind: 'lost'; error: unknown; hasAnswer: boolean };

export type EndpointConnection = {
  /** Sends one request. Afterwards the connection may be used again, or is closed. */
  ask(head: string, body: Uint8Array): Promise<Exchange>;
  /** Tells whether an answer came on it before. */
  readonly wasUsed: boolean;
  readonly isUsable: boolean;
  readonly openedMs: number;
  /** The clock of durations counts, which is never set back. */
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
    // These bytes came without a request, and would be taken for the next answer.
    if (!current) return close();
    current.hasAnswer = true;
    const { reader } = current;
    const progress = reader.take(chunk);
    if (progress === 'more') return;
    // The answer came to a request that was not read to its end: the rest of it would be taken for the next request.
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
        // It was destroyed before a listener was added, so no event will follow.
        if (!isUsable || socket.destroyed) return handleEnd();
        // It is sent in one piece, because two writes cost twice as much.
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

// --- Connections that wait, the last used one first ---

type IdleConnections = {
  /** Returns a connection for the key, but none that the other side may be about to close. */
  take(key: string): EndpointConnection | undefined;
  keep(key: string, connection: EndpointConnection): void;
  close(): void;
};

export function createIdleConnections(): IdleConnections {
  const waiting = new Map<string, EndpointConnection[]>();
  let isClosed = false;
  let sweeping: NodeJS.Timeout | undefined;

  function sweep(): void {
    const now = performance.now();
    for (const [key, connections] of waiting) {
      const good = connections.filter((each) => isGood(each, now));
      for (const each of connections) if (!good.includes(each)) each.close();
      if (good.length > 0) waiting.set(key, good);
      else waiting.delete(key);
    }
    if (waiting.size === 0) stopSweeping();
  }
  const stopSweeping = (): void => {
    clearInterval(sweeping);
    sweeping = undefined;
  };

  return {
    take(key) {
      const connections = waiting.get(key);
      const now = performance.now();
      for (let last = connections?.pop(); last; last = connections?.pop()) {
        if (isGood(last, now)) return last;
        last.close();
      }
      return undefined;
    },
    keep(key, connection) {
      const connections = waiting.get(key) ?? [];
      if (isClosed || connections.length >= LIMITS.idleConnectionsPerReceiver) return connection.close();
      connections.push(connection);
      waiting.set(key, connections);
      sweeping ??= setInterval(sweep, LIMITS.idleConnectionMs / 4).unref();
    },
    close() {
      isClosed = true;
      stopSweeping();
      for (const connections of waiting.values()) for (const each of connections) each.close();
      waiting.clear();
    },
  };
}

const isGood = ({ isUsable, usedMs, openedMs }: EndpointConnection, now: number): boolean =>
  isUsable && now - usedMs < LIMITS.idleConnectionMs && now - openedMs < LIMITS.connectionLifetimeMs;

// --- The time of one attempt ---

/** Limits the time of one attempt, all of it together, and lets the caller end it. */
export type Deadline = {
  /** Does the work, which `stop` ends when the time is up; from then on there is no other work. */
  during<T>(stop: () => void, work: () => Promise<T>): Promise<T>;
  /** Says why the attempt is over before its end; undefined while it is not. */
  readonly passed: NotDelivered | undefined;
  end(): void;
};

export function createDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  let passed: NotDelivered | undefined;
  let stop: (() => void) | undefined;
  const reach = (why: string): void => {
    passed ??= new NotDelivered(why);
    stop?.();
  };
  const timer = setTimeout(() => reach(`it did not respond within ${timeoutMs / 1000} s`), timeoutMs);
  const aborted = () => reach('the delivery was stopped');
  signal?.addEventListener('abort', aborted, { once: true });
  if (signal?.aborted) aborted();
  return {
    async during(stopIt, work) {
      if (passed) throw passed;
      stop = stopIt;
      try {
        return await work();
      } finally {
        stop = undefined;
      }
    },
    get passed() {
      return passed;
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
    },
  };
}
