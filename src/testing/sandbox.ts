// What a sandbox for tests can do: the types of `@esign-cli/esign/testing`, declared in full, so that the types of the package need nothing else. Names of events,
// operations and faults come from the contract (`contract.ts`, generated).
import type {
  PingEvent,
  SandboxEvent,
  SandboxEventType,
  SandboxFaultKind,
  SandboxOperation,
  SandboxScope,
} from './contract.ts';

export type SandboxOptions = {
  /** The clock, in milliseconds since 1970; by default, that of the machine. `Date.now` follows the fake timers of test runners. */
  now?: () => number;
  /** The folder of the sandbox, which is kept. Without it, a new one is used, and removed by `close()`. */
  dataDir?: string;
  /** The port of `url`; by default, any free one. */
  port?: number;
  /** What the sandbox has at first: the path of a seed file, as for `esign sandbox seed`, or its content as a value. */
  seed?: string | SandboxSeed;
  /** Called with failures of background work, and with what causes an answer with a status of 500. */
  onError?: (error: unknown) => void;
};

/** A sandbox of its own: the complete service, with a clock that can be moved. */
export type Sandbox = {
  /**
   * The URL that it is served at, on this machine. It is served from the first time that this is read; until then, no port is
   * open. The requests of this process need none: see `fetch`.
   */
  readonly url: Promise<string>;
  /** The base URL of requests to `fetch`. It is that of `url` once the sandbox is served. */
  readonly origin: string;
  /** Answers a request in this process, without a port. A path such as `/user/me` is one of this service. */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** An access token of the sandbox's own user, or of the user with this email; with every scope, or with these. */
  token: (options?: { scopes?: readonly SandboxScope[]; user?: string }) => Promise<string>;
  /** The sandbox's own user, who sends transactions unless a token of another user is used. */
  readonly sender: { name: string; email: string };
  users: {
    add: (user: { name: string; email: string; company?: string; password?: string }) => Promise<SandboxUser>;
    list: () => Promise<SandboxUser[]>;
  };
  applications: {
    add: {
      (application: { name: string; callbackUrl: string; isPublic?: false }): Promise<SandboxApplication>;
      /** A public application has no client secret. Its callback URL begins with `http://127.0.0.1` or `http://[::1]`. */
      (application: {
        name: string;
        callbackUrl: string;
        isPublic: true;
      }): Promise<Omit<SandboxApplication, 'client_secret'>>;
    };
  };
  /**
   * Makes what a seed describes and the sandbox does not have yet, as `esign sandbox seed` does. Paths of documents are relative to
   * the file, or to the working directory of the process.
   * @throws an error that names the place of what is wrong; nothing was made then
   */
  seed: (seed: string | SandboxSeed) => Promise<SandboxSeeded[]>;
  /** What the `seed` of the options has made. */
  readonly seeded: readonly SandboxSeeded[];
  clock: SandboxClock;
  faults: SandboxFaults;
  /** Signs as the current recipient. Fields without a value, by label or ID, get a plausible one. */
  sign: (
    transactionId: string,
    options?: { as?: string; values?: Readonly<Record<string, string>> },
  ) => Promise<{ id: string; status: string }>;
  /** Rejects as the current recipient. */
  reject: (
    transactionId: string,
    options?: { as?: string; reason?: string },
  ) => Promise<{ id: string; status: string }>;
  /** Makes a started transaction expire now, whatever its time is. */
  expire: (transactionId: string) => Promise<{ id: string; status: string }>;
  mailbox: {
    /** The newest attempt comes first. */
    list: (filter?: { to?: string; transactionId?: string }) => Promise<SandboxMail[]>;
    /** The email as it would be sent (RFC 5322). */
    message: (id: string) => Promise<string>;
  };
  events: {
    /** In the order in which they happened. */
    list: <Type extends SandboxEventType = SandboxEventType>(filter?: {
      transactionId?: string;
      type?: Type;
    }) => Promise<SandboxEventOf<Type>[]>;
    /**
     * The first event of this type, also when it has happened already.
     * @throws an error that lists the types that were seen, after `timeoutMs`, by default 5000, of real time
     */
    waitFor: <Type extends SandboxEventType>(
      type: Type,
      options?: { transactionId?: string; timeoutMs?: number },
    ) => Promise<SandboxEventOf<Type>>;
    /** Starts a receiver of webhooks on this machine, and registers it for these types of events, by default for all. */
    receiver: (options?: { types?: readonly SandboxEventType[] }) => Promise<SandboxReceiver>;
    /**
     * Hands deliveries to the program under test as they come, with their signature: to a URL on this machine, also without TLS, or to a
     * function. They are tried again, as by any sender, while that answers with another status than 2xx, cannot be reached or throws.
     */
    forwardTo: (
      target: SandboxForwardTarget,
      options?: { types?: readonly SandboxEventType[] },
    ) => Promise<SandboxReceiver>;
  };
  /** Saves the state of everything, for `reset`. */
  snapshot: () => Promise<SandboxSnapshot>;
  /** Empties the sandbox, or puts it back into a saved state. URL and keys stay. */
  reset: (to?: SandboxSnapshot) => Promise<void>;
  /** Ends everything that it has started, and removes its folder. Closing again does nothing. */
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** What `docs/testing.md` describes. Only what a thing needs is required. */
export type SandboxSeed = {
  users?: { name: string; email: string; company?: string; password?: string }[];
  applications?: { name: string; callback_url: string; public?: boolean }[];
  templates?: SandboxSeedContent[];
  webhooks?: { name: string; endpoint: string; events?: string[]; user?: string }[];
  transactions?: (SandboxSeedContent & {
    templates?: string[];
    notify?: string;
    /** By default, `started`. */
    state?: 'draft' | 'started' | 'completed' | 'rejected' | 'cancelled' | 'expired';
    /** How many recipients sign first. */
    signed?: number;
    /** What recipients fill in: by email, then by label. */
    values?: Record<string, Record<string, string>>;
    reason?: string;
  })[];
};

export type SandboxSeedContent = {
  name: string;
  /** The email of the user who sends it; by default, the sandbox's own user. */
  user?: string;
  files?: string[];
  /** `Name <email>`, in signing order. */
  to?: string[];
  /** As `tx send --field` takes them, or objects as in a file for `--fields`. */
  fields?: (string | Record<string, unknown>)[];
  description?: string;
  subject?: string;
  message?: string;
  alias?: string;
  /** Days. */
  expires?: number;
};

/** `secrets` are those of an application or a webhook, when it was created. */
export type SandboxSeeded = {
  kind: 'user' | 'application' | 'template' | 'webhook' | 'transaction';
  name: string;
  result: 'created' | 'continued' | 'unchanged';
  id: string;
  /** Of a transaction. */
  status?: string;
  secrets?: Record<string, string>;
};

export type SandboxClock = {
  now: () => Promise<Date>;
  /** Jumps, forward or back. What became due meanwhile happens afterwards. */
  set: (to: Date | string | number) => Promise<void>;
  /**
   * Moves forward, by a duration such as `30d` or by milliseconds. Everything that becomes due happens at its time, in order; it
   * has happened when this resolves.
   */
  advance: (by: string | number) => Promise<{ now: Date; fired: SandboxFired[] }>;
  /** Stops, where it is or at a time. */
  pauseAt: (at?: Date | string | number) => Promise<void>;
  /** Runs on from where it is. */
  resume: () => Promise<void>;
  /** Returns to the time of the machine, or of `now`. */
  reset: () => Promise<void>;
};

/** What fails on purpose. `reset()` removes it. */
export type SandboxFaults = {
  /**
   * @param operation what fails; `*` for the kinds that meet what the service sends
   * @param kind what goes wrong. A wire fault makes `fetch` reject with the error of a broken connection
   */
  add: (
    operation: SandboxOperation,
    kind: SandboxFaultKind,
    options?: SandboxFaultOptions,
  ) => Promise<SandboxFault>;
  /** Those that were met as often as they were to be stay in the list. */
  list: () => Promise<SandboxFault[]>;
  clear: () => Promise<void>;
};

/** Without `count` and `probability`, a fault is met each time. */
export type SandboxFaultOptions = {
  count?: number;
  /** From 0 to 1. The same `seed` gives the same sequence. */
  probability?: number;
  seed?: number;
  /** A duration such as `2s`, or milliseconds, as is `jitter`. */
  latency?: string | number;
  jitter?: string | number;
  /** Seconds. */
  retryAfter?: number;
  /** How much of a body `limit_data` sends; by default, half of it. */
  bytes?: number;
};

/** `hits` counts how often it was met. */
export type SandboxFault = {
  id: string;
  operation: SandboxOperation;
  kind: SandboxFaultKind;
  count: number | null;
  probability: number | null;
  seed: number | null;
  latency: number | null;
  jitter: number | null;
  retry_after: number | null;
  bytes: number | null;
  hits: number;
};

/** Something that happened because its time had come. `id` is that of the event or the email. */
export type SandboxFired = {
  type: 'transaction_expired' | 'delivery_attempted';
  at: string;
  transaction_id: string;
  id: string;
  attempt: {
    kind: 'webhook' | 'notification' | 'mail';
    endpoint: string;
    ok: boolean;
    status: number | null;
    why: string | null;
    next_at: string | null;
  } | null;
};

/** The event of a type. */
export type SandboxEventOf<Type extends SandboxEventType> = Extract<SandboxEvent, { type: Type }>;

export type SandboxUser = { id: string; name: string; email: string; company: string };

export type SandboxApplication = {
  id: string;
  name: string;
  callback_url: string;
  client_id: string;
  client_secret: string;
  notification_secret: string;
};

/** `from` and `to` are written `Name <address>`; `body` is plain text. */
export type SandboxMail = {
  id: string;
  transaction_id: string;
  kind: string;
  created: string;
  from: string;
  to: string;
  subject: string;
  body: string;
};

export type SandboxReceiver = {
  readonly url: string;
  /** What deliveries are signed with (Standard Webhooks). */
  readonly secret: string;
  /** Each delivery that came, also those that were refused. */
  readonly received: readonly SandboxDelivery[];
  /** Answers the next deliveries with this status, by default only the next one; after them again with 204. */
  fail: (options?: { status?: number; times?: number }) => void;
  close: () => Promise<void>;
};

/** A function may return a `Response`, whose status is the answer to the delivery; anything else is taken for 204. */
export type SandboxForwardTarget = string | URL | ((delivery: Omit<SandboxDelivery, 'status'>) => unknown);

/** `status` is what the receiver answered. */
export type SandboxDelivery = {
  headers: Record<string, string>;
  body: string;
  /** A `ping` comes only where the program under test asks for one. */
  event: SandboxEvent | PingEvent;
  status: number;
};

export type SandboxSnapshot = { readonly name: string };
