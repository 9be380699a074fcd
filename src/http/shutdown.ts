// Shuts a server down at once, whatever is connected to it: a browser opens connections on which it sends nothing, and a client may never finish
// its TLS handshake. `close` waits for the first kind, and `closeAllConnections` does not know the second.
import type { Server, Socket } from 'node:net';

/** How long a response that has begun may still be sent. */
const GRACE_MS = 100;

/** Closes the server, and destroys the connections that are still open after the grace period. */
export type Shutdown = (graceMs?: number) => Promise<void>;

/** Call it before the server listens, because it has to see every connection. */
export function prepareShutdown(server: Server): Shutdown {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return (graceMs = GRACE_MS) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    });
}
