// Opens the editor of the fields of a draft in the browser, and waits until the sender is done there. Meanwhile it listens on this machine: its
// first address leads to the editor, as often as it is opened, and the editor leads back to its last page. `tx send --edit` then starts
// the draft, and reports it as sent.

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import { prepareShutdown } from '../../http/close-server.ts';
import type { Uses } from '../command/context.ts';
import type { Outcome, RecordOutcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { type ResultPage, redirect, renderResultPage } from '../connection/result-page.ts';
import { browseServed, browseTo, dashboardUrlMissing, findUrlInDashboard } from './browse.ts';
import type { SentPlan } from './execute.ts';
import { type ReportOptions, reportSent } from './report.ts';
import { startOnce } from './start.ts';
import { signingUrlOf, withoutSignature, withoutSignatureSentence, withSigningPages } from './view.ts';

type EditAndStartContext = Uses<'connections' | 'history' | 'process' | 'prompts' | 'settings' | 'terminal'>;

/** @param sent the draft. What was saved in the editor stays, also where the command is interrupted meanwhile. */
export async function editAndStart(
  context: EditAndStartContext,
  connection: Connection,
  report: ReportOptions,
  sent: SentPlan,
): Promise<Outcome> {
  const { id } = sent.transaction;
  const { note } = context.terminal.progress;
  note(
    `The draft is ${id}. If you interrupt this command, continue with \`esign tx fields ${id} --edit\` and \`esign tx start ${id}\`.`,
  );
  const edited = await editInBrowser(context, connection, id, {
    waits: true,
    sends: !report.options.draft,
  });
  if (edited.kind === 'opened') return edited.shown;
  const detail = () => connection.client['transaction.detail']({ params: { transactionId: id } });
  const isToBeStarted = !report.options.draft && (await isComplete(context, await detail()));
  const answered = isToBeStarted ? await startOnce(connection, id, note) : undefined;
  const transaction = await detail();
  const url = answered ?? signingUrlOf(transaction, (await withSigningPages(connection, transaction)).appUrl);
  // Nobody can sign what stays a draft.
  const options = isToBeStarted ? report.options : { ...report.options, wait: false, open: false };
  return reportSent(context, connection, { ...report, options }, { ...sent, transaction, url });
}

/** Returns true if all signers have a field for a signature, or the person sends it nevertheless. Otherwise it stays a draft. */
async function isComplete(
  { prompts, terminal }: Pick<EditAndStartContext, 'prompts' | 'terminal'>,
  transaction: ReceivedTransaction,
): Promise<boolean> {
  const people = withoutSignature(transaction);
  if (people.length === 0) return true;
  terminal.progress.warn(withoutSignatureSentence(people));
  return prompts.canAsk && prompts.confirm('Send it nevertheless?');
}

type EditContext = Uses<'connections' | 'process' | 'terminal'>;

/** `done`: the sender has left the editor by its button. `opened`: the command does not wait for that. */
type EditingResult = { kind: 'done' } | { kind: 'opened'; shown: Outcome & RecordOutcome };

const LOOK_EVERY_MS = 200;

/** @property waits until the sender is done. @property sends the draft then, which the editor says */
type EditingOptions = { waits: boolean; sends: boolean };

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
  if (url === undefined) throw dashboardUrlMissing();
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

type EditingEnd = {
  /** The address that leads to the editor, in the browser that opens it first. Each address has a secret of its own. */
  editorUrl: string;
  /** The address that the editor leads to. */
  url: string;
  hasCome(): boolean;
  close(): Promise<void>;
};

/**
 * @param secret of the address that leads to the editor. The other one is in the address of the editor, and must not reveal it.
 * @param requestLink makes the link that signs in to the editor, for one visit
 * @param sends whether the command sends the draft then
 */
export async function listenForEditingEnd(
  secret: string,
  requestLink: (returnTo: string) => Promise<string>,
  sends: boolean,
): Promise<EditingEnd> {
  const [ofEnd, ofBrowser] = ['end', 'browser'].map((use) => hashOf(`${use} ${secret}`));
  const path = { editor: `/edit/${secret}`, end: `/edited/${ofEnd}` };
  const cookie = `esign_editor=${ofBrowser}`;
  let [hasCome, isOpened] = [false, false];
  const answer = async ({ method, url, headers }: IncomingMessage): Promise<ResultPage> => {
    if (method !== 'GET') return NOT_FOUND;
    if (url === path.editor) {
      // Other users of the machine can read the address in the list of processes.
      if (isOpened && !(headers.cookie ?? '').split('; ').includes(cookie)) return ELSEWHERE;
      const page = redirect(await requestLink(`${origin()}${path.end}`));
      isOpened = true;
      const setCookie = `${cookie}; HttpOnly; SameSite=Lax; Path=${path.editor}`;
      return { ...page, headers: { ...page.headers, 'set-cookie': setCookie } };
    }
    if (url !== path.end) return NOT_FOUND;
    hasCome = true;
    return renderResultPage(
      200,
      'The fields are saved.',
      sends
        ? 'The command in your terminal sends the transaction now. Close this window and return to the terminal.'
        : 'Nothing was sent. Close this window and return to the terminal.',
    );
  };
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(request).catch((error: Error) =>
      renderResultPage(500, 'The editor cannot be opened.', error.message),
    );
    response.writeHead(status, headers).end(body);
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = prepareShutdown(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    editorUrl: `${origin()}${path.editor}`,
    url: `${origin()}${path.end}`,
    hasCome: () => hasCome,
    close,
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const ELSEWHERE = renderResultPage(
  403,
  'The editor is open in another browser.',
  'Go on there, or interrupt the command and run it again.',
);

const NOT_FOUND = renderResultPage(404, 'There is no page at this URL.');
