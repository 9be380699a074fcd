// Has the types of the published entry `@esign-cli/esign/service`. They are promises to programs; the service itself
// accepts and returns more, and says only what it adds. The types of the package need no other file (decision 0032).

export type ServiceOptions = {
  /** The store is in this folder, which is made when it is missing. Several processes may use one. */
  dataDir: string;
  /** The clock returns milliseconds since 1970; without it, the machine's clock counts. */
  clock?: () => number;
  /** The service is reached under this address, when that is not the store's own. */
  origin?: string;
  /** Events may be sent to the machine that this runs on; by default, while `origin` is loopback. */
  allowLoopbackReceivers?: boolean;
  /** It is called with unexpected errors, and with every failure of the storage. `id` is that of the request. */
  onError?: (error: unknown, id: string) => void;
};

export type Service = {
  /** Answers a web request to any of the operations. */
  fetch: (request: Request) => Promise<Response>;
  readonly origin: string;
  /** It is an access token of the store's own user, with every scope, and a secret. */
  ownToken: string;
  /** The operations under /_sandbox/ ask for this secret, in the header X-Esign-Control. */
  controlSecret: string;
  /** It is the store's own user. */
  sender: { name: string; email: string };
  /** Does what has become due by the clock: transactions expire. It ends early when it is aborted. */
  work: (signal?: AbortSignal) => Promise<void>;
  /** Sends what is due to its receivers, until nothing of it is left. */
  deliver: (options?: { withinMs?: number; signal?: AbortSignal }) => Promise<void>;
  /** Closes the store; closing again does nothing. Later calls reject with an error whose `name` is `ServiceClosed`. */
  close: () => Promise<void>;
};

export type ServeOptions = {
  host: string;
  /** With 0, the system chooses a free port. */
  port: number;
  /** It is called with each request that was answered; never with a query or a header, for they can carry a token. */
  onRequest?: (line: RequestLine) => void;
};

export type RequestLine = {
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId: string | undefined;
};

export type Serving = { url: string; close: () => Promise<void> };
