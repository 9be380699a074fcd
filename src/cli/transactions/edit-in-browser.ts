// Opens the editor of the fields of a draft in the browser, and waits until the sender is done there.
import { randomBytes } from 'node:crypto';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import type { Outcome, RecordOutcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { browseServed, browseTo } from './browse.ts';
import { type EditingEnd, listenForEditingEnd } from './editing-end.ts';
import { findUrlInDashboard } from './open.ts';

type EditContext = Uses<'connections' | 'process' | 'terminal'>;

/** `done`: the sender has left the editor by its button. `opened`: the command does not wait for that. */
export type EditingResult = { kind: 'done' } | { kind: 'opened'; shown: Outcome & RecordOutcome };

const LOOK_EVERY_MS = 200;

/** @property waits until the sender is done. @property sends the draft then, which the editor says */
export type EditingOptions = { waits: boolean; sends: boolean };

/**
 * Waits only for a person at a terminal, and only in the sandbox: the editor of another service is not known to come back.
 * @throws Interrupted; what was saved in the editor until then stays
 */
export async function editInBrowser(
  context: EditContext,
  connection: Connection,
  transactionId: string,
  { waits, sends }: EditingOptions,
): Promise<EditingResult> {
  if (!connection.isSandbox) return openElsewhere(context, connection, transactionId);
  if (!waits || !context.terminal.isForPerson) return openEditor(context, connection, transactionId);
  // A refusal, of a transaction that is no draft for example, is an error of the command, and not a page in the browser.
  await requestLink(context, transactionId);
  const end = await listenForEditingEnd(
    randomBytes(16).toString('hex'),
    async (return_to) => (await requestLink(context, transactionId, { return_to, sends })).sign_in_url,
    sends,
  );
  const button = sends ? '"Done and send"' : 'Done';
  const waiting = `Edit the fields in the browser, then press ${button} there; Ctrl-C stops waiting`;
  try {
    await waitForEnd(context, connection, end, waiting);
    return { kind: 'done' };
  } finally {
    await end.close();
  }
}

async function waitForEnd(
  context: EditContext,
  connection: Connection,
  end: EditingEnd,
  waiting: string,
): Promise<void> {
  const { process, terminal } = context;
  const { opened, serving } = await browseServed(context, connection, end.editorUrl);
  try {
    if (!opened) terminal.progress.note(`Editor: ${end.editorUrl}`);
    await terminal.progress.showWaiting(waiting, async () => {
      while (!end.hasCome()) await process.pause(LOOK_EVERY_MS);
    });
  } finally {
    await serving?.close();
  }
}

async function openEditor(
  context: EditContext,
  connection: Connection,
  transactionId: string,
): Promise<EditingResult> {
  const link = await requestLink(context, transactionId);
  const browsed = await browseTo(context, connection, link.sign_in_url);
  return { kind: 'opened', shown: shownEditor(transactionId, { ...link, ...browsed }) };
}

/** A link that signs in once, which only the owner of the sandbox can make. */
async function requestLink(
  { connections }: EditContext,
  transactionId: string,
  ending?: { return_to: string; sends: boolean },
) {
  const { client } = await connections.sandbox();
  return client['sandbox.sign_in_link']({ body: { edit_id: transactionId, ...ending } });
}

async function openElsewhere(
  context: EditContext,
  connection: Connection,
  transactionId: string,
): Promise<EditingResult> {
  const url = await findUrlInDashboard(connection, { id: transactionId });
  if (url === undefined) throw cliError('dashboard_url_missing');
  const browsed = await browseTo(context, connection, url);
  return { kind: 'opened', shown: shownEditor(transactionId, { page_url: url, ...browsed }) };
}

type Opened = { page_url: string; sign_in_url?: string; opened: boolean; notes: string[] };

/** The sign-in link is shown only where no browser has used it. */
function shownEditor(id: string, { page_url, sign_in_url, opened, notes }: Opened): Outcome & RecordOutcome {
  const signIn = opened ? undefined : sign_in_url;
  return {
    kind: 'record',
    json: { id, url: page_url, ...(signIn !== undefined && { sign_in_url: signIn }), opened },
    entries: [
      { key: 'id', value: id },
      { key: 'url', label: 'Editor', value: page_url },
      { key: 'sign_in_url', label: 'Sign-in URL', value: signIn },
    ],
    notes: [...notes, ...(signIn === undefined ? [] : ['The sign-in URL works once, within two minutes.'])],
  };
}
