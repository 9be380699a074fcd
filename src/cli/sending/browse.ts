// Opens pages in the browser: the signing page of a recipient, after checking that a server answers there, and the dashboard of the sandbox.

import type { InputOf } from '../../api/contract/operations.ts';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import type { Uses } from '../command/context.ts';
import { type CliError, cliError } from '../command/errors.ts';
import type { Outcome, RecordOutcome } from '../command/outcome.ts';
import type { Connection, SandboxServer } from '../connection/connection.ts';

export const SERVE_FIRST = 'The URL works while `esign sandbox serve` is running.';

type Browsed = {
  opened: boolean;
  notes: string[];
  /** The server of the page in this process. The caller has to close it. */
  serving?: SandboxServer | undefined;
};

/**
 * Opens the signing page. For a person at a terminal it also serves the page where `esign sandbox serve` is not
 * running.
 */
export async function browseServed(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  url: string,
): Promise<Browsed> {
  const { connections, terminal } = context;
  const isNeeded =
    connection.isSandbox && terminal.isForPerson && !(await connections.isAnswering(connection.appUrl));
  if (!isNeeded) return browseTo(context, connection, url);
  const serving = await connections
    .serveSandbox({ host: undefined, port: undefined, isSilent: true })
    .catch((error: Error) => terminal.progress.warn(`The page cannot be served: ${error.message}`));
  return serving ? { ...(await browse(context, url)), serving } : { opened: false, notes: [SERVE_FIRST] };
}

/** Opens a URL. Never fails; the result says so when the browser does not open. */
export async function browseTo(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  url: string,
): Promise<Browsed> {
  const isAnswered = !connection.isSandbox || (await context.connections.isAnswering(connection.appUrl));
  return isAnswered ? browse(context, url) : { opened: false, notes: [SERVE_FIRST] };
}

async function browse({ terminal }: Uses<'terminal'>, url: string): Promise<Browsed> {
  const browsed = await terminal.browse(url);
  if (browsed === 'failed') terminal.progress.warn('No browser could be opened. Open the URL manually.');
  return { opened: browsed === 'opened', notes: [] };
}

/** Finds the URL of a transaction in the dashboard of the sandbox. Of another service it is the URL of the dashboard. */
export async function findUrlInDashboard(
  connection: Connection,
  { id }: Pick<ReceivedTransaction, 'id'>,
): Promise<string | undefined> {
  const url = connection.dashboardUrl ?? (await connection.requestAddresses?.())?.dashboard_url;
  return connection.isSandbox && url !== undefined ? `${url.replace(/\/+$/, '')}/transactions/${id}` : url;
}

export const dashboardUrlMissing = (): CliError =>
  cliError('dashboard_url_missing', {
    sentence:
      'The URL of the dashboard is not known: no setting has it, and the service does not say it. No recipient can sign now, so the page to open is the one in the dashboard.',
    hint: 'Set it with `esign config set dashboard_url https://…`, or in ESIGN_DASHBOARD_URL.',
  });

type DashboardPage = NonNullable<InputOf<'sandbox.sign_in_link'>['body']>;

type OpenedDashboard = { url: string; sign_in_url?: string; opened: boolean };

const WORKS_ONCE =
  'The sign-in URL works once, within two minutes, on this machine, while `esign sandbox serve` is running.';

/** Opens the dashboard. It prints the sign-in link only where no browser was opened with it. */
export async function openDashboard(
  context: Uses<'connections' | 'terminal'>,
  label: string,
  page: DashboardPage,
): Promise<Omit<Outcome & RecordOutcome, 'json'> & { json: OpenedDashboard }> {
  const connection = await context.connections.sandbox();
  // An unknown email is an error of the command, and not a page in the browser.
  const link = await connection.client['sandbox.sign_in_link']({ body: page });
  const url = link.page_url;
  const { opened } = await browseTo(context, connection, link.sign_in_url);
  const signIn = opened ? undefined : link.sign_in_url;
  return {
    kind: 'record',
    json: { url, ...(signIn !== undefined && { sign_in_url: signIn }), opened },
    entries: [
      { key: 'url', label, value: url },
      { key: 'sign_in_url', label: 'Sign-in URL', value: signIn },
    ],
    notes: opened ? [] : [WORKS_ONCE],
  };
}
