// Listens on this machine while a person edits fields in the browser: its first address leads to the editor, as often as it is opened,
// and the editor leads back to its last page.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { prepareShutdown } from '../../http/close-server.ts';
import { type ResultPage, redirect, renderResultPage } from '../connection/result-page.ts';

export type EditingEnd = {
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
