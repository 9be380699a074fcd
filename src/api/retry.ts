// Repeats a call when that can help and can do no harm. decisions/0008-retries.md says which calls, when and how often. Must
// never send twice what the service may have acted on and would act on again.
import { epochMsOf } from '../common/instant.ts';
import { type Call, ConnectionError, type Reply, TIMEOUTS, type Transport } from './transport.ts';

export type Retry = {
  /** A clause such as `the service answered with status 503`. */
  why: string;
  waitMs: number;
  /** The attempt that comes, from 2. */
  attempt: number;
  attempts: number;
};

export type RetryOptions = {
  /** The service keeps its first answer under an Idempotency-Key (assumed: A37). */
  keysHonoured: boolean;
  /** The most attempts; without it, the number of the command line. */
  attempts?: number | undefined;
  /** Only differences of two values are used. */
  nowMs(): number;
  /** The time of day, for a Retry-After that is a date in an answer without one. */
  epochMs(): number;
  /** Returns a number from 0 to 1. */
  random(): number;
  /** Rejects when the command is to end. */
  wait(ms: number): Promise<void>;
  onRetry(retry: Retry): void;
  /** The service asked for a pause that is too long. */
  onTooLong(waitMs: number): void;
};

/** A service or a proxy that sends one of these may answer properly a moment later. */
const UNAVAILABLE = new Set([408, 429, 502, 503, 504]);
/** The service may have done half of the work: only a call that may be repeated is sent again. */
const FAILED = 500;

const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

type Attempt = { reply: Reply } | { error: unknown };

/** @returns a transport whose calls end with the last answer or error there was */
export const withRetry =
  (transport: Transport, retrying: RetryOptions): Transport =>
  async (call) => {
    const startedMs = retrying.nowMs();
    const attempts = retrying.attempts ?? TIMEOUTS.attempts;
    let mayHaveActed = false;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptCall(transport, call);
      const waitMs = pauseAfter(outcome, call, attempt, retrying);
      const isLate = retrying.nowMs() - startedMs + (waitMs ?? 0) > TIMEOUTS.attemptsMs;
      if (waitMs === undefined || attempt >= attempts || isLate) return finalOutcome(outcome, mayHaveActed);
      mayHaveActed ||= 'reply' in outcome || deliveryOf(outcome.error) === 'unknown';
      retrying.onRetry({ why: reasonOf(outcome), waitMs, attempt: attempt + 1, attempts });
      await retrying.wait(waitMs);
    }
  };

async function attemptCall(transport: Transport, call: Call): Promise<Attempt> {
  try {
    return { reply: await transport(call) };
  } catch (error) {
    return { error };
  }
}

/** Milliseconds until the call may be sent again; undefined when it may not, or it would not help. */
function pauseAfter(
  outcome: Attempt,
  call: Call,
  attempt: number,
  retrying: RetryOptions,
): number | undefined {
  if (call.isBrief || !isReadAgain(call)) return undefined;
  if ('error' in outcome)
    return mayFollow(outcome.error, call, retrying) ? jitter(attempt, retrying) : undefined;
  const { status, headers } = outcome.reply;
  if (!(UNAVAILABLE.has(status) || status === FAILED) || !isRepeatable(call, retrying)) return undefined;
  const wanted = retryAfterMs(headers, retrying.epochMs);
  if (wanted === undefined) return jitter(attempt, retrying);
  if (wanted <= TIMEOUTS.retryAfterMsMax) return wanted;
  retrying.onTooLong(wanted);
  return undefined;
}

/** A stream is read once. */
const isReadAgain = ({ body }: Call): boolean =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array;

function mayFollow(error: unknown, call: Call, retrying: RetryOptions): boolean {
  if (!(error instanceof ConnectionError) || !error.isWorthAnotherTry) return false;
  return error.delivery === 'not_sent' || isRepeatable(call, retrying);
}

/** True if it does no harm when the service acts on the call a second time. */
function isRepeatable({ method, headers, once }: Call, { keysHonoured }: RetryOptions): boolean {
  if (keysHonoured && 'idempotency-key' in headers) return true;
  return REPEATABLE_METHODS.has(method) && !once;
}

/** Full jitter: anything up to a bound that doubles, so that many who failed together do not come back together. */
const jitter = (attempt: number, { random }: RetryOptions): number =>
  Math.round(random() * Math.min(TIMEOUTS.pauseMsMax, TIMEOUTS.pauseMs * 2 ** (attempt - 1)));

/** RFC 9110 §10.2.3: seconds, or a date, which is taken against the service's own clock where it tells it. */
export function retryAfterMs(headers: Record<string, string>, epochMs: () => number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Za-z]{3,9}, /.test(text) ? epochMsOf(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const now = epochMsOf(headers.date ?? '');
  return Math.max(0, at - (Number.isNaN(now) ? epochMs() : now));
}

const deliveryOf = (error: unknown): string | undefined =>
  error instanceof ConnectionError ? error.delivery : undefined;

function reasonOf(outcome: Attempt): string {
  if ('reply' in outcome) return `the service answered with status ${outcome.reply.status}`;
  return outcome.error instanceof ConnectionError && outcome.error.kind === 'timeout'
    ? 'the service did not respond in time'
    : 'the connection failed';
}

/** Ends as the last attempt did. An earlier one may have been sent although the last one was not. */
function finalOutcome(outcome: Attempt, mayHaveActed: boolean): Reply {
  if ('reply' in outcome) return outcome.reply;
  const { error } = outcome;
  if (mayHaveActed && error instanceof ConnectionError && error.delivery === 'not_sent')
    throw new ConnectionError(error.message, { ...error, delivery: 'unknown', cause: error });
  throw error;
}
