// How a call travels. A remote service and the embedded one have the same shape, and what is added to every call (the token, a trace, a fault in a
// test) is a function from Transport to Transport. Then the time limits, the words for what kept an answer from coming, and the way to and from the
// web's Request and Response. Runs wherever `fetch` runs.

/**
 * A request in plain data. The web's Request and Response are not used on the way: loading them costs a command half
 * of what Node itself takes to start (decision 0003); `fetchOver` and `transportOver` turn one into the other.
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
  /** Makes a signal that is aborted when the client goes away before it has the answer. A server makes it where a call may take long. */
  watchClient?: (() => AbortSignal) | undefined;
};

export type OnSent = (sentBytes: number, totalBytes: number) => void;

/** A stream is read once. */
export type Body = string | Uint8Array | AsyncIterable<Uint8Array>;

/** A fault by which the connection breaks an answer on purpose. `afterBytes` counts those of the body; undefined is half of it. */
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
  /** It comes in place of the body, where the call asks for a stream. */
  stream?: ReadableStream<Uint8Array> | undefined;
  /** The ID of the trace that the call belongs to, for logs. It does not travel. */
  traceId?: string | undefined;
  /** The fault that the connection makes of it. It does not travel. */
  wireFault?: WireFault | undefined;
};

export type Transport = (call: Call) => Promise<Reply>;

/** The reason for which no answer came. */
type ConnectionFailure =
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

type ConnectionFacts = {
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
  /** The token that is sent along. */
  token(): Promise<string> | string;
  /** Called once, after a 401, for another token in place of the refused one. */
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

/** Services and proxies name the ID of a request by one of these headers. */
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

const SECOND_MS = 1000;
const MEGABYTE = 1024 * 1024;

/** Time limits and retry intervals for remote services. */
export const TIMEOUTS = {
  /** Each of name, connection, tunnel and TLS. */
  connectMs: 10 * SECOND_MS,
  /** Until the answer begins, and from each piece of it to the next; ESIGN_TIMEOUT says otherwise. */
  answerMs: 60 * SECOND_MS,
  /** Where the service works on documents first, this is longer than a busy service needs, which has a bound for it. */
  longAnswerMs: 900 * SECOND_MS,
  answerMsMax: 3600 * SECOND_MS,
  /** The time of a whole call that is brief, with the connection. */
  briefMs: 3 * SECOND_MS,
  /** The time from the first piece of an answer to its last. */
  wholeAnswerMs: 600 * SECOND_MS,
  answerBytes: 64 * MEGABYTE,
  /** Shorter than what servers commonly have, so that no request meets a connection that is being closed. */
  keepAliveMs: 2 * SECOND_MS,
  /** A body is handed to the socket in pieces of this size, so that progress can be seen. */
  pieceBytes: 64 * 1024,

  attempts: 4,
  /** The longest first pause between two attempts; it doubles with each. */
  pauseMs: 250,
  pauseMsMax: 8 * SECOND_MS,
  /** A service that asks for a longer pause is not asked again. */
  retryAfterMsMax: 60 * SECOND_MS,
  /** No attempt begins later than this after the first one began. */
  attemptsMs: 180 * SECOND_MS,
} as const;

/** The setting of the user decides how long the answer may take, otherwise the kind of call. */
export const answerMsFor = (call: { isLong?: true | undefined }, setMs: number | undefined): number =>
  setMs ?? (call.isLong ? TIMEOUTS.longAnswerMs : TIMEOUTS.answerMs);

/** undici wraps the system's error; a host with several addresses wraps one per address. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  const { code, errors } = cause as Error & { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  if (errors?.length) return reasonOf(errors[0]);
  return cause.cause === undefined ? 'unknown' : reasonOf(cause.cause);
}

const UNKNOWN_AUTHORITY = 'was issued by a certificate authority that this machine does not trust';

/** Faults of certificates by the names of OpenSSL and Node. */
const CERTIFICATE_FAULTS: Record<string, string> = {
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed, and this machine does not trust it',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet; the clock of this machine may be wrong',
  CERT_REVOKED: 'was revoked',
  CERT_UNTRUSTED: 'is not trusted',
  CERT_REJECTED: 'was rejected',
  CERT_SIGNATURE_FAILURE: 'has an invalid signature',
  CERT_CHAIN_TOO_LONG: 'has a certificate chain that is too long',
  INVALID_CA: 'was not issued by a certificate authority',
  INVALID_PURPOSE: 'is not intended for a server',
  HOSTNAME_MISMATCH: 'is for another host name',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};

export const isAboutTls = (reason: string): boolean =>
  Object.hasOwn(CERTIFICATE_FAULTS, reason) || /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(reason);

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * @property isUnsent the service cannot have seen it
 * @property isOver the caller does not wait any longer
 */
type RequestFacts = { isUnsent: boolean; isOver: boolean };

/** Says what kept an answer from coming. @param cause the error of undici, or of `fetch` */
export function connectionErrorOf(cause: unknown, url: URL, { isUnsent, isOver }: RequestFacts): Error {
  if (cause instanceof ConnectionError) return cause;
  const isGarbled = isNamed(cause, 'HTTPParserError');
  const reason = isGarbled ? 'NOT_HTTP' : reasonOf(cause);
  const facts = { delivery: isUnsent ? ('not_sent' as const) : ('unknown' as const), reason, cause };
  const fault = Object.hasOwn(CERTIFICATE_FAULTS, reason) ? CERTIFICATE_FAULTS[reason] : undefined;
  if (fault !== undefined)
    return new ConnectionError(`The certificate of ${url.host} ${fault} (${reason}).`, {
      ...facts,
      kind: 'certificate',
      isWorthAnotherTry: false,
    });
  if (isAboutTls(reason))
    return new ConnectionError(`The TLS connection to ${url.host} could not be established (${reason}).`, {
      ...facts,
      kind: 'tls',
      isWorthAnotherTry: false,
    });
  if (isGarbled)
    return new ConnectionError(`The response of ${url.origin} is not HTTP.`, {
      ...facts,
      kind: 'answer_unreadable',
      isWorthAnotherTry: false,
    });
  return new ConnectionError(`${url.origin} did not respond (${reason}).`, {
    ...facts,
    ...(isOver && { isWorthAnotherTry: false }),
    ...(TIMEOUT_CODES.has(reason) && { kind: 'timeout' as const }),
  });
}

/** `fetch` wraps the errors of the connection below it. */
function isNamed(cause: unknown, name: string): boolean {
  return cause instanceof Error && (cause.name === name || isNamed(cause.cause, name));
}

export const tooLargeAnswer = (origin: string): ConnectionError =>
  new ConnectionError(
    `The response of ${origin} is larger than ${TIMEOUTS.answerBytes / 1024 / 1024} MiB. The rest was not read.`,
    { delivery: 'unknown', reason: 'TOO_LARGE', kind: 'answer_too_large', isWorthAnotherTry: false },
  );

export const endlessAnswer = (origin: string): ConnectionError =>
  new ConnectionError(`The response of ${origin} does not end. The rest was not read.`, {
    delivery: 'unknown',
    reason: 'ENDLESS',
    kind: 'timeout',
  });

export type WebTransport = (request: Request) => Promise<Response>;

/** @returns what answers a Request by calling the transport */
export const fetchOver =
  (transport: Transport): WebTransport =>
  async (request) => {
    const { status, headers, body } = await transport(callOf(request));
    const isSent = request.method !== 'HEAD' && body.length > 0;
    return new Response(isSent ? (body as Uint8Array<ArrayBuffer> | string) : null, { status, headers });
  };

const callOf = (request: Request): Call => ({
  method: request.method,
  url: request.url,
  headers: Object.fromEntries(request.headers),
  body: request.body ?? undefined,
});

/** @returns a transport that makes a Request of each call and hands it to `fetch` */
export const transportOver =
  (fetch: WebTransport): Transport =>
  async ({ url, method, headers, body }) => {
    const init: RequestInit = {
      method,
      headers,
      ...(body !== undefined && { body: body as never, duplex: 'half' }),
    };
    const response = await fetch(new Request(url, init));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };
