// Posts one delivery: within the time it may take, to an address that may be sent to, over a connection that is kept for
// the next one. Whatever the receiver does ends in a result; it follows no redirect and honours no proxy that was not configured.
import {
  type InsideReceivers,
  judgeEndpoint,
  LOOPBACK_REFUSED,
  NONE_INSIDE,
} from '../../api/contract/egress.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { epochMsOf } from '../../common/instant.ts';
import { systemClock } from '../clock.ts';
import { redirectReason } from '../domain/redirect-reason.ts';
import type { AnswerReader } from './answer.ts';
import { type AttemptResult, failureReasonOf, NotDelivered } from './attempt.ts';
import {
  createConnection,
  createDeadline,
  createIdleConnections,
  type Deadline,
  type EndpointConnection,
  type Exchange,
} from './connection.ts';
import {
  createTrust,
  type Destination,
  openSocket,
  type Resolve,
  resolveAndJudge,
  resolverOfMachine,
} from './open-connection.ts';

export type PostRequest = { url: string; headers: Record<string, string>; body: Uint8Array };

export type Poster = {
  /** Posts a message. It never rejects because of a receiver. */
  post(request: PostRequest, signal?: AbortSignal): Promise<AttemptResult>;
  /** Ends idle connections. */
  close(): void;
};

export type PosterOptions = {
  /** Tells at each attempt whether a receiver on this machine is allowed now. */
  allowLoopback: () => boolean;
  /** These receivers in the network of the service are allowed; without it, none. */
  inside?: InsideReceivers;
  /** Returns root certificates in PEM that are trusted for loopback destinations beside those of the machine. */
  loopbackRoots?: () => Promise<string | undefined>;
  /** Replaces the resolver of the machine in tests. It returns all addresses of a name. */
  resolve?: Resolve;
  /** An attempt takes so many milliseconds at most. */
  timeoutMs?: number;
  /** The address of the configured proxy is `http://host:port`. */
  proxy?: string;
};

export function createPoster(options: PosterOptions): Poster {
  const { allowLoopback, inside = NONE_INSIDE, timeoutMs = LIMITS.deliveryMs, proxy } = options;
  const resolve = options.resolve ?? resolverOfMachine();
  const trust = createTrust(options.loopbackRoots);
  const idle = createIdleConnections();
  const targetFor = memoizeTarget((url) => targetOf(url, inside));

  async function open(destination: Destination, deadline: Deadline): Promise<EndpointConnection> {
    const addresses = await withinDeadline(deadline, () =>
      resolveAndJudge(destination.host, resolve, inside),
    );
    return createConnection(
      await openSocket({
        destination,
        addresses,
        trust: () => trust(destination.isLoopback),
        proxy,
        deadline,
      }),
    );
  }

  async function exchange({ url, headers, body }: PostRequest, deadline: Deadline): Promise<Exchange> {
    const target = targetFor(url);
    if (target.destination.isLoopback && !allowLoopback())
      throw new NotDelivered(`the URL is not accepted: ${LOOPBACK_REFUSED}`);
    const head = headOf(target, headers, body.length);
    const sendRequest = async (connection: EndpointConnection): Promise<Exchange> => {
      const result = await deadline.during(connection.close, () => connection.ask(head, body));
      if (connection.isUsable) idle.keep(target.key, connection);
      return result;
    };
    const connection = idle.take(target.key);
    if (connection) {
      const result = await sendRequest(connection);
      // The receiver closed the connection while the request was on its way and has not answered it, so it is sent again.
      const isStale = result.kind === 'lost' && connection.wasUsed && !result.hasAnswer;
      if (!isStale) return result;
    }
    return sendRequest(await open(target.destination, deadline));
  }

  return {
    async post(request, signal) {
      const startedMs = performance.now();
      assertSendable(request.headers);
      const deadline = createDeadline(timeoutMs, signal);
      const durationMs = () => Math.round(performance.now() - startedMs);
      try {
        const result = await exchange(request, deadline);
        if (result.kind === 'lost') throw result.error;
        return { ...resultOf(result.reader), durationMs: durationMs() };
      } catch (error) {
        const why = failureReasonOf(deadline.passed ?? error);
        return { ok: false, status: null, why, answer: '', durationMs: durationMs() };
      } finally {
        deadline.end();
      }
    },
    close: () => idle.close(),
  };
}

const withinDeadline = <T>(deadline: Deadline, work: () => Promise<T>): Promise<T> => {
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, failed) => {
    stop = () => failed(deadline.passed);
  });
  return deadline.during(stop, () => Promise.race([work(), stopped]));
};

// --- The request ---

type PostTarget = { destination: Destination; key: string; path: string; host: string };

/**
 * Judges the address at each attempt: the service may have been started with other allowed networks since the address was
 * stored.
 */
function targetOf(written: string, inside: InsideReceivers): PostTarget {
  const verdict = judgeEndpoint(written, 'notification', inside);
  if (!verdict.isAllowed) throw new NotDelivered(`the URL is not accepted: ${verdict.why}`);
  const { url, isLoopback } = verdict;
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  return {
    destination: { host, port, isTls, isLoopback },
    key: url.origin,
    path: url.pathname + url.search,
    host: url.host,
  };
}

const NOT_IN_HEADERS = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;

const TARGETS_REMEMBERED = 1000;

/** Caches verdicts: the same few addresses are judged again and again, and only the text decides. */
function memoizeTarget(judge: (url: string) => PostTarget): (url: string) => PostTarget {
  const cached = new Map<string, PostTarget>();
  return (url) => {
    let target = cached.get(url);
    if (target) return target;
    target = judge(url);
    if (cached.size >= TARGETS_REMEMBERED) cached.clear();
    cached.set(url, target);
    return target;
  };
}

/** Throws for a wrong header, which is a bug: headers are ours, and text from outside is in the body. */
function assertSendable(headers: Record<string, string>): void {
  for (const name in headers)
    if (NOT_IN_HEADERS.test(headers[name]!)) throw new Error(`The header ${name} cannot be sent.`);
}

function headOf({ path, host }: PostTarget, headers: Record<string, string>, length: number): string {
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${length}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  return `${head}\r\n`;
}

// --- The result ---

function resultOf(reader: AnswerReader): Omit<AttemptResult, 'durationMs'> {
  const { head, broken } = reader;
  if (!head) return { ok: false, status: null, why: broken ?? null, answer: '' };
  const { status } = head;
  const answer = textOf(reader.body());
  if (status >= 200 && status < 300) return { ok: true, status, why: null, answer };
  const retryAfterMs = retryAfterOf(head.retryAfter);
  return {
    ok: false,
    status,
    why: whyNot(status, head.location),
    answer,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(status === GONE && { isFinal: true }),
  };
}

const GONE = 410;

const LOCATION_SHOWN = 200;

function whyNot(status: number, location: string | undefined): string {
  if (status < 300 || status >= 400 || location === undefined)
    return `it responded with HTTP status ${status}`;
  return redirectReason(status, textOf(Buffer.from(location, 'latin1'), LOCATION_SHOWN));
}

/** Decodes bytes as one line, without characters that a terminal would act on. */
function textOf(bytes: Buffer, length: number = LIMITS.deliveryAnswerShown): string {
  const text = bytes.toString('utf8');
  if (PLAIN_AND_SHORT.test(text)) return text;
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return [...line].slice(0, length).join('');
}

const PLAIN_AND_SHORT = /^[!-~]{0,100}$/;

/** HTTP writes a date like this: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads seconds or a date (RFC 9110 §10.2.3); anything else, and a date that is over, says nothing. */
function retryAfterOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,10}$/.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? epochMsOf(text) - systemClock()
      : Number.NaN;
  return ms > 0 ? Math.min(ms, LIMITS.retryAfterMs) : undefined;
}
