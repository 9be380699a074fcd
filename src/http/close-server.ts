// Closes a server that speaks HTTP: connections that wait in the queue of the system get their answers first, and then it ends
// whatever is connected. A browser opens connections on which it sends nothing, for which `close` waits; a client may never finish its
// TLS handshake, and `closeAllConnections` does not know it.
import type { Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** A server that is never without a new connection, or without work, closes all the same. */
const MOST_TURNS = 500;

/** In a longer turn, a connection may have come after the queue was looked at. */
const SHORT_TURN_MS = 1;

/**
 * Resolves when a short turn of the event loop accepted no connection, so that none waits in the queue of the system. A server that closes then
 * resets hardly any: those that wait are reset, and a proxy must not send a POST again that was reset.
 */
export async function acceptQueued(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const [before, beganMs] = [accepted, performance.now()];
    await setImmediate();
    // The first turn may have begun after the system was asked for connections.
    if (turn > 0 && accepted === before && performance.now() - beganMs < SHORT_TURN_MS) break;
  }
  server.off('connection', count);
}

/** How long a response that has begun may still be sent. */
const GRACE_MS = 100;

/** Closes the server, and destroys the connections that are still open after the grace period. */
export type Shutdown = (graceMs?: number) => Promise<void>;

/** Has to be called before the server listens, because it has to see every connection. */
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
