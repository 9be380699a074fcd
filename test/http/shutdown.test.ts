// A server on this machine shuts down whatever is connected to it. A connection that keeps it open makes the test time out.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { listenForCallback } from '../../src/cli/commands/login/callback-server.ts';
import { listenForEditingEnd } from '../../src/cli/sending/edit.ts';
import { prepareShutdown } from '../../src/http/close-server.ts';
import { serveMetrics } from '../../src/service/serve/metrics.ts';
import { freePort } from '../support/servers/ports.ts';

const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

async function connectTo(port: number, text = ''): Promise<Socket> {
  const client = connect(port, '127.0.0.1');
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  client.write(text);
  return client;
}

/** One that sends nothing, one in the middle of a request, and one that waits after its answer. */
async function connectInAllWays(port: number): Promise<void> {
  await connectTo(port);
  await connectTo(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc');
  const answered = await connectTo(port, 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(answered, 'data');
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

type Ending = { port: number; close(): Promise<void> };

const SERVERS: Record<string, () => Promise<Ending>> = {
  'the one that waits for the editor': async () => {
    const { url, close } = await listenForEditingEnd('secret', async () => '/', false);
    return { port: Number(new URL(url).port), close };
  },
  'the one that waits for a login': async () => {
    const port = await freePort();
    const callback = new URL(`http://127.0.0.1:${port}/callback`);
    const options = { callback, state: 'S', missingState: 'refuse', windowMs: 60_000 } as const;
    return { port, close: (await listenForCallback(options)).close };
  },
  'the one for metrics': async () => {
    const port = await freePort();
    const { close } = await serveMetrics({ host: '127.0.0.1', port }, () =>
      Promise.reject(new Error('none')),
    );
    return { port, close };
  },
};

describe('a server with idle connections and half a request shuts down', () => {
  test.each(Object.entries(SERVERS))('%s', async (_, open) => {
    const { port, close } = await open();
    await connectInAllWays(port);
    await close();
    await expect(connectTo(port)).rejects.toThrow('ECONNREFUSED');
  });
});

test('a server shuts down though a client has not begun its TLS handshake', async () => {
  const server = createTlsServer();
  const shutDown = prepareShutdown(server);
  await connectTo(await listen(server));
  await shutDown();
  expect(server.listening).toBe(false);
});

test('a response that has begun is sent before a server has shut down', async () => {
  const server = createServer((_, response) => {
    response.write('begun ');
    void shutDown();
    setTimeout(() => response.end('and ended'), 20);
  });
  const shutDown = prepareShutdown(server);
  const port = await listen(server);
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(await response.text()).toBe('begun and ended');
});
