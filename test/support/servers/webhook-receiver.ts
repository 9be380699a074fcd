// Starts a receiver of events on 127.0.0.1 that stores deliveries, gives scripted answers, and
// verifies each signature with a foreign library.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Envelope } from '../../../src/api/contract/events.ts';

export type ReceivedEvent = { id: string; headers: Record<string, string>; body: string; path: string };

export type WebhookReceiver = {
  url: string;
  port: number;
  received: ReceivedEvent[];
  /** The answer from now on; 204 by default. */
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
  /** Throws if a delivery was not signed with this secret. */
  verified(secret: string): Envelope[];
  close(): Promise<void>;
};

export type WebhookReceiverOptions = { tls?: { cert: string; key: string }; port?: number };

export async function startWebhookReceiver({
  tls,
  port = 0,
}: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = request.headers as Record<string, string>;
    received.push({ id: headers['webhook-id'] ?? '', headers, body, path: request.url ?? '' });
    receiver.answer(request, response, body);
  };
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void listener(request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${taken}/hook`,
    port: taken,
    received,
    answer: (_, response) => response.writeHead(204).end(),
    verified: (secret) =>
      received.map(({ body, headers }) => new Webhook(secret).verify(body, headers) as Envelope),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
