// Prints the signing URL of the current recipient, and opens it for a person at a terminal.
import type { ReceivedRecipient, ReceivedTransaction } from '../../api/contract/received.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { browseServed, browseTo } from './browse.ts';
import { serveUntilSigned } from './serve-until-signed.ts';
import { currentRecipient, outcomeOf, person, signingUrlOf } from './view.ts';

export async function openTransaction(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  transactionId: string,
): Promise<Outcome> {
  const connection = await context.connections.connect();
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const recipient = mustBeAsked(transaction);
  const url = addressOf(transaction, connection);
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

function addressOf(transaction: ReceivedTransaction, connection: Connection): string {
  if (connection.appUrl === undefined) throw cliError('app_url_missing');
  const url = signingUrlOf(transaction, connection.appUrl);
  if (url !== undefined) return url;
  throw cliError('signing_address_unknown');
}

/** `tx show --web`: opens the signing page while a recipient is asked to sign, otherwise the dashboard of the service. */
export async function openInWeb(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  transaction: ReceivedTransaction,
): Promise<Outcome> {
  const signing = signingUrlOf(transaction, connection.appUrl);
  const url = signing ?? urlInDashboard(connection, transaction);
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

/** The URL of a transaction in the dashboard of the sandbox. For another service it is unknown. */
export const urlInDashboard = (
  { dashboardUrl, isSandbox }: Connection,
  { id }: Pick<ReceivedTransaction, 'id'>,
): string | undefined =>
  isSandbox && dashboardUrl !== undefined
    ? `${dashboardUrl.replace(/\/+$/, '')}/transactions/${id}`
    : dashboardUrl;
