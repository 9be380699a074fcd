// How a request travels. A remote service and the embedded one have the same shape, and what goes along with
// every request (the token, a trace, a fault in a test) is a function from Transport to Transport.

/** Speaks the global web classes only; undici's own never pass through here. */
export type Transport = (request: Request) => Promise<Response>;

/**
 * The request got no answer. `delivery` says what is known of it: `not_sent` when the service cannot have seen it,
 * `unknown` when it may have acted on it.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly delivery: 'not_sent' | 'unknown';
  readonly reason: string;

  constructor(message: string, facts: { delivery: 'not_sent' | 'unknown'; reason: string; cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.delivery = facts.delivery;
    this.reason = facts.reason;
  }
}

/** Adds the access token where the request does not carry one. */
export const withBearer =
  (transport: Transport, token: () => Promise<string> | string): Transport =>
  async (request) => {
    if (!request.headers.has('authorization')) request.headers.set('authorization', `Bearer ${await token()}`);
    return transport(request);
  };

export type Trace = { method: string; path: string; status: number | undefined; durationMs: number; requestId: string | undefined };

/** Reports each exchange. Only method, path, status and time are handed on: never a header, a query or a body. */
export const withTrace =
  (transport: Transport, nowMs: () => number, report: (trace: Trace) => void): Transport =>
  async (request) => {
    const startedMs = nowMs();
    const { pathname } = new URL(request.url);
    let response: Response | undefined;
    try {
      response = await transport(request);
      return response;
    } finally {
      report({
        method: request.method,
        path: pathname,
        status: response?.status,
        durationMs: nowMs() - startedMs,
        requestId: response?.headers.get('x-request-id') ?? undefined,
      });
    }
  };

/** What a {@link withFaults} plan can do to the n-th request. */
export type Fault = 'refuse_connection' | 'lose_answer';

/** Breaks requests on purpose: before they are sent, or after the service has acted on them. */
export const withFaults =
  (transport: Transport, plan: (request: Request, count: number) => Fault | undefined): Transport => {
    let count = 0;
    return async (request) => {
      count += 1;
      const fault = plan(request, count);
      if (fault === 'refuse_connection')
        throw new ConnectionError('The connection was refused.', { delivery: 'not_sent', reason: 'ECONNREFUSED' });
      const response = await transport(request);
      if (fault === 'lose_answer') {
        await response.arrayBuffer();
        throw new ConnectionError('The connection broke before the answer came.', { delivery: 'unknown', reason: 'ECONNRESET' });
      }
      return response;
    };
  };
