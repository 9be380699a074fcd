// Puts what belongs to one request on top of the parts of the service. The types below are what the stages of the pipeline pass on.
import { LIMITS } from '../../api/contract/limits.ts';
import type { Operation } from '../../api/contract/operation.ts';
import type { OperationId } from '../../api/contract/operations.ts';
import type { Call } from '../../api/transport.ts';
import { instantOf } from '../../common/instant.ts';
import type { RequestContext, Result, ServiceDeps, Upload, Visitor } from '../context.ts';
import type { Bearer } from '../store/accounts/accounts.ts';
import { isFromOwner } from './client-address.ts';

const TOKEN_BYTES = 32;

/**
 * The parts of the service are the prototype, because copying them for each request took a tenth of its time. A copy of the context
 * has only what belongs to the request.
 */
export function createContext(call: Call, deps: ServiceDeps): RequestContext {
  const { ids: newId, random, store } = deps;
  const { read, write: commit } = store.database;
  const now = instantOf(deps.clock.now());
  const own: Omit<RequestContext, keyof ServiceDeps> = {
    now,
    newId,
    newToken: () => Buffer.from(random(TOKEN_BYTES)).toString('base64url'),
    storeDeps: { now: () => now, newId, random },
    trace: call.headers.traceparent,
    read,
    cached: (_, __, fn) => read(fn),
    commit,
    get isFromOwner() {
      return deps.isSandbox && isFromOwner(call, deps);
    },
    get allowsLoopbackReceivers() {
      return deps.mayReachLoopback(own.isFromOwner);
    },
    get visitor() {
      return visitorOf(call);
    },
  };
  return Object.setPrototypeOf(own, deps);
}

/** Describes the visitor. The name of a browser is cut, because it is stored and shown. */
const visitorOf = ({ from, headers }: Call): Visitor => ({
  address: from ?? null,
  browser: headers['user-agent']?.slice(0, LIMITS.browserNameLength) ?? null,
});

/** It is the bearer of the token that was sent; empty where none is needed. */
export type Caller = Partial<Bearer>;

/** Each part of a request has the form that the operation wants. */
export type RequestParts = {
  params: unknown;
  query: unknown;
  body: unknown;
  form: unknown;
  upload?: Upload | undefined;
};

/** A replayed answer is the first one to the same Idempotency-Key. */
export type HandlerResult = Result<unknown> & { isReplayed?: true };

/** The request was read and its caller is known; its handler was not called yet. */
export type RoutedRequest = {
  call: Call;
  id: OperationId;
  operation: Operation;
  sent: RequestParts;
  caller: Caller;
};
