// Makes the one error that programs see of the errors inside.
import { ApiError, PathError } from '../api/codec.ts';
import { CODE_OF_FAILURE, ConnectionError } from '../api/transport.ts';
import { EsignError } from './errors.ts';

/** Everything else, such as the reason of a signal, stays as it is. */
export function publicError(operation: string, error: unknown): unknown {
  if (error instanceof ApiError) {
    const { message, code, errors, requestId, waitMs, problem } = error;
    return new EsignError(message, {
      code,
      status: error.status === 0 ? undefined : error.status,
      problem,
      requestId,
      fields: errors,
      retryAfterMs: Number.isNaN(waitMs) ? undefined : waitMs,
      delivery: 'answered',
      operation,
    });
  }
  if (error instanceof PathError) return new EsignError(error.message, { code: 'id_invalid', operation });
  if (!(error instanceof ConnectionError)) return error;
  const { message, kind, delivery, cause } = error;
  return new EsignError(message, { code: CODE_OF_FAILURE[kind], delivery, operation, cause });
}
