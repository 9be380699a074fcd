// Prints the signing URL of the current recipient, and opens it for a person at a terminal.
import type { ReceivedRecipient, ReceivedTransaction } from '../../api/contract/received.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { browseServed, browseTo } from './browse.ts';
import { serveUntilSigned } from './serve-until-signed.ts';
import { withSigningPages } from './signing-pages.ts';
import { currentRecipient, outcomeOf, person, signingUrlOf } from './view.ts';

export async function openTransaction(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  transactionId: string,
): Promise<Outcome> {
  const connection = await context.connections.connect();
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const recipient = mustBeAsked(transaction);
  const url = addressOf(transaction, await withSigningPages(connection, transaction));
  const { opened, notes, serving } = await browseServed(context, connection, url);
  const { name, email } = recipient;
  const shown: Outcome = {
    kind: 'record',
    headline: `Signing page of ${person(recipient)}.`,
    json: { id: transaction.id, url, recipient: { name, email }, opened },
    entries: [
      { key: 'id', value: transaction.id },
      { key: 'current', value: person(recipient) },
      { key: 'url', label: 'Signing URL', value: url },
    ],
    notes,
  };
  return serving ? serveUntilSigned(context, connection, { transaction, serving, shown }) : shown;
}

function mustBeAsked(transaction: ReceivedTransaction): ReceivedRecipient {
  const state = outcomeOf(transaction);
  const recipient = currentRecipient(transaction);
  if (state === 'started' && recipient) return recipient;
  throw cliError('nobody_to_sign', { id: transaction.id, outcome: state });
}

function addressOf(transaction: ReceivedTransaction, { appUrl }: Connection): string {
  if (!currentRecipient(transaction)?.token) throw cliError('signing_address_unknown');
  const url = signingUrlOf(transaction, appUrl);
  if (url !== undefined) return url;
  throw cliError('app_url_missing');
}

/** `tx show --web`: opens the signing page while a recipient is asked to sign, otherwise the dashboard of the service. */
export async function openInWeb(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  transaction: ReceivedTransaction,
): Promise<Outcome> {
  const { appUrl } = await withSigningPages(connection, transaction);
  const signing = signingUrlOf(transaction, appUrl);
  const url = signing ?? (await findUrlInDashboard(connection, transaction));
  if (url === undefined) throw cliError('dashboard_url_missing');
  const { opened, notes } = await browseTo(context, connection, url);
  return {
    kind: 'record',
    json: { id: transaction.id, url, page: signing ? 'signing' : 'dashboard', opened },
    entries: [
      { key: 'id', value: transaction.id },
      { key: 'url', label: signing ? 'Signing URL' : 'Dashboard', value: url },
    ],
    notes,
  };
}

/** Finds the URL of a transaction in the dashboard of the sandbox. Of another service it is the URL of the dashboard. */
export async function findUrlInDashboard(
  connection: Connection,
  { id }: Pick<ReceivedTransaction, 'id'>,
): Promise<string | undefined> {
  const url = connection.dashboardUrl ?? (await connection.requestAddresses?.())?.dashboard_url;
  return connection.isSandbox && url !== undefined ? `${url.replace(/\/+$/, '')}/transactions/${id}` : url;
}
