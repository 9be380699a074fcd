// Starts a transaction whose pages the service may have to check first.
import type { CallOptions, Client } from '../../api/client.ts';
import type { ApiError } from '../../api/codec.ts';

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
