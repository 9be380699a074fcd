// The signing address of whoever is asked now: printed, and opened for a person at a terminal.
import type { Recipient, Transaction } from '../../api/contract/transactions.ts';
import type { Uses } from '../command/context.ts';
import { CliError, EXIT, usageError } from '../command/errors.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { browseTo } from './browse.ts';
import { currentRecipient, outcomeOf, person, signingUrlOf } from './view.ts';

export async function openTransaction(
  context: Uses<'connections' | 'terminal'>,
  transactionId: string,
): Promise<Outcome> {
  const connection = await context.connections.connect();
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const recipient = mustBeAsked(transaction);
  const url = addressOf(transaction, connection);
  const { opened, notes } = await browseTo(context, connection, url);
  const { name, email } = recipient;
  return {
    kind: 'record',
    headline: `${person(recipient)} is asked to sign now.`,
    json: { id: transaction.id, url, recipient: { name, email }, opened },
    entries: [
      { key: 'id', value: transaction.id },
      { key: 'current', value: person(recipient) },
      { key: 'url', label: 'Address', value: url },
    ],
    notes,
  };
}

function mustBeAsked(transaction: Transaction): Recipient {
  const state = outcomeOf(transaction);
  const recipient = currentRecipient(transaction);
  if (state === 'started' && recipient) return recipient;
  const isDraft = state === 'draft';
  throw new CliError(
    `Transaction ${transaction.id} is ${isDraft ? 'a draft: nobody is asked to sign yet' : `${state}: nobody has to sign now`}.`,
    {
      code: 'nobody_to_sign',
      exit: EXIT.conflict,
      next: [
        isDraft
          ? { command: `esign tx start ${transaction.id}`, when: 'to ask the first recipient' }
          : { command: `esign tx show ${transaction.id}`, when: 'to see who has signed' },
      ],
    },
  );
}

function addressOf(transaction: Transaction, connection: Connection): string {
  if (connection.appUrl === undefined)
    throw usageError(
      'app_url_missing',
      'The address of the signing application is not known.',
      'Set ESIGN_APP_URL, or `esign config set app_url https://…`.',
    );
  const url = signingUrlOf(transaction, connection.appUrl);
  if (url !== undefined) return url;
  throw new CliError('The service does not say at which address the recipient signs.', {
    code: 'signing_address_unknown',
    exit: EXIT.notFound,
    hint: 'The recipient finds it in the e-mail of the service.',
  });
}

/** `tx show --web`: where to sign while somebody is asked to, otherwise the dashboard of the service. The sandbox has a page there. */
export async function openInWeb(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  transaction: Transaction,
): Promise<Outcome> {
  const signing = signingUrlOf(transaction, connection.appUrl);
  const url = signing ?? inDashboard(connection, transaction);
  if (url === undefined)
    throw usageError(
      'dashboard_url_missing',
      'Nobody is asked to sign now, and the address of the dashboard is not known.',
      'Set ESIGN_DASHBOARD_URL, or `esign config set dashboard_url https://…`.',
    );
  const { opened, notes } = await browseTo(context, connection, url);
  return {
    kind: 'record',
    json: { id: transaction.id, url, page: signing ? 'signing' : 'dashboard', opened },
    entries: [
      { key: 'id', value: transaction.id },
      { key: 'url', label: signing ? 'Address' : 'Dashboard', value: url },
    ],
    notes,
  };
}

/** At which address a dashboard elsewhere shows a transaction is not known. */
const inDashboard = (
  { dashboardUrl, isSandbox }: Connection,
  { id }: Pick<Transaction, 'id'>,
): string | undefined =>
  isSandbox && dashboardUrl !== undefined
    ? `${dashboardUrl.replace(/\/+$/, '')}/transactions/${id}`
    : dashboardUrl;
