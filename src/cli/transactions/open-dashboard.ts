// Opens a page of the sandbox's dashboard and signs in, by a link that works once, which the owner of the store creates.
import type { InputOf } from '../../api/contract/operations.ts';
import type { Uses } from '../command/context.ts';
import type { Outcome, RecordOutcome } from '../command/outcome.ts';
import { browseTo } from './browse.ts';

export type DashboardPage = NonNullable<InputOf<'sandbox.sign_in_link'>['body']>;

export type OpenedDashboard = { url: string; sign_in_url?: string; opened: boolean };

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
