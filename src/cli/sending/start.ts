// Sends the requests that must be sent only once: start and cancel. When the answer is lost, the service is asked for the result before the command
// reports anything; the request is never sent again blindly. A start waits while the service checks the pages.

import type { CallOptions, Client } from '../../api/client.ts';
import type { ApiError } from '../../api/codec.ts';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import type { ConnectionError } from '../../api/transport.ts';
import { mustBeConfirmed } from '../command/confirmed.ts';
import type { Uses } from '../command/context.ts';
import { type CliError, cliError, type NextStep, PartialFailure } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Connection } from '../connection/connection.ts';
import { outcomeOf, outcomePhrase, shownJson, withSigningPages } from './view.ts';

/** Whether the service may have acted on a request that ended like this. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error.name === 'CliError') return false;
  if (error.name === 'ConnectionError') return (error as ConnectionError).delivery === 'unknown';
  if (error.name !== 'ApiError') return true;
  const { status } = error as ApiError;
  return status < 300 || (status >= 500 && status !== 503);
}

/** Checks that a person who has confirmed what `tx show` prints of a transaction would see the same now. */
export const mustBeAsShown = (
  { settings }: Uses<'settings'>,
  connection: Connection,
  transactionId: string,
): Promise<void> =>
  mustBeConfirmed(settings, async () => {
    const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
    return shownJson(transaction, await withSigningPages(connection, transaction));
  });

type SendOnceOptions<T> = {
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
        : `The transaction is still ${outcomePhrase(outcome)}, but the service may act on the request later.`;
    throw new PartialFailure(error, { partial: { id: transactionId }, exit: EXIT.partly, hint, next });
  }
}

/** @param action what only a started transaction can be: `cancelled` */
export function mustBeStarted(transaction: ReceivedTransaction, action: string): void {
  const outcome = outcomeOf(transaction);
  if (outcome !== 'started')
    throw cliError('transaction_not_started', {
      sentence: `Transaction ${transaction.id} is ${outcomePhrase(outcome)}; only a transaction with the status started can be ${action}.`,
      next: [{ command: `esign tx show ${transaction.id}`, when: 'to see its current status' }],
    });
}

const endedOtherwise = ({ id }: ReceivedTransaction, outcome: string): CliError =>
  cliError('transaction_not_started', {
    sentence: `Transaction ${id} is ${outcomePhrase(outcome)}.`,
    next: [{ command: `esign tx show ${id}`, when: 'to see its current status' }],
  });

/** @returns the signing URL; undefined where the answer was lost and the draft was started */
export async function startOnce(
  connection: Connection,
  transactionId: string,
  note: (sentence: string) => void,
): Promise<string | undefined> {
  const answer = await sendOnce(connection, {
    transactionId,
    send: () => startWhenChecked(connection, transactionId, { note }),
    before: ['draft'],
    after: ['started', 'completed', 'rejected', 'expired', 'cancelled'],
    next: [
      { command: `esign tx show ${transactionId}`, when: 'to see whether it was started' },
      { command: `esign tx start ${transactionId}`, when: 'when it is still a draft' },
    ],
  });
  return answer?.url;
}

/** Limits the requests to a service that makes no progress. A request checks one page at least, and usually all of them. */
const ATTEMPTS = 1000;

/** A service that has nothing to check answers sooner. */
const NOTE_AFTER_MS = 3000;
const NOTE =
  'Before it starts the transaction, the service checks that every page can be displayed. This can take a few minutes.';

/** `note` prints a sentence for the person who waits. */
type StartOptions = CallOptions & { note?: (sentence: string) => void };

/**
 * Starts a transaction, and requests it again while the service refuses with `documents_not_checked`: it checks pages for as long as a request
 * may take, and the next request continues where the last one stopped. A refused request starts nothing, and its key can be used again.
 */
export async function startWhenChecked(
  { client }: { client: Client },
  transactionId: string,
  { note = () => undefined, ...options }: StartOptions = {},
): Promise<{ url: string }> {
  const isLate = setTimeout(() => note(NOTE), NOTE_AFTER_MS);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await client['transaction.start']({ params: { transactionId } }, options);
      } catch (error) {
        if (!isUnderWay(error) || attempt >= ATTEMPTS) throw error;
      }
    }
  } finally {
    clearTimeout(isLate);
  }
}

/** Whether the service has checked a part of the pages, so that the same request can succeed later. */
export const isUnderWay = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ApiError' && (error as ApiError).code === 'documents_not_checked';
