// Sends a request that must be sent only once. When its answer is lost, it asks the service for the result before the
// command reports anything; it never sends the request again blindly.
import type { ApiError } from '../../api/codec.ts';
import type { ReceivedTransaction } from '../../api/contract/received.ts';
import type { ConnectionError } from '../../api/transport.ts';
import type { NextStep } from '../command/error-row.ts';
import { type CliError, cliError, PartialFailure } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Connection } from '../connection/connection.ts';
import { outcomeOf } from './view.ts';

/** Whether the service may have acted on a request that ended like this. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error.name === 'CliError') return false;
  if (error.name === 'ConnectionError') return (error as ConnectionError).delivery === 'unknown';
  if (error.name !== 'ApiError') return true;
  const { status } = error as ApiError;
  return status < 300 || (status >= 500 && status !== 503);
}

export type SendOnceOptions<T> = {
  transactionId: string;
  send(): Promise<T>;
  /** The statuses which show that it did not happen. */
  before: readonly string[];
  /** The statuses which show that it did. */
  after: readonly string[];
  /** The next commands for a person who has to check the result, or try again. */
  next: readonly NextStep[];
};

/**
 * Sends a request once.
 * @returns the answer; undefined when it was lost and the transaction shows that the request was carried out
 * @throws PartialFailure with exit 10 when it may or may not happen still
 */
export async function sendOnce<T>({ client }: Connection, once: SendOnceOptions<T>): Promise<T | undefined> {
  const { transactionId, next } = once;
  try {
    return await once.send();
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    if (error instanceof Error && error.name === 'Interrupted') throw error;
    const transaction = await client['transaction.detail']({ params: { transactionId } }).catch(
      () => undefined,
    );
    const outcome = transaction && outcomeOf(transaction);
    if (outcome !== undefined && once.after.includes(outcome)) return undefined;
    if (transaction && outcome !== undefined && !once.before.includes(outcome))
      throw endedOtherwise(transaction, outcome);
    const hint =
      outcome === undefined
        ? 'It is not known whether it happened: the transaction could not be read either.'
        : `The transaction is still ${outcome === 'draft' ? 'a draft' : outcome}, but the service may act on the request later.`;
    throw new PartialFailure(error, { partial: { id: transactionId }, exit: EXIT.partly, hint, next });
  }
}

/** @param action what only a started transaction can be: `cancelled` */
export function mustBeStarted(transaction: ReceivedTransaction, action: string): void {
  const outcome = outcomeOf(transaction);
  if (outcome !== 'started')
    throw cliError('transaction_not_started', { id: transaction.id, outcome, action });
}

const endedOtherwise = ({ id }: ReceivedTransaction, outcome: string): CliError =>
  cliError('transaction_not_started', { id, outcome });
