// Defines what a handler receives (the caller, the time, the store, a way to read and a way to commit) and what it returns.

import type { InsideReceivers } from '../api/contract/egress.ts';
import type { Operation, Output, Parsed, Scope } from '../api/contract/operation.ts';
import type { OperationId, OperationTable } from '../api/contract/operations.ts';
import {
  type FactlessCode,
  type FieldError,
  type ProblemCode,
  type ProblemFacts,
  type Refusal,
  type RefusalOf,
  refusal,
} from '../api/contract/problems.ts';
import type { ChangedIds, Isolation } from '../database/database.ts';
import type { DocumentEngine } from '../pdf/engine/engine.ts';
import type { DecisionContext } from './domain/transaction.ts';
import type { MailSettings } from './mail/settings.ts';
import type { Observer } from './observer.ts';
import type { AttemptResult } from './outbox/attempt.ts';
import type { SandboxClock } from './sandbox/clock.ts';
import type { SandboxFaults } from './sandbox/faults.ts';
import type { SealingService } from './sealing/sealing-source.ts';
import type { User } from './store/accounts/accounts.ts';
import type { Passwords } from './store/accounts/passwords.ts';
import type { Spooled } from './store/blobs/blobs.ts';
import type { Webhook } from './store/delivery/webhooks.ts';
import type { Fired } from './store/sandbox/clock.ts';
import type { Db } from './store/schema.ts';
import type { Store, StoreDeps } from './store/store.ts';

/** `encoded` is the output as it goes over the wire, where it is known already. */
export type Result<T> = { ok: true; output: T; encoded?: Uint8Array } | { ok: false; refusal: Refusal };

export const ok = <T>(output: T): Result<T> => ({ ok: true, output });

type Refused<C extends ProblemCode> = { ok: false; refusal: RefusalOf<C> };

export function refuse<C extends FactlessCode>(
  code: C,
  details?: ProblemFacts[C],
  errors?: FieldError[],
): Refused<C>;
export function refuse<C extends ProblemCode>(
  code: C,
  details: ProblemFacts[C],
  errors?: FieldError[],
): Refused<C>;
export function refuse<C extends ProblemCode>(
  code: C,
  details: ProblemFacts[C],
  errors?: FieldError[],
): Refused<C> {
  return { ok: false, refusal: refusal(code, details, errors) };
}

export type Visitor = { address: string | null; browser: string | null };

/** A process runs one submission at a time for each transaction (`signing/submissions.ts`). */
export type Submissions = {
  /** Refuses with `submission_under_way`, at once, where the transaction is being submitted already. */
  run<T>(id: string, submit: () => Promise<Result<T>>): Promise<Result<T>>;
  /** Runs it for a page: resolves with `under_way` when it takes longer than a person waits, and continues in the background. */
  runBehindPage<T>(id: string, submit: () => Promise<Result<T>>): Promise<Result<T> | 'under_way'>;
  /** Tells whether this node or another one is submitting the transaction. */
  isUnderWay(id: string): Promise<boolean>;
  /** @returns why the last submission of the transaction was refused */
  refusalOf(id: string): Refusal | undefined;
  /** Resolves when no submission is under way any more. */
  settled(): Promise<void>;
};

/** All requests and the work in the background share these parts of a service. */
export type ServiceDeps = {
  store: Store;
  /** Opens, draws and converts documents. It is replaced when the service is put on a port. */
  readonly documents: DocumentEngine;
  passwords: Passwords;
  /** Seals documents. This is slow, and outside of any commit. */
  sealing: SealingService;
  submissions: Submissions;
  /** Runs work in the background. Its failure is ignored; closing the service waits for it. */
  inBackground(work: Promise<unknown>): void;
  /** Sends a message of the type `ping` to a webhook. This is slow, and outside of any commit. */
  ping(webhook: Webhook): Promise<AttemptResult>;
  /** The service is reached at this address; signing addresses begin with it. */
  readonly origin: string;
  /** Other machines can reach the service, by its address or by the one that it listens on (decision 0038). */
  readonly isOpenToOthers: boolean;
  /** It listens on loopback, and others reach it at another address: each connection may be that of a proxy on this machine. */
  readonly isProxied: boolean;
  /** Requests may name these hosts beside that of the origin. */
  allowedHosts: readonly string[];
  /** They say where mail comes from, and whether it leaves the service. */
  readonly mail: MailSettings;
  /** Only a sandbox can move the clock of the service. */
  clock: SandboxClock;
  /** They fail on purpose. Only a sandbox can have any. */
  faults: SandboxFaults;
  /**
   * Moves the clock forward, and does what becomes due on the way.
   * @param to computes the new time from the time by the clock, both in milliseconds since 1970; it must not be smaller
   */
  advance(to: (nowMs: number) => number): Promise<Fired>;
  ids: () => string;
  random: (bytes: number) => Uint8Array;
  /**
   * It is false for a team server, which has no control operations, and no request counts as that of the owner of the
   * machine.
   */
  isSandbox: boolean;
  /** Tells whether events may be sent to the machine that this service runs on, when this caller asks for it. */
  mayReachLoopback: (isFromOwner: boolean) => boolean;
  /** Events may be sent to these in the network of the service. */
  insideReceivers: InsideReceivers;
  /** Every answer is checked against the contract, and a wrong one becomes a 500. It is on in every test. */
  validateResponses: boolean;
  /** Receives the beginning and the end of requests, seals and deliveries. */
  observer: Observer;
  /** Receives unexpected errors, with the request or the work that it happened in (`ServiceOptions`). */
  onError: (error: unknown, id: string, traceId?: string) => void;
  /** The signal is aborted when the service closes. */
  closing: AbortSignal;
};

/** A handler gets the parts of the service, and what belongs to one request alone. */
export type RequestContext = ServiceDeps &
  DecisionContext & {
    storeDeps: StoreDeps;
    /** It has network address and browser of the sender, as the request states them. A client can forge both. */
    readonly visitor: Visitor;
    /** Work that the request causes is traced with its `traceparent`. */
    trace: string | undefined;
    /** The request comes from the machine that this service runs on, or from the process itself (`client-address.ts`). */
    readonly isFromOwner: boolean;
    /** Events may be sent to the machine that this service runs on. */
    readonly allowsLoopbackReceivers: boolean;
    /** Reads a consistent snapshot. */
    read<T>(fn: (db: Db) => Promise<T>): Promise<T>;
    /** Reads a snapshot that is kept in memory until `about` changes; the result must not be changed. */
    cached<T>(about: string, key: string, fn: (db: Db) => Promise<T>): Promise<T>;
    /**
     * Changes something, which nothing else does: it is durable when this resolves, and answered from memory when the
     * request repeats an Idempotency-Key. What is written before a refusal stays: only an expiry that was due is.
     * @param changes the ids of the transactions that it changes, where nothing else that is cached can change by it
     * @param isolation `locked` where it locks the transaction before it reads it
     */
    commit<T>(
      fn: (db: Db) => Promise<Result<T>>,
      changes?: ChangedIds,
      isolation?: Isolation,
    ): Promise<Result<T>>;
  };

/** The call came with an access token. */
export type UserContext = RequestContext & { user: User; client_id: string; scopes: Scope[] };

/** The file came with the request, and is on disk. Its name is display text and nothing else. */
export type Upload = { name: string; spooled: Spooled };

export type UploadContext = UserContext & { upload: Upload };

type ContextFor<O extends Operation> = O['multipart'] extends object
  ? UploadContext
  : O['access'] extends { scope: Scope } | 'user'
    ? UserContext
    : RequestContext;

export type Handler<K extends OperationId> = (
  context: ContextFor<OperationTable[K]>,
  input: Parsed<OperationTable[K]>,
) => Promise<Result<Output<OperationTable[K]>>>;

type HandlersById = { [K in keyof OperationTable]: Handler<K> };

/** A resource is the first word of the id of an operation: `transaction` in `transaction.create`. */
export type Resource = OperationId extends `${infer R}.${string}` ? R : never;

/** A handler that is missing does not compile. */
export type Handlers<R extends Resource> = Pick<HandlersById, Extract<OperationId, `${R}.${string}`>>;
