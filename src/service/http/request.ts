// Types that the stages of the pipeline pass on.
import type { Operation } from '../../api/contract/operation.ts';
import type { OperationId } from '../../api/contract/operations.ts';
import type { Call } from '../../api/transport.ts';
import type { Result, Upload } from '../context.ts';
import type { Observer } from '../observer.ts';
import type { Bearer } from '../store/accounts.ts';
import type { ContextOptions } from './request-context.ts';

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

/** The parts of a request, each as the operation wants it. */
export type RequestParts = {
  params: unknown;
  query: unknown;
  body: unknown;
  form: unknown;
  upload?: Upload | undefined;
};

/** What a handler answered. `isReplayed`: the first answer to the same Idempotency-Key, again. */
export type HandlerResult = Result<unknown> & { isReplayed?: true };

/** All that is known of a request before its operation is asked. */
export type RoutedRequest = {
  call: Call;
  id: OperationId;
  operation: Operation;
  sent: RequestParts;
  caller: Caller;
};
