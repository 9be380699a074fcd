// Finds the URL of the signing pages where no profile has it, as in a job that knows the URL of the API and a token only.
import type { ReceivedTransaction } from '../../api/contract/received.ts';
import type { Connection } from '../connection/connection.ts';
import { currentRecipient } from './view.ts';

/**
 * Returns the connection with the URL of the signing pages. It asks the service, once in a command, and only about a transaction whose current
 * recipient has a signing URL.
 */
export async function withSigningPages(
  connection: Connection,
  transaction: ReceivedTransaction,
): Promise<Connection> {
  const hasUrl = transaction.status === 'started' && Boolean(currentRecipient(transaction)?.token);
  if (connection.appUrl !== undefined || !hasUrl) return connection;
  return { ...connection, appUrl: (await connection.requestAddresses?.())?.app_url };
}
