// Starts receivers of events on 127.0.0.1 with scripted answers, byte by byte where needed, over HTTP, TLS or a bare socket.
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export type ScriptedReceiver = {
  port: number;
  url: string;
  /** Connections that were opened. */
  connections: () => number;
  /** Connections that are open now. */
  open: () => number;
  /** The bytes received on all of them. */
  received: () => string;
  close(): Promise<void>;
};

async function listen(server: Server, host: string, scheme: string): Promise<ScriptedReceiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let received = '';
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}/hook`,
    connections: () => connections,
    open: () => sockets.size,
    received: () => received,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

/** @param onRequest called when all headers of a request and its body are there, which ends with `}` */
export const startRawReceiver = (
  onRequest: (socket: Socket, count: number) => void,
  host = '127.0.0.1',
): Promise<ScriptedReceiver> => {
  const server = createServer((socket) => {
    let count = 0;
    socket.on('data', (chunk: Buffer) => {
      if (chunk.at(-1) !== 0x7d) return;
      count += 1;
      onRequest(socket, count);
    });
  });
  return listen(server, host, 'http');
};

/** Starts a receiver that answers these bytes, in one piece. */
export const startFixedReceiver = (answer: string | Buffer): Promise<ScriptedReceiver> =>
  startRawReceiver((socket) => socket.write(answer));

export const startHttpReceiver = (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host = '127.0.0.1',
): Promise<ScriptedReceiver> => listen(createHttp(answer), host, 'http');

export async function startTlsReceiver(
  { cert, key }: { cert: string; key: string },
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ScriptedReceiver> {
  return listen(createHttps({ cert, key }, answer), '127.0.0.1', 'https');
}
