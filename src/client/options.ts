// The options of the client and of a single call.

/**
 * Returns the access token. It is called for each request, and again after a response 401, with the token that was refused: it
 * then returns another token, or the same one when there is no other.
 */
export type TokenSource = (refused?: string) => string | Promise<string>;

/** Sends a request, like the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request that is about to be sent again. */
export type Retry = {
  /** What happened, as a clause: `the service answered with status 503`. */
  why: string;
  waitMs: number;
  /** The attempt that comes, from 2. */
  attempt: number;
  attempts: number;
};

export type ClientOptions = {
  /** The address of the service: https, or http for this machine. Paths such as `/v1/transaction` are added to it. */
  baseUrl: string;
  /** The access token, or a function that returns it. Without one, only operations that need none can be called. */
  token?: string | TokenSource | undefined;
  /** The control secret of a sandbox, for the methods of `sandbox`. `esign sandbox token --control` prints it. */
  controlSecret?: string | undefined;
  /** Sends requests in place of the global `fetch`. It must not follow redirects when `redirect` is `manual`. */
  fetch?: Fetch | undefined;
  /**
   * The service honors `Idempotency-Key`, as esign's own service does. A key is then sent with each operation that knows one, so
   * that the request can be repeated without harm. Default: false.
   */
  idempotencyKeys?: boolean | undefined;
  /** How often a failed request is sent again, at most. Default: 3. */
  maxRetries?: number | undefined;
  /**
   * How long a response may take to begin, and from each part of it to the next, in milliseconds. Default: 60,000, and 900,000
   * where the service processes documents before it responds.
   */
  timeoutMs?: number | undefined;
  /** Routes of a service that differ from the contract: `{ 'transaction.cancel': 'POST /v1/transaction/{transactionId}/cancellation' }`. */
  routes?: Readonly<Record<string, string>> | undefined;
  /** Called before a request is sent again. */
  onRetry?: ((retry: Retry) => void) | undefined;
};

/** What can be chosen for a single call. */
export type CallOptions = {
  /** Ends the call: the promise rejects with the reason of the signal. The service may have acted on the request. */
  signal?: AbortSignal | undefined;
  /** Sent as `Idempotency-Key`, and makes the request repeatable. Use it only for a service that honors it. */
  idempotencyKey?: string | undefined;
  /** As in {@link ClientOptions}, for this call. */
  timeoutMs?: number | undefined;
  /** As in {@link ClientOptions}, for this call. */
  maxRetries?: number | undefined;
};

/** The content of a file to upload. A stream is read into memory first, so that the request can be repeated. */
export type FileContent = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;
