// The transport to a service over `fetch`, for programs in Node, browsers and wherever else there is one. remote.ts is that of the
// command line. Must never follow a redirect: the access token would be sent along.
import { concatBytes } from '../common/concat-bytes.ts';
import {
  answerMsFor,
  type Call,
  ConnectionError,
  connectionErrorOf,
  endlessAnswer,
  isAboutTls,
  reasonOf,
  TIMEOUTS,
  type Transport,
  tooLargeAnswer,
} from './transport.ts';

/** @property answerMs until the answer begins, and from each piece of it to the next; otherwise by the kind of call */
export type FetchTransportOptions = {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Only differences of two values are used. */
  nowMs(): number;
  signal?: AbortSignal | undefined;
  answerMs?: number | undefined;
  /** Turns an error into the one that the reader of a stream gets. */
  streamError?(error: unknown): unknown;
};

export const openFetchTransport =
  (options: FetchTransportOptions): Transport =>
  async (call) => {
    const timer = startTimer(answerMsFor(call, options.answerMs), options.signal);
    const failure = (cause: unknown): unknown => {
      timer.stop();
      return failureOf(cause, new URL(call.url), timer, options.signal);
    };
    const failStream = (cause: unknown): never => {
      const error = failure(cause);
      throw options.streamError?.(error) ?? error;
    };
    try {
      const response = await options.fetch(call.url, requestOf(call, timer.signal));
      timer.restart();
      const reply = { status: response.status, headers: Object.fromEntries(response.headers) };
      if (call.isStreamed && response.ok && response.body)
        return { ...reply, body: '', stream: streamOf(response.body, timer, failStream) };
      const body = await bytesOf(response.body, timer, new URL(call.url).origin, options);
      timer.stop();
      return { ...reply, body };
    } catch (cause) {
      throw failure(cause);
    }
  };

/** `fetch` counts the bytes of the body itself. Cookies are not mentioned, because workers do not know the option. */
const requestOf = ({ method, headers, body }: Call, signal: AbortSignal): RequestInit => {
  const { 'content-length': _, ...others } = headers;
  return {
    method,
    headers: others,
    redirect: 'manual',
    signal,
    ...(body !== undefined && { body: body as string | Uint8Array<ArrayBuffer> }),
  };
};

// ── the body of an answer ───────────────────────────────────────────────────────────────────────────────────────

async function bytesOf(
  body: Response['body'],
  timer: Timer,
  origin: string,
  { nowMs }: FetchTransportOptions,
): Promise<Uint8Array> {
  const endMs = nowMs() + TIMEOUTS.wholeAnswerMs;
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const piece: Uint8Array = read.value;
    timer.restart();
    sizeBytes += piece.length;
    const error =
      sizeBytes > TIMEOUTS.answerBytes
        ? tooLargeAnswer(origin)
        : nowMs() > endMs
          ? endlessAnswer(origin)
          : undefined;
    if (error) {
      await reader?.cancel().catch(() => undefined);
      throw error;
    }
    pieces.push(piece);
  }
  return concatBytes(pieces);
}

/** Hands an answer on piece by piece. The time between two requests of the reader does not count. */
function streamOf(
  body: NonNullable<Response['body']>,
  timer: Timer,
  fail: (cause: unknown) => never,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  timer.pause();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        timer.restart();
        const read = await reader.read().catch(fail);
        timer.pause();
        if (!read.done) return controller.enqueue(read.value);
        timer.stop();
        controller.close();
      },
      cancel(reason) {
        timer.stop();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

// ── time ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Timer = {
  readonly ms: number;
  /** Aborted when the time is over, and with the caller's signal. */
  readonly signal: AbortSignal;
  readonly isOver: boolean;
  restart(): void;
  pause(): void;
  /** Also stops listening to the caller's signal. */
  stop(): void;
};

function startTimer(ms: number, outer: AbortSignal | undefined): Timer {
  const end = new AbortController();
  let isOver = false;
  let running: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => end.abort(outer?.reason);
  const timer: Timer = {
    ms,
    signal: end.signal,
    get isOver() {
      return isOver;
    },
    restart() {
      clearTimeout(running);
      running = setTimeout(() => {
        isOver = true;
        end.abort();
      }, ms);
    },
    pause: () => clearTimeout(running),
    stop() {
      clearTimeout(running);
      outer?.removeEventListener('abort', onAbort);
    },
  };
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort);
  timer.restart();
  return timer;
}

// ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The codes of Node's `fetch` for a connection that never came to be. Elsewhere nothing is known of it. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function failureOf(cause: unknown, url: URL, timer: Timer, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (timer.isOver)
    return new ConnectionError(`${url.origin} did not respond within ${timer.ms / 1000} s.`, {
      delivery: 'unknown',
      reason: 'TIMEOUT',
      kind: 'timeout',
      cause,
    });
  const reason = reasonOf(cause);
  return connectionErrorOf(cause, url, { isUnsent: UNSENT.has(reason) || isAboutTls(reason), isOver: false });
}
