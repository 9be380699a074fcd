// Replaces a remote service: a server with scripted answers, and a proxy in front of it.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import type { ServerCertificate } from '../certificates/server-certificates.ts';

export type RunningServer = { port: number; origin: string; close(): Promise<void> };

export type ReceivedRequest = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

export type ScriptedService = RunningServer & { asked: ReceivedRequest[]; connections(): Promise<number> };

type Answering = (response: ServerResponse, asked: ReceivedRequest, count: number) => unknown;

/** @param answer is called once the whole request has come */
export async function startScriptedService(
  answer: Answering,
  certificate?: ServerCertificate,
): Promise<ScriptedService> {
  const asked: ReceivedRequest[] = [];
  const listener: RequestListener = async (request, response) => {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece);
    } catch {
      return; // gone
    }
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: Buffer.concat(pieces) };
    asked.push(one);
    answer(response, one, asked.length);
  };
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  // A client that rejects the certificate does not fail the test.
  server.on('tlsClientError', () => undefined);
  const running = await listen(server, certificate ? 'https' : 'http');
  return {
    ...running,
    asked,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
  };
}

/** Starts a server that is not an HTTP server. */
export const startSocketServer = (take: (socket: Socket) => void): Promise<RunningServer> =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      take(socket);
    }),
    'http',
  );

export type TunnelRequest = { target: string; authorization: string | undefined };

export type TunnelProxy = RunningServer & { wishes: TunnelRequest[] };

/** Opens every tunnel to one port of this machine, whatever its target; `refuse` answers instead. */
export async function startTunnelProxy(
  port: number,
  refuse?: (wish: TunnelRequest) => string | undefined,
): Promise<TunnelProxy> {
  const wishes: TunnelRequest[] = [];
  const server = createServer((_, response) => response.writeHead(400).end());
  server.on('connect', (request, client: Socket) => {
    client.on('error', () => undefined);
    const wish = { target: request.url ?? '', authorization: request.headers['proxy-authorization'] };
    wishes.push(wish);
    const refusal = refuse?.(wish);
    if (refusal !== undefined) return client.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\n\r\n`);
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
  });
  return { ...(await listen(server, 'http')), wishes };
}

async function listen(server: Server, scheme: 'http' | 'https'): Promise<RunningServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${scheme}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
