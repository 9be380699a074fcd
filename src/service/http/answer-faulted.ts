// Answers a request that faults strike: later, with an error, or with an answer that the connection will break. Loaded when there
// is a first fault.
import { setTimeout as pause } from 'node:timers/promises';
import { refusal } from '../../api/contract/problems.ts';
import { FAULT_HEADER } from '../../api/contract/sandbox/fault-kinds.ts';
import { encodeRefusal } from '../../api/service-codec.ts';
import type { Reply } from '../../api/transport.ts';
import type { Instant } from '../../common/instant.ts';
import type { Strike } from '../store/faults.ts';

const RETRY_AFTER_SECONDS = 1;

/** `closing` ends the wait for a latency. */
export type FaultedRequest = { requestId: string; now: Instant; closing: AbortSignal };

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
