// Ends a server at once, whatever is connected to it: a browser holds connections on which it has sent nothing, and a client may never finish
// its TLS handshake. `close` alone waits for the former, and `closeAllConnections` does not know the latter.
import type { Server, Socket } from 'node:net';

/** How long an answer that has begun may still be sent. */
const LAST_ANSWER_MS = 100;

/** @returns what closes the server, and cuts off what is connected after some time. It is called before the server listens */
export function endable(server: Server): (withinMs?: number) => Promise<void> {
  const connected = new Set<Socket>();
  server.on('connection', (socket) => {
    connected.add(socket);
    socket.once('close', () => connected.delete(socket));
  });
  return (withinMs = LAST_ANSWER_MS) =>
    new Promise((resolve) => {
      const cutOff = setTimeout(() => {
        for (const socket of connected) socket.destroy();
      }, withinMs);
      server.close(() => {
        clearTimeout(cutOff);
        resolve();
      });
    });
}
