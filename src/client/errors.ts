// Defines the only error that the client throws. Its codes are those of the command line and of the service.
import type { ProblemCode } from './contract.ts';

/** Codes of errors that do not come from the service. */
export type ClientErrorCode =
  | 'address_invalid'
  | 'answer_incomplete'
  | 'answer_timeout'
  | 'answer_too_large'
  | 'answer_unreadable'
  | 'certificate_refused'
  | 'connection_failed'
  | 'id_invalid'
  | 'option_invalid'
  | 'proxy_failed'
  | 'redirected'
  | 'tls_failed'
  | 'token_missing'
  | 'webhook_body_invalid'
  | 'webhook_headers_invalid'
  | 'webhook_secret_invalid'
  | 'webhook_signature_invalid'
  | 'webhook_timestamp_invalid';

/** A value of the request that the service refused. */
export type WrongValue = {
  /** Where the value is: `recipients.0.email`. */
  path: string;
  /** What is wrong with it. */
  message: string;
};

/** The facts of an {@link EsignError}. */
export type ErrorFacts = {
  code: string;
  status?: number | undefined;
  problem?: Record<string, unknown> | undefined;
  requestId?: string | undefined;
  fields?: readonly WrongValue[] | undefined;
  retryAfterMs?: number | undefined;
  delivery?: 'not_sent' | 'unknown' | 'answered' | undefined;
  operation?: string | undefined;
  cause?: unknown;
};

/** Why a call failed: the service refused it, no usable response came, or the call itself was wrong. */
export class EsignError extends Error {
  override readonly name: string = 'EsignError';
  /** A stable word: {@link ProblemCode}, {@link ClientErrorCode}, or a code of another service (`http_418` where it has none). */
  readonly code: ProblemCode | ClientErrorCode | (string & {});
  /** The status of the response. Undefined where none came. */
  readonly status: number | undefined;
  /** The body of the response, where it is an object: `application/problem+json` (RFC 9457) from esign's own service. */
  readonly problem: Record<string, unknown> | undefined;
  /** The ID under which the service logs the request. */
  readonly requestId: string | undefined;
  /** The values that the service refused. */
  readonly fields: readonly WrongValue[];
  /** How long the service asks to wait before the next request, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /**
   * What is known of the request: `answered`; `not_sent`, the service has not seen it; `unknown`, the service may have acted on it.
   * Undefined where no request was made.
   */
  readonly delivery: 'not_sent' | 'unknown' | 'answered' | undefined;
  /** The operation: `transaction.create`. */
  readonly operation: string | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status;
    this.problem = facts.problem;
    this.requestId = facts.requestId;
    this.fields = facts.fields ?? [];
    this.retryAfterMs = facts.retryAfterMs;
    this.delivery = facts.delivery;
    this.operation = facts.operation;
  }
}
