// Starts a transaction whose pages the service may have to check first.
import type { CallOptions, Client } from '../../api/client.ts';
import type { ApiError } from '../../api/codec.ts';

/** Ends the requests to a service that never gets further. A request checks one page at least, in 20 seconds usually some hundred. */
const ATTEMPTS = 1000;

/**
 * Starts a transaction, and requests it again while the service refuses with `documents_not_checked`: it checks pages for as long as a request
 * may take, and the next request goes on where the last one stopped. Nothing has been started by then, and the key of a refused request is free.
 */
export async function startWhenChecked(
  { client }: { client: Client },
  transactionId: string,
  options?: CallOptions,
): Promise<{ url: string }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client['transaction.start']({ params: { transactionId } }, options);
    } catch (error) {
      if (!isUnderWay(error) || attempt >= ATTEMPTS) throw error;
    }
  }
}

/** Whether the service has checked a part of the pages, so that the same request can succeed later. */
export const isUnderWay = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ApiError' && (error as ApiError).code === 'documents_not_checked';
