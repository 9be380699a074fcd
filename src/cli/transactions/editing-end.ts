// Listens on this machine until the browser leaves the editor of fields by its button, and shows it a last page.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { prepareShutdown } from '../../http/shutdown.ts';
import { renderResultPage } from '../connection/result-page.ts';

export type EditingEnd = {
  /** The address that the editor leads to. It has a secret, because another page must not end the wait. */
  url: string;
  hasCome(): boolean;
  close(): Promise<void>;
};

/** @param secret part of the path */
export async function listenForEditingEnd(secret: string): Promise<EditingEnd> {
  const path = `/edited/${secret}`;
  let hasCome = false;
  const server = createServer((request, response) => {
    const isRight = request.method === 'GET' && request.url === path;
    if (isRight) hasCome = true;
    const { status, headers, body } = isRight
      ? renderResultPage(200, 'The fields are saved.', 'Close this window and return to the terminal.')
      : renderResultPage(404, 'There is no page at this URL.');
    response.writeHead(status, headers).end(body);
  });
  const close = prepareShutdown(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    hasCome: () => hasCome,
    close,
  };
}
