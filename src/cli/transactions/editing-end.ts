// Listens on this machine while a person edits fields in the browser: its first address leads to the editor, as often as it is opened,
// and the editor leads back to its last page.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { prepareShutdown } from '../../http/shutdown.ts';
import { type ResultPage, redirect, renderResultPage } from '../connection/result-page.ts';

export type EditingEnd = {
  /** The address that leads to the editor. Both addresses have a secret, because another page must not open it or end the wait. */
  editorUrl: string;
  /** The address that the editor leads to. */
  url: string;
  hasCome(): boolean;
  close(): Promise<void>;
};

/**
 * @param secret part of the paths
 * @param requestLink makes the link that signs in to the editor, for one visit
 */
export async function listenForEditingEnd(
  secret: string,
  requestLink: (returnTo: string) => Promise<string>,
): Promise<EditingEnd> {
  const path = { editor: `/edit/${secret}`, end: `/edited/${secret}` };
  let hasCome = false;
  const answer = async (method: string | undefined, url: string | undefined): Promise<ResultPage> => {
    if (method !== 'GET') return NOT_FOUND;
    if (url === path.editor) return redirect(await requestLink(`${origin()}${path.end}`));
    if (url !== path.end) return NOT_FOUND;
    hasCome = true;
    return renderResultPage(200, 'The fields are saved.', 'Close this window and return to the terminal.');
  };
  const server = createServer(async ({ method, url }, response) => {
    const { status, headers, body } = await answer(method, url).catch((error: Error) =>
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

const NOT_FOUND = renderResultPage(404, 'There is no page at this URL.');
