// Runs a request through its stages: host, route, authenticate, read request, idempotency, handle, encode. It is the only file,
// beside the codec, that catches. The first stage that refuses decides.

import type { Operation } from '../../api/contract/operation.ts';
import type { ProblemCode } from '../../api/contract/problems.ts';
import { encodeOutput, encodeRefusal } from '../../api/service-codec.ts';
import type { Call, Reply, Transport } from '../../api/transport.ts';
import { instantOf } from '../../common/instant.ts';
import { unexpectedRefusalOf } from '../changes/failure-refusal.ts';
import type { ServiceDeps } from '../context.ts';
import { isBrowser } from '../web/paths.ts';
import { authenticate, badKey, handle } from './handle.ts';
import { dashboardPage, failurePage, pageAt } from './pages.ts';
import { readRequest } from './read-request.ts';
import type { HandlerResult } from './request-context.ts';
import { createRouter, type FoundRoute, readAddress } from './route.ts';
import { readTraceparent, replaceTrace, traceIdOf } from './trace-context.ts';

/** Answers have the time by the clock of a sandbox in this header while that is not the time of the machine. */
const CLOCK_HEADER = 'x-esign-clock';

/** After these refusals another node may be able to answer at once, and this one later: pages say to try again. */
const UNAVAILABLE: readonly ProblemCode[] = ['storage_unavailable', 'program_replaced'];

export function createPipeline(deps: ServiceDeps): Transport {
  const route = createRouter(deps);

  /** @param note takes the name of what answers, as soon as it is known */
  async function respond(call: Call, requestId: string, note: (operation: string) => void): Promise<Reply> {
    const address = readAddress(call, deps.origin, deps.allowedHosts);
    if (!address.ok) return encodeRefusal(address.refusal, requestId);
    const url = address.output;
    // HEAD is handled like GET, and the server omits the body (RFC 9110 §9.3.2).
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    const page = pageAt(call, url, method, deps);
    if (page) {
      note('page');
      return page;
    }
    const match = route(method, url.pathname);
    if (!match.ok)
      return match.refusal.code === 'route_not_found' && isBrowser(call.method, call.headers)
        ? dashboardPage(call, url, deps)
        : encodeRefusal(match.refusal, requestId);
    note(match.id);
    const answer = async () => {
      const result = await operate(call, url, match, deps);
      return encode(match.operation, result, requestId, deps.validateResponses);
    };
    const strikes = await deps.faults.strikeRequest(match.id, match.operation);
    if (strikes.length === 0) return answer();
    const { answerFaulted } = await import('./faulty-answers.ts');
    const request = { requestId, now: instantOf(deps.clock.now()), closing: deps.closing };
    return answerFaulted(strikes, request, answer);
  }

  async function answer(call: Call, note: (operation: string) => void): Promise<Reply> {
    const requestId = deps.ids();
    try {
      await deps.clock.refresh();
      const reply = withHeaders(await respond(call, requestId, note), requestId);
      if (deps.clock.isMoved) reply.headers[CLOCK_HEADER] = instantOf(deps.clock.now());
      return reply;
    } catch (error) {
      deps.onError(error, requestId, traceOf(call));
      const refusal = unexpectedRefusalOf(error, requestId);
      const isUnavailable = UNAVAILABLE.includes(refusal.code);
      const page = await failurePage(call, { requestId, isUnavailable }, deps);
      return withHeaders(page ?? encodeRefusal(refusal, requestId), requestId);
    }
  }

  return async (call) => {
    const work = { kind: 'request', method: call.method } as const;
    const { trace, end } = deps.observer.begin(work, readTraceparent(call.headers.traceparent));
    let operation = 'none';
    const traced = replaceTrace(call, trace);
    const reply = await answer(traced, (name) => {
      operation = name;
    });
    end({ kind: 'request', operation, status: reply.status });
    return trace === undefined ? reply : { ...reply, traceId: traceIdOf(trace) };
  };
}

const traceOf = ({ headers: { traceparent } }: Call): string | undefined =>
  traceparent === undefined ? undefined : traceIdOf(traceparent);

/** Runs the stages of a call to an operation. */
async function operate(
  call: Call,
  url: URL,
  { id, operation, params }: FoundRoute,
  deps: ServiceDeps,
): Promise<HandlerResult> {
  const { store } = deps;
  const cache = await store.database.cache();
  const caller = await authenticate(call, operation, cache, deps);
  if (!caller.ok) return caller;
  const sent = await readRequest(call, url, operation, params, store);
  if (!sent.ok) return sent;
  try {
    const request = { call, id, operation, sent: sent.output, caller: caller.output };
    return badKey(call, operation) ?? (await handle(request, cache, deps));
  } finally {
    await sent.output.upload?.spooled.discard();
  }
}

// --- Answers ---

/** These headers are added to every answer that does not set them itself. */
const HEADERS = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const;

function encode(operation: Operation, result: HandlerResult, requestId: string, isValidated: boolean): Reply {
  if (!result.ok) return encodeRefusal(result.refusal, requestId);
  if (isValidated && !operation.success.binary) operation.success.schema.parse(result.output);
  const reply = encodeOutput(operation, result.output, result.encoded);
  if (result.isReplayed) reply.headers['idempotency-replayed'] = 'true';
  return reply;
}

function withHeaders(reply: Reply, requestId: string): Reply {
  for (const [name, value] of HEADERS) reply.headers[name] ??= value;
  reply.headers['x-request-id'] = requestId;
  return reply;
}
