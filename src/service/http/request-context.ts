// Builds the context of one request. Parts that few handlers need are created on first use. The types below are what the stages of the pipeline
// pass on.
import type { InsideReceivers } from '../../api/contract/egress.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { Operation } from '../../api/contract/operation.ts';
import type { OperationId } from '../../api/contract/operations.ts';
import type { Call } from '../../api/transport.ts';
import { type Instant, instantOf } from '../../common/instant.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { RequestContext, Result, Submissions, Upload, Visitor } from '../context.ts';
import type { DecisionFacts } from '../domain/transaction.ts';
import type { MailSettings } from '../mail/settings.ts';
import type { Observer } from '../observer.ts';
import type { SandboxClock } from '../sandbox/clock.ts';
import type { SandboxFaults } from '../sandbox/faults.ts';
import type { SealingService } from '../sealing/sealing-source.ts';
import type { Bearer } from '../store/accounts/accounts.ts';
import type { Passwords } from '../store/accounts/passwords.ts';
import type { Store, StoreFacts } from '../store/store.ts';
import { isFromOwner } from './client-address.ts';

type ContextOptions = {
  store: Store;
  documents: () => DocumentEngine;
  origin: () => string;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** The same clock, as what moves it sees it. */
  sandboxClock: SandboxClock;
  sandboxFaults: SandboxFaults;
  advance: RequestContext['advance'];
  ids: () => string;
  random: (bytes: number) => Uint8Array;
  passwords: Passwords;
  /** Whether events may be sent to the machine that this service runs on, when this caller asks for it. */
  allowsLoopbackReceivers: (isFromOwner: boolean) => boolean;
  insideReceivers: InsideReceivers;
  /** False for a team server: it has no control operations, and no request counts as that of the owner of the machine. */
  isSandbox: boolean;
  inBackground: RequestContext['inBackground'];
  ping: RequestContext['ping'];
  sealing: SealingService;
  submissions: Submissions;
  mail: () => MailSettings;
};

const TOKEN_BYTES = 32;

export class PlainContext implements RequestContext {
  readonly now: Instant;
  readonly store: Store;
  readonly origin: string;
  readonly read: RequestContext['read'];
  readonly cached: RequestContext['cached'];
  readonly commit: RequestContext['commit'];
  readonly #options: ContextOptions;
  readonly #call: Call;
  #facts: DecisionFacts | undefined;

  constructor(call: Call, options: ContextOptions) {
    const { store } = options;
    this.now = instantOf(options.clock());
    this.store = store;
    this.origin = options.origin();
    this.read = store.database.read;
    this.cached = (_, __, fn) => store.database.read(fn);
    this.commit = store.database.write;
    this.#options = options;
    this.#call = call;
  }

  get facts(): DecisionFacts {
    const { ids, random } = this.#options;
    this.#facts ??= {
      now: this.now,
      newId: ids,
      newToken: () => Buffer.from(random(TOKEN_BYTES)).toString('base64url'),
    };
    return this.#facts;
  }

  get isFromOwner(): boolean {
    return this.#options.isSandbox && isFromOwner(this.#call, this.origin);
  }

  get clock(): SandboxClock {
    return this.#options.sandboxClock;
  }

  get faults(): SandboxFaults {
    return this.#options.sandboxFaults;
  }

  advance: RequestContext['advance'] = (to) => this.#options.advance(to);

  get isSandbox(): boolean {
    return this.#options.isSandbox;
  }

  get allowsLoopbackReceivers(): boolean {
    return this.#options.allowsLoopbackReceivers(this.isFromOwner);
  }

  get insideReceivers(): InsideReceivers {
    return this.#options.insideReceivers;
  }

  get documents(): DocumentEngine {
    return this.#options.documents();
  }

  /** What a browser says of itself is cut: it is written down and shown. */
  get visitor(): Visitor {
    const { from, headers } = this.#call;
    return {
      address: from ?? null,
      browser: headers['user-agent']?.slice(0, LIMITS.browserNameLength) ?? null,
    };
  }

  get trace(): string | undefined {
    return this.#call.headers.traceparent;
  }

  get passwords(): Passwords {
    return this.#options.passwords;
  }

  get mail(): MailSettings {
    return this.#options.mail();
  }

  get sealing(): SealingService {
    return this.#options.sealing;
  }

  get submissions(): Submissions {
    return this.#options.submissions;
  }

  inBackground: RequestContext['inBackground'] = (work) => this.#options.inBackground(work);

  ping: RequestContext['ping'] = (webhook) => this.#options.ping(webhook);

  get storeFacts(): StoreFacts {
    const { ids, random } = this.#options;
    return { now: () => this.now, newId: ids, random };
  }
}

export type PipelineOptions = ContextOptions & {
  /** Checks every answer against the contract; a wrong one becomes a 500. On in every test. */
  validateResponses: boolean;
  /** Names of hosts that requests may have beside that of the origin. */
  allowedHosts: readonly string[];
  /** @param traceId of the trace that the request belongs to, if any */
  onError: (error: unknown, requestId: string, traceId?: string) => void;
  /** Aborted when the service closes. */
  closing: AbortSignal;
  /** Receives the beginning and the end of each request. */
  observer: Observer;
};

/** The bearer of the token that was sent; empty where none is needed. */
export type Caller = Partial<Bearer>;

/** Each part of a request is as the operation wants it. */
export type RequestParts = {
  params: unknown;
  query: unknown;
  body: unknown;
  form: unknown;
  upload?: Upload | undefined;
};

/** `isReplayed`: it is the first answer to the same Idempotency-Key, again. */
export type HandlerResult = Result<unknown> & { isReplayed?: true };

/** A request before its operation is asked. */
export type RoutedRequest = {
  call: Call;
  id: OperationId;
  operation: Operation;
  sent: RequestParts;
  caller: Caller;
};
