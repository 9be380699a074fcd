// How a call travels. A remote service and the embedded one have the same shape, and what is added to every call (the token, a
// trace, a fault in a test) is a function from Transport to Transport.

/**
 * A request in plain data. The web's Request and Response are not used on the way: loading them costs a command half
 * of what Node itself takes to start (decision 0003); `web.ts` turns one into the other.
 */
export type Call = {
  method: string;
  /** Absolute. */
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body?: Body | undefined;
  /** The address of the client, where the call came over a network. */
  from?: string | undefined;
  /** A second time would do harm: it is not repeated, whatever its method promises. */
  once?: true | undefined;
  /** An answer is optional: the call is made once, and not waited for long. */
  isBrief?: true | undefined;
  /** The service works on documents before it answers, which may take minutes. */
  isLong?: true | undefined;
  /** Receives how much of the body has been handed to the network. */
  onSent?: OnSent | undefined;
  /** A success may come as a stream; only fetch-transport.ts returns one. */
  isStreamed?: true | undefined;
};

export type OnSent = (sentBytes: number, totalBytes: number) => void;

/** A stream is read once. */
export type Body = string | Uint8Array | AsyncIterable<Uint8Array>;

/** How the connection breaks an answer on purpose. `afterBytes`: of the body; half of it where undefined. */
export type WireFault =
  | {
      kind:
        | 'EMPTY_RESPONSE'
        | 'CONNECTION_RESET_BY_PEER'
        | 'MALFORMED_RESPONSE_CHUNK'
        | 'RANDOM_DATA_THEN_CLOSE';
    }
  | { kind: 'limit_data'; afterBytes: number | undefined }
  | { kind: 'slow-body'; overMs: number };

export type Reply = {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** In place of the body, where the call asks for a stream. */
  stream?: ReadableStream<Uint8Array> | undefined;
  /** The ID of the trace that the call belongs to, for logs. It does not travel. */
  traceId?: string | undefined;
  /** What is to happen to it on its way. It does not travel. */
  wireFault?: WireFault | undefined;
};

export type Transport = (call: Call) => Promise<Reply>;

/**
 * What kept an answer from coming: the way there, its time, the service's certificate or its TLS, a proxy, or an
 * answer that cannot be taken in.
 */
export type ConnectionFailure =
  | 'connection'
  | 'timeout'
  | 'certificate'
  | 'tls'
  | 'proxy'
  | 'answer_too_large'
  | 'answer_unreadable';

/** The codes that people see. */
export const CODE_OF_FAILURE = {
  connection: 'connection_failed',
  timeout: 'answer_timeout',
  certificate: 'certificate_refused',
  tls: 'tls_failed',
  proxy: 'proxy_failed',
  answer_too_large: 'answer_too_large',
  answer_unreadable: 'answer_unreadable',
} as const satisfies Record<ConnectionFailure, string>;

export type ConnectionFacts = {
  delivery: 'not_sent' | 'unknown';
  /** A code of the system, of TLS, or a status of the proxy. */
  reason: string;
  kind?: ConnectionFailure;
  isWorthAnotherTry?: boolean;
  cause?: unknown;
};

/**
 * The request got no answer. `delivery` says what is known of it: `not_sent` when the service cannot have seen it,
 * `unknown` when it may have acted on it.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly delivery: 'not_sent' | 'unknown';
  readonly reason: string;
  readonly kind: ConnectionFailure;
  readonly isWorthAnotherTry: boolean;

  constructor(message: string, facts: ConnectionFacts) {
    super(message, { cause: facts.cause });
    this.delivery = facts.delivery;
    this.reason = facts.reason;
    this.kind = facts.kind ?? 'connection';
    this.isWorthAnotherTry = facts.isWorthAnotherTry ?? true;
  }
}

export type TokenSource = {
  /** The one that goes along. */
  token(): Promise<string> | string;
  /** Asked once, after a 401, for another in place of the refused. */
  renewLogin?(refused: string): Promise<string | undefined>;
};

/** Adds the access token where the call does not carry one. A call that got a 401 was not acted upon. */
export const withBearer =
  (transport: Transport, access: TokenSource): Transport =>
  async (call) => {
    if ('authorization' in call.headers) return transport(call);
    const used = await access.token();
    const reply = await transport(addToken(call, used));
    if (reply.status !== 401) return reply;
    const fresh = await access.renewLogin?.(used);
    return fresh === undefined ? reply : transport(addToken(call, fresh));
  };

const addToken = (call: Call, token: string): Call => ({
  ...call,
  headers: { ...call.headers, authorization: `Bearer ${token}` },
});

export type Trace = {
  method: string;
  path: string;
  status: number | undefined;
  durationMs: number;
  requestId: string | undefined;
};

/** Names under which services and what stands before them tell the id of a request. */
const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'cf-ray',
];

export const requestIdOf = (headers: Record<string, string>): string | undefined =>
  REQUEST_ID_HEADERS.map((name) => headers[name]?.slice(0, 200)).find(
    (value) => value !== undefined && value !== '',
  );

export const callPath = (url: string): string => new URL(url).pathname;

/** Reports each exchange. Only method, path, status and time are handed on: never a header, a query or a body. */
export const withTrace =
  (transport: Transport, nowMs: () => number, report: (trace: Trace) => void): Transport =>
  async (call) => {
    const startedMs = nowMs();
    let reply: Reply | undefined;
    try {
      reply = await transport(call);
      return reply;
    } finally {
      report({
        method: call.method,
        path: callPath(call.url),
        status: reply?.status,
        durationMs: nowMs() - startedMs,
        requestId: reply && requestIdOf(reply.headers),
      });
    }
  };

/** What a {@link withFaults} plan can do to the n-th call. */
export type TransportFault = 'refuse_connection' | 'lose_answer';

/** Breaks calls on purpose: before they are sent, or after the service has acted on them. */
export const withFaults = (
  transport: Transport,
  plan: (call: Call, count: number) => TransportFault | undefined,
): Transport => {
  let count = 0;
  return async (call) => {
    count += 1;
    const fault = plan(call, count);
    if (fault === 'refuse_connection')
      throw new ConnectionError('The connection was refused.', {
        delivery: 'not_sent',
        reason: 'ECONNREFUSED',
      });
    const reply = await transport(call);
    if (fault === 'lose_answer')
      throw new ConnectionError('The connection broke before the response arrived.', {
        delivery: 'unknown',
        reason: 'ECONNRESET',
      });
    return reply;
  };
};
